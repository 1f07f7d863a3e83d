package main_test

import "testing"

// TestServing has a write that only an HTTP handler reaches, and one that a worker of the
// program reaches, too. Both keep the order of a map.
func TestServing(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- go.mod --
module example.com/m

go 1.25.0

require sigs.k8s.io/controller-runtime v0.22.0

replace sigs.k8s.io/controller-runtime => ./runtime
-- runtime/go.mod --
module sigs.k8s.io/controller-runtime

go 1.25.0
-- runtime/pkg/client/client.go --
package client

import "context"

type Object interface{ GetName() string }

type Client interface {
	Writer
}

type Writer interface {
	Update(ctx context.Context, obj Object) error
}
-- main.go --
package main

import (
	"context"
	"net/http"
	"time"

	"example.com/m/api"
	"example.com/m/nodes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var c client.Client

func main() {
	s := &api.Server{Client: c}
	http.HandleFunc("/taint", s.Taint)
	http.HandleFunc("/label", s.Label)
	go work()
	http.ListenAndServe(":8080", nil)
}

func work() {
	for {
		nodes.Label(context.Background(), c, &nodes.Node{}, nil)
		time.Sleep(time.Minute)
	}
}
-- api/api.go --
package api

import (
	"net/http"

	"example.com/m/nodes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Server struct{ Client client.Client }

func (s *Server) Taint(w http.ResponseWriter, req *http.Request) {
	nodes.Taint(req.Context(), s.Client, &nodes.Node{}, nil)
}

func (s *Server) Label(w http.ResponseWriter, req *http.Request) {
	nodes.Label(req.Context(), s.Client, &nodes.Node{}, nil)
}
-- nodes/nodes.go --
package nodes

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Node struct{ Taints, Marks []string }

func (*Node) GetName() string { return "" }

func Taint(ctx context.Context, c client.Client, n *Node, taints map[string]string) error {
	n.Taints = nil
	for taint := range taints {
		n.Taints = append(n.Taints, taint)
	}
	return c.Update(ctx, n)
}

func Label(ctx context.Context, c client.Client, n *Node, marks map[string]string) error {
	n.Marks = nil
	for mark := range marks {
		n.Marks = append(n.Marks, mark)
	}
	return c.Update(ctx, n)
}
`)
	operatorvet(t, dir, "./...").want(t, 3, "nodes/nodes.go:23")
	operatorvet(t, dir, "./nodes").want(t, 3, "nodes/nodes.go:15 nodes/nodes.go:23")
}
