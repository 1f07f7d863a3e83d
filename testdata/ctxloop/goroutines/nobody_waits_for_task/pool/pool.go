// Package pool runs functions in goroutines, and remembers how they ended.
package pool

import "sync"

// A Task is work that takes long.
type Task func() error

// Pool runs a bounded number of tasks at a time.
type Pool struct {
	results sync.Map
	places  chan struct{}
}

// Submit starts the task and returns at once.
func (p *Pool) Submit(id string, task Task) {
	result := make(chan error, 1)
	p.results.Store(id, result)
	go p.run(task, result)
}

func (p *Pool) run(task Task, result chan<- error) {
	defer func() {
		<-p.places
		close(result)
	}()
	p.places <- struct{}{}
	result <- task()
}

// Result tells whether the task has ended, and how.
func (p *Pool) Result(id string) (ended bool, err error) {
	result, _ := p.results.Load(id)
	ch, ok := result.(chan error)
	if !ok {
		return false, nil
	}
	select {
	case err := <-ch:
		return true, err
	default:
		return false, nil
	}
}

// Do runs the task and returns its error.
func (p *Pool) Do(task Task) error { return task() }
