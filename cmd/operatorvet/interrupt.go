package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// untilSignal returns a context that is done when the process is told to end. What
// the go command does ends with it. The process exits at the latest after a time
// that suffices to finish writing a file.
func untilSignal() context.Context {
	const grace = 2 * time.Second
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	go func() {
		ended := endedBy{(<-signals).(syscall.Signal)}
		cancel(ended)
		time.Sleep(grace)
		os.Exit(ended.code())
	}()
	return ctx
}

// endedBy is the cause of a context that a signal has ended.
type endedBy struct{ syscall.Signal }

func (e endedBy) Error() string { return e.Signal.String() }

// code returns the exit code by which shells know the signal.
func (e endedBy) code() int { return 128 + int(e.Signal) }
