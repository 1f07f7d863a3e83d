// Package webhook stops waiting when the client of the request is gone.
package webhook

import (
	"net/http"
	"time"
)

type Handler struct {
	Ready func() bool
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
