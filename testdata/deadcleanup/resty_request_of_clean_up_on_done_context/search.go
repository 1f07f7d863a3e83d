// Package search takes a node off the exclusion list with a client library whose
// requests carry the context.
package search

import (
	"context"

	"github.com/go-resty/resty/v2"
)

type Search struct {
	HTTP     *resty.Client
	Endpoint string
}

func (s *Search) Watch(ctx context.Context, node string) error {
	<-ctx.Done()
	_, err := s.HTTP.R().SetContext(ctx).SetBody(map[string]string{"exclude": ""}).Put(s.Endpoint + "/settings") // want "deadcleanup: Request.Put runs on"
	return err
}
