// Package timers receives from timers and tickers in loops.
package timers

import (
	"context"
	"log"
	"net"
	"os"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// StoppedTimerIsDrained receives from a timer that it has just failed to stop,
// which is no wait, and goes on with the next object after an error.
type StoppedTimerIsDrained struct {
	Period  time.Duration
	Changes <-chan string
	Resync  func(ctx context.Context, name string) error
}

// Start resyncs objects some time after they changed last.
func (r *StoppedTimerIsDrained) Start(ctx context.Context) error {
	timer := time.NewTimer(r.Period)
	defer timer.Stop()
	var name string
	for {
		select {
		case <-ctx.Done():
			return nil
		case name = <-r.Changes:
			if !timer.Stop() {
				<-timer.C
			}
		case <-timer.C:
			if err := r.Resync(ctx, name); err != nil {
				log.Printf("resync %s: %v", name, err)
				timer.Reset(time.Second)
				continue
			}
		}
		timer.Reset(r.Period)
	}
}

const file = "/certs/tls.crt"

// BareTimerReceive receives from timers in a loop, with nothing beside them.
type BareTimerReceive struct{}

func (r *BareTimerReceive) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*never observes"
		if _, err := os.Stat(file); err == nil {
			break
		}
		<-time.After(5 * time.Second)
	}
	return ctrl.Result{}, r.awaitChange(ctx)
}

func (r *BareTimerReceive) awaitChange(ctx context.Context) error {
	before, err := os.Stat(file)
	if err != nil {
		return err
	}
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	for { // want "ctxloop: .*never observes"
		<-timer.C
		now, err := os.Stat(file)
		if err != nil {
			return err
		}
		if now.ModTime().After(before.ModTime()) {
			return nil
		}
		timer.Reset(10 * time.Second)
	}
}

// TimerInPostStatement waits in the post statement of its loop.
type TimerInPostStatement struct {
	Interval time.Duration
}

func (r *TimerInPostStatement) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	resolved := false
	for ; !resolved; <-time.After(r.Interval) { // want "ctxloop: .*never observes"
		hosts, err := net.DefaultResolver.LookupHost(ctx, req.Name)
		resolved = err == nil && len(hosts) > 0
	}
	return ctrl.Result{}, nil
}

// RangeOverTicker ranges over tickers below Start. Stopping a ticker does not
// close its channel, so even the deferred or concurrent Stop ends nothing.
type RangeOverTicker struct {
	Send func()
}

// Start is called by the manager, which waits for it to return.
func (b *RangeOverTicker) Start(ctx context.Context) error {
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for range ticker.C { // want "ctxloop: .*never observes"
		b.Send()
	}
	return nil
}

type Stopped struct {
	Send func()
}

func (s *Stopped) Start(ctx context.Context) error {
	ticker := time.NewTicker(30 * time.Second)
	go func() {
		<-ctx.Done()
		ticker.Stop()
	}()
	for range ticker.C { // want "ctxloop: .*never observes"
		s.Send()
	}
	return nil
}

type Ticked struct {
	Send func()
}

func (t *Ticked) Start(ctx context.Context) error {
	for range time.Tick(time.Minute) { // want "ctxloop: .*never observes"
		t.Send()
	}
	return nil
}
