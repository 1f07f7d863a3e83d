package flow

import "github.com/operatorvet/operatorvet/internal/engine/access"

// A name may not be known, but what it ends in:
//
//	Name: thing.Name + "-config"
//
// Nothing that ends otherwise has that name.

// endingOf returns what a string certainly ends in.
func endingOf(v value) string {
	if v.constant != "" && !v.several && !v.unknown {
		return v.constant
	}
	return v.ending
}

// ending returns what the value of the callee certainly ends in, if it is no constant.
func (im *importer) ending(v Val) string {
	if v.Ending != "" || len(v.Refs) != 1 || len(v.Labels) == 0 || len(v.Funcs)+len(v.Bound) > 0 || v.Const != "" || v.Unknown || v.Several {
		return v.Ending
	}
	r := v.Refs[0]
	for _, l := range v.Labels {
		if l.Kind != Content || l.Param != r.Param || l.Path != r.Path || l.Fixed || l.Appended || l.Given != 0 {
			return ""
		}
	}
	return im.endingAt(r.Param, r.Path)
}

// endingAt returns what the string at a path under a parameter certainly ends in.
func (im *importer) endingAt(param int, path access.Path) string {
	if path.IsRoot() && param >= 0 && param < len(im.s.args) {
		return im.s.args[param].ending
	}
	ending := ""
	for i, l := range im.places(param, path) {
		v := im.s.st.get(l)
		if i > 0 && v.ending != ending || v.several || v.unknown {
			return ""
		}
		ending = v.ending
	}
	return ending
}
