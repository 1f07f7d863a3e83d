// Package search takes a node off the exclusion list over HTTP.
package search

import (
	"context"
	"net/http"
)

type Search struct {
	HTTP     *http.Client
	Endpoint string
}

func (s *Search) Watch(ctx context.Context, node string) error {
	<-ctx.Done()
	return s.setExcluded(ctx, node, http.MethodDelete) // want "deadcleanup: Search.setExcluded .http.NewRequestWithContext, search.go:.*. runs on ctx, which is done here"
}

func (s *Search) setExcluded(ctx context.Context, node, method string) error {
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
