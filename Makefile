# What one does here, beside go test.
.PHONY: lint
lint: # Run golangci-lint with operatorvet inside over all modules.
	.ci/lint
