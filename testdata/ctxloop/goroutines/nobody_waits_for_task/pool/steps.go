package pool

// Steps hands the steps of a handler to the pool.
type Steps interface {
	// Next returns the next step.
	Next() (string, Task)
	// Last returns what must be done before the object goes.
	Last() Task
	// Deleted reports whether the object is to go.
	Deleted() bool
}

// Advance takes one step. It does not wait for its end, except for the last.
func (p *Pool) Advance(s Steps) error {
	if s.Deleted() {
		return p.Do(s.Last())
	}
	id, task := s.Next()
	if ended, err := p.Result(id); ended {
		return err
	}
	p.Submit(id, task)
	return nil
}
