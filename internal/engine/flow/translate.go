package flow

import "slices"

// translations are what an importer has translated from the callee's terms into the
// caller's. The events of a callee have much in common: they write the same objects,
// which are made of the same parameters.
type translations struct {
	walks     *walks // for which they hold
	places    map[ParamPath][]loc
	referents map[ParamPath][]loc
	targets   map[ParamPath][]value
	labels    map[Label]labels
	fields    map[Label][]Field
	objects   map[objectKey]Object
	owners    map[loc]Object // with their owner references alone
}

// An objectKey identifies the description of what lies at a place, if it has this
// static type.
type objectKey struct {
	loc
	static string
}

// known returns what has been translated since the heap last changed.
func (im *importer) known() *translations {
	walks := im.in.walksOf(im.s.st)
	if im.translations == nil || im.translations.walks != walks {
		im.translations = &translations{
			walks:     walks,
			places:    make(map[ParamPath][]loc),
			referents: make(map[ParamPath][]loc),
			targets:   make(map[ParamPath][]value),
			labels:    make(map[Label]labels),
			fields:    make(map[Label][]Field),
			objects:   make(map[objectKey]Object),
			owners:    make(map[loc]Object),
		}
	}
	return im.translations
}

// remember returns the value of the key, which it finds the first time only.
func remember[K comparable, V any](known map[K]V, key K, find func() V) V {
	v, ok := known[key]
	if !ok {
		v = find()
		known[key] = v
	}
	return v
}

// describe returns a description of the object at r. It is the caller's own.
func (im *importer) describe(r loc, static string) Object {
	o := remember(im.known().objects, objectKey{r, static}, func() Object { return im.in.describeObject(r, static, im.s.st) })
	o.Owners, o.OwnersOf = slices.Clip(o.Owners), slices.Clip(o.OwnersOf)
	o.Fields, o.Parts, o.Named = slices.Clip(o.Fields), slices.Clip(o.Parts), slices.Clip(o.Named)
	return o
}
