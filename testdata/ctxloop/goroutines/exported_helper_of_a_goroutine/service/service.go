// Package service waits for services of its objects.
package service

import (
	"errors"
	"time"
)

// A Server is ready or not.
type Server interface{ IsReady() bool }

// Start makes the server ready, and returns at once. Nobody waits for the goroutine.
func Start(s Server, done func(error)) {
	go run(s, done)
}

func run(s Server, done func(error)) { done(Await(s)) }

// Await returns when the server is ready.
func Await(s Server) error {
	for range 100 {
		if s.IsReady() {
			return nil
		}
		time.Sleep(10 * time.Second)
	}
	return errors.New("the server is not ready")
}
