package library

// A Condition says what a library function tests, most often with a boolean result.
type Condition int

const (
	// StableCondition is a test whose outcome does not depend on what the
	// operator has written, or depends only on whether an object is being
	// deleted.
	StableCondition Condition = iota + 1
	// RefusalCondition is true if an API refused a request, or could not serve it. As long as all is
	// well, it is false.
	RefusalCondition
	// AbsenceCondition is true if something does not exist yet.
	AbsenceCondition
	// OwnerCondition is true if an object has a certain owner.
	OwnerCondition
	// FinalizerCondition is true if an object has a certain finalizer.
	FinalizerCondition
	// ChangeCondition is true if the call has changed the object.
	ChangeCondition
	// SuccessCondition is true if all conditions of an object say that its parts are as they should be.
	// So it is, once the cluster has converged.
	SuccessCondition
	// SelectionCondition is true if a selector selects the object by its labels.
	SelectionCondition
	// EqualityCondition is true if the actual value equals the desired one.
	EqualityCondition
	// ThreeWayCondition is an integer that is zero if two values are equal, and tells the
	// lesser from the greater otherwise.
	ThreeWayCondition
	// SearchCondition is the index of an element of a list, or -1 if there is none.
	SearchCondition
)

// ConditionTrue is the status of a condition of an object that holds. See
// https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties.
const ConditionTrue = "True"

// IsConditionStatus reports whether a condition of an object may have the status.
func IsConditionStatus(status string) bool {
	return status == ConditionTrue || status == "False" || status == "Unknown"
}
