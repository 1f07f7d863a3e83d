package controller

import (
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
)

// An event of an object that a controller does not watch may come to it through a child that
// it makes and watches. The controller of the child sees the event, and then writes the
// child's status:
//
//	For(&Install{}).Owns(&App{})                          // makes an App and a Secret for it
//	For(&App{}).Watches(&corev1.Secret{}, appsThatUseIt)  // tells in App.Status what it found

// markRelayed sets Relayed of the writes of the controllers of a package.
func markRelayed(all []*Controller) {
	for _, c := range all {
		for i := range c.Writes {
			w := &c.Writes[i]
			w.Relayed = w.Creates && !w.Kind.IsZero() && slices.ContainsFunc(all, func(child *Controller) bool {
				return child != c && child.seesAny(*w) && slices.ContainsFunc(c.Writes, func(made Write) bool {
					return made.Creates && made.Kind != w.Kind && c.seesStatus(made.Kind) &&
						child.Reconciles(made.Kind) && child.mayWriteStatus(made.Kind)
				})
			})
		}
	}
}

// seesAny reports whether events of the object written may reach the controller, whoever
// owns it.
func (c *Controller) seesAny(w Write) bool {
	return slices.ContainsFunc(c.Watches, func(v Watch) bool { return v.Reach == Everything && !v.Kind.IsZero() && v.isMeantFor(w) })
}

// seesStatus reports whether a change of the status of objects of the kind wakes the
// controller.
func (c *Controller) seesStatus(kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Watches, func(w Watch) bool {
		return w.Reach > Nothing && w.Kind.Same(kind) && w.Passes()&library.Status != 0
	})
}

// mayWriteStatus reports whether the controller writes the status of objects of the kind, as
// far as its writes are known.
func (c *Controller) mayWriteStatus(kind library.GroupKind) bool {
	return len(c.Writes) == 0 || slices.ContainsFunc(c.Writes, func(w Write) bool { return w.Sub && w.Kind.MayBe(kind) })
}
