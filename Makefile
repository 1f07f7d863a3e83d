# What one does here, beside go test.
.PHONY: lint bench-check bench-baseline
lint: # Run golangci-lint with operatorvet inside, or operatorvet alone in the small modules.
	.ci/lint
bench-check: # Run the benchmarks of the parts, and compare them with bench/check/baseline.txt.
	go run ./bench/check
bench-baseline: # Run the benchmarks of the parts, and write that file.
	go run ./bench/check -write
