package a

/* want `comment suppresses nothing, because it does not begin with //operatorvet:ignore` */ // operatorvet:ignore bad a space
var _ = bad

/* want `comment suppresses nothing` */ //operatorvet: ignore ugly,bad a space
var _ = bad

// operatorvet:ignore worse is no rule, so this may be prose.
var _ = bad
