// Package variables puts several contexts into one variable.
package variables

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// VariableGetsItsContextBack limits one phase, and then goes on with the
// context of before.
type VariableGetsItsContextBack struct {
	client.Client
	First, Second func(ctx context.Context) error
}

func (p *VariableGetsItsContextBack) Run(ctx context.Context, node *corev1.Node) (err error) {
	defer func() {
		err = errors.Join(err, p.Status().Update(ctx, node))
	}()
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	err = p.First(ctx)
	cancel()
	ctx = parent
	return errors.Join(err, p.Second(ctx))
}

// LiteralGetsADetachedContextAsArgument hands the deferred literal its context
// when it is deferred.
type LiteralGetsADetachedContextAsArgument struct {
	client.Client
	First func(ctx context.Context) error
}

func (p *LiteralGetsADetachedContextAsArgument) Run(ctx context.Context, node *corev1.Node) (err error) {
	defer func(ctx context.Context) {
		err = errors.Join(err, p.Status().Update(ctx, node))
	}(ctx)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return p.First(ctx)
}

// EachRoundHasItsOwnContext cancels the context of a round before the next one
// makes its own.
type EachRoundHasItsOwnContext struct {
	client.Client
}

func (r *EachRoundHasItsOwnContext) Run(ctx context.Context, objects []client.Object) error {
	for _, object := range objects {
		round, cancel := context.WithTimeout(ctx, time.Second)
		err := r.Update(round, object)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *EachRoundHasItsOwnContext) RunAll(ctx context.Context, objects []client.Object) error {
	for _, object := range objects {
		round, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		defer r.Delete(round, object)
		if err := r.Update(round, object); err != nil {
			return err
		}
	}
	return nil
}

type key string

// LoopDerivesItsContextFromItself puts one value after another into its
// context, in a loop: it is derived from the one that the function was given,
// however often.
type LoopDerivesItsContextFromItself struct {
	client.Client
	Keys []key
}

func (l *LoopDerivesItsContextFromItself) Apply(ctx context.Context, object client.Object) error {
	for _, k := range l.Keys {
		ctx = log.IntoContext(ctx, log.FromContext(ctx).WithName(string(k)))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.Update(ctx, object)
}

// ContextDerivedInALoopIsDone puts one value after another into its context,
// which is done with the first of them all.
type ContextDerivedInALoopIsDone struct {
	client.Client
	Names []string
}

func (l *ContextDerivedInALoopIsDone) Hold(ctx context.Context, object client.Object) error {
	named := ctx
	for _, name := range l.Names {
		if name != "" {
			named = log.IntoContext(named, log.FromContext(named).WithName(name))
		}
	}
	<-ctx.Done()
	return l.Delete(named, object) // want "deadcleanup: Writer.Delete runs on named, which is done here"
}

// DerivedContextIsDoneWithItsParent gives its clean-up a time limit and a
// logger, but derives that context from the one that is done.
type DerivedContextIsDoneWithItsParent struct {
	client.Client
}

func (p *DerivedContextIsDoneWithItsParent) Serve(ctx context.Context, pod *corev1.Pod) error {
	<-ctx.Done()
	cleanup, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cleanup = log.IntoContext(cleanup, log.Log.WithName("cleanup"))
	return p.Delete(cleanup, pod) // want "deadcleanup: Writer.Delete runs on cleanup, which is done here"
}
