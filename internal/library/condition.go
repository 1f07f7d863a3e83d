package library

// A Condition says what a library function that yields a boolean tests.
type Condition int

const (
	// StableCondition is a test whose outcome does not depend on what the
	// operator has written, or only on whether an object is being deleted.
	StableCondition Condition = iota + 1
	// AbsenceCondition is true where something does not exist yet.
	AbsenceCondition
	// EqualityCondition is true where what is there is what should be there.
	EqualityCondition
)
