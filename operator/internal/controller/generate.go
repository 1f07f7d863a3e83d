package controller

//go:generate go tool -modfile=../../tools/go.mod controller-gen rbac:roleName=manager-role paths=. output:rbac:dir=../../config/rbac
