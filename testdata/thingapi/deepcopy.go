package thingapi

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// DeepCopyInto copies t into out.
func (t *Thing) DeepCopyInto(out *Thing) {
	*out = *t
	t.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if t.Spec.Replicas != nil {
		replicas := *t.Spec.Replicas
		out.Spec.Replicas = &replicas
	}
	out.Spec.Config = maps.Clone(t.Spec.Config)
	out.Spec.Labels = maps.Clone(t.Spec.Labels)
	out.Spec.Hosts = slices.Clone(t.Spec.Hosts)
	out.Status.Members = slices.Clone(t.Status.Members)
	out.Status.LastSync = t.Status.LastSync.DeepCopy()
	if t.Status.Done != nil {
		done := *t.Status.Done
		out.Status.Done = &done
	}
	out.Status.Conditions = copyConditions(t.Status.Conditions)
}

// DeepCopy returns a copy of t that shares nothing with it.
func (t *Thing) DeepCopy() *Thing {
	if t == nil {
		return nil
	}
	out := new(Thing)
	t.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object.
func (t *Thing) DeepCopyObject() runtime.Object {
	if c := t.DeepCopy(); c != nil {
		return c
	}
	return nil
}

// DeepCopyInto copies l into out.
func (l *ThingList) DeepCopyInto(out *ThingList) {
	*out = *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	if l.Items != nil {
		out.Items = make([]Thing, len(l.Items))
		for i := range l.Items {
			l.Items[i].DeepCopyInto(&out.Items[i])
		}
	}
}

// DeepCopy returns a copy of l that shares nothing with it.
func (l *ThingList) DeepCopy() *ThingList {
	if l == nil {
		return nil
	}
	out := new(ThingList)
	l.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object.
func (l *ThingList) DeepCopyObject() runtime.Object {
	if c := l.DeepCopy(); c != nil {
		return c
	}
	return nil
}

// DeepCopyInto copies p into out.
func (p *Part) DeepCopyInto(out *Part) {
	*out = *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Settings = maps.Clone(p.Spec.Settings)
	out.Status.Conditions = copyConditions(p.Status.Conditions)
}

// DeepCopy returns a copy of p that shares nothing with it.
func (p *Part) DeepCopy() *Part {
	if p == nil {
		return nil
	}
	out := new(Part)
	p.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object.
func (p *Part) DeepCopyObject() runtime.Object {
	if c := p.DeepCopy(); c != nil {
		return c
	}
	return nil
}

// DeepCopyInto copies l into out.
func (l *PartList) DeepCopyInto(out *PartList) {
	*out = *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	if l.Items != nil {
		out.Items = make([]Part, len(l.Items))
		for i := range l.Items {
			l.Items[i].DeepCopyInto(&out.Items[i])
		}
	}
}

// DeepCopy returns a copy of l that shares nothing with it.
func (l *PartList) DeepCopy() *PartList {
	if l == nil {
		return nil
	}
	out := new(PartList)
	l.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object.
func (l *PartList) DeepCopyObject() runtime.Object {
	if c := l.DeepCopy(); c != nil {
		return c
	}
	return nil
}

func copyConditions(in []metav1.Condition) []metav1.Condition {
	if in == nil {
		return nil
	}
	out := make([]metav1.Condition, len(in))
	for i := range in {
		in[i].DeepCopyInto(&out[i])
	}
	return out
}
