module github.com/operatorvet/operatorvet

go 1.25.0

require golang.org/x/tools v0.44.0
