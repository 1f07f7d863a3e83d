// Package webhook serves HTTP and keeps requests waiting.
package webhook

import (
	"net/http"
	"time"
)

// HandlerObservesItsRequest stops waiting when the client of the request is
// gone.
type HandlerObservesItsRequest struct {
	Ready func() bool
}

func (h *HandlerObservesItsRequest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for !h.Ready() {
		select {
		case <-r.Context().Done():
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		case <-time.After(2 * time.Second):
		}
	}
	w.WriteHeader(http.StatusOK)
}

// HandlerWaitsWithoutItsRequest serves HTTP and keeps a request waiting whose
// client is gone.
type HandlerWaitsWithoutItsRequest struct {
	Ready func() bool
}

func (h *HandlerWaitsWithoutItsRequest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for !h.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}
	w.WriteHeader(http.StatusOK)
}

// HandlerFunctionWaitsWithoutItsRequest serves HTTP with functions, a literal
// among them, that keep requests waiting whose clients are gone.
type HandlerFunctionWaitsWithoutItsRequest struct {
	Ready func() bool
}

func (s *HandlerFunctionWaitsWithoutItsRequest) Register(mux *http.ServeMux) {
	mux.HandleFunc("/ready", s.serveReady)
	mux.HandleFunc("/started", func(w http.ResponseWriter, r *http.Request) {
		for !s.Ready() { // want "ctxloop: .*never observes"
			time.Sleep(2 * time.Second)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

func (s *HandlerFunctionWaitsWithoutItsRequest) serveReady(w http.ResponseWriter, _ *http.Request) {
	for !s.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}
	w.WriteHeader(http.StatusOK)
}
