// Package mux serves HTTP with functions, a literal among them, that keep
// requests waiting whose clients are gone.
package mux

import (
	"net/http"
	"time"
)

type Server struct {
	Ready func() bool
}

func (s *Server) Register(mux *http.ServeMux) {
	mux.HandleFunc("/ready", s.serveReady)
	mux.HandleFunc("/started", func(w http.ResponseWriter, r *http.Request) {
		for !s.Ready() { // want "ctxloop: .*never observes"
			time.Sleep(2 * time.Second)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

func (s *Server) serveReady(w http.ResponseWriter, _ *http.Request) {
	for !s.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}
	w.WriteHeader(http.StatusOK)
}
