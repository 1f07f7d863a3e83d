// Package search releases what belongs to the process.
package search

import (
	"context"
	"net/http"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Search struct {
	mu       sync.Mutex
	HTTP     *http.Client
	Endpoint string
}

func (s *Search) Shards(ctx context.Context) (int, error) {
	s.lock(ctx)
	defer s.unlock(ctx)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint+"/shards", nil)
	if err != nil {
		return 0, err
	}
	response, err := s.HTTP.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, nil
}

func (s *Search) lock(ctx context.Context) {
	s.mu.Lock()
	log.FromContext(ctx).V(1).Info("Locked")
}

func (s *Search) unlock(ctx context.Context) {
	s.mu.Unlock()
	log.FromContext(ctx).V(1).Info("Unlocked")
}
