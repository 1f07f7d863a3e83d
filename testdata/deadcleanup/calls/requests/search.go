// Package search cleans up over HTTP.
package search

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/go-resty/resty/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// MutexAndBodyAreReleased releases what belongs to the process.
type MutexAndBodyAreReleased struct {
	mu       sync.Mutex
	HTTP     *http.Client
	Endpoint string
}

func (s *MutexAndBodyAreReleased) Shards(ctx context.Context) (int, error) {
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

func (s *MutexAndBodyAreReleased) lock(ctx context.Context) {
	s.mu.Lock()
	log.FromContext(ctx).V(1).Info("Locked")
}

func (s *MutexAndBodyAreReleased) unlock(ctx context.Context) {
	s.mu.Unlock()
	log.FromContext(ctx).V(1).Info("Unlocked")
}

// RequestOfCleanUpOnDoneContext takes a node off the exclusion list over HTTP.
type RequestOfCleanUpOnDoneContext struct {
	HTTP     *http.Client
	Endpoint string
}

func (s *RequestOfCleanUpOnDoneContext) Watch(ctx context.Context, node string) error {
	<-ctx.Done()
	return s.setExcluded(ctx, node, http.MethodDelete) // want "deadcleanup: RequestOfCleanUpOnDoneContext.setExcluded .http.NewRequestWithContext, .*search.go:.*. runs on ctx, which is done here"
}

func (s *RequestOfCleanUpOnDoneContext) setExcluded(ctx context.Context, node, method string) error {
	request, err := http.NewRequestWithContext(ctx, method, s.Endpoint+"/excluded/"+node, nil)
	if err != nil {
		return err
	}
	response, err := s.HTTP.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// RestyRequestOfCleanUpOnDoneContext takes a node off the exclusion list with a
// client library whose requests carry the context.
type RestyRequestOfCleanUpOnDoneContext struct {
	HTTP     *resty.Client
	Endpoint string
}

func (s *RestyRequestOfCleanUpOnDoneContext) Watch(ctx context.Context, node string) error {
	<-ctx.Done()
	_, err := s.HTTP.R().SetContext(ctx).SetBody(map[string]string{"exclude": ""}).Put(s.Endpoint + "/settings") // want "deadcleanup: Request.Put runs on"
	return err
}
