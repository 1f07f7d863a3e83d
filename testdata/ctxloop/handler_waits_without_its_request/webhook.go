// Package webhook serves HTTP and keeps a request waiting whose client is gone.
package webhook

import (
	"net/http"
	"time"
)

type Handler struct {
	Ready func() bool
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for !h.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}
	w.WriteHeader(http.StatusOK)
}
