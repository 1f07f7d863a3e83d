module github.com/operatorvet/operatorvet

go 1.25.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/rogpeppe/go-internal v1.14.1
	go.yaml.in/yaml/v3 v3.0.4
	golang.org/x/mod v0.35.0
	golang.org/x/tools v0.44.0
)

require golang.org/x/sync v0.20.0 // indirect
