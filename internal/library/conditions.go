package library

import "strings"

// A Condition says what a library function that yields a boolean tests.
type Condition int

const (
	// OtherCondition is any test that no table knows.
	OtherCondition Condition = iota
	// StableCondition is a test whose outcome does not depend on what the
	// operator has written, or only on whether an object is being deleted.
	StableCondition
	// AbsenceCondition is true where something does not exist yet.
	AbsenceCondition
	// EqualityCondition is true where what is there is what should be there.
	EqualityCondition
)

// ConditionNamed returns what the function of this name tests.
func ConditionNamed(name string) Condition {
	if c, ok := conditions[name]; ok {
		return c
	}
	if strings.HasSuffix(name, ").IsZero") || strings.HasSuffix(name, ").Empty") {
		return AbsenceCondition
	}
	if strings.HasSuffix(name, ".DeepEqual") || strings.HasSuffix(name, ".DeepDerivative") || strings.HasSuffix(name, ".Equal") {
		return EqualityCondition
	}
	return OtherCondition
}

const apierrors = "k8s.io/apimachinery/pkg/api/errors"

var conditions = map[string]Condition{
	"errors.Is":                                       StableCondition,
	"errors.As":                                       StableCondition,
	apierrors + ".IsNotFound":                         AbsenceCondition,
	apierrors + ".IsAlreadyExists":                    StableCondition,
	apierrors + ".IsConflict":                         StableCondition,
	crtClient + ".IgnoreNotFound":                     StableCondition,
	controllerutil + ".ContainsFinalizer":             StableCondition,
	controllerutil + ".AddFinalizer":                  StableCondition,
	controllerutil + ".RemoveFinalizer":               StableCondition,
	"strings.HasPrefix":                               StableCondition,
	"strings.HasSuffix":                               StableCondition,
	"k8s.io/apimachinery/pkg/api/meta.IsNoMatchError": StableCondition,
}
