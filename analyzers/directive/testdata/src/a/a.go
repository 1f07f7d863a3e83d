package a

//operatorvet:ignore bad this one is needed
var bad int

var _ = bad //operatorvet:ignore bad,ugly this one only half // want `ignore directive suppresses no finding of ugly; remove it`

/* want `ignore directive suppresses no finding of bad; remove it` */ //operatorvet:ignore bad nothing is wrong below
var good int

/* want `ignore directive gives no reason; it suppresses nothing without one` */ //operatorvet:ignore bad
var _ = bad

/* want `ignore directive names unknown rule "badd"; the rules are bad, ugly` */ //operatorvet:ignore badd a slip of the finger
var _ = bad

/* want `ignore directive names no rule; write //operatorvet:ignore RULE reason` */ //operatorvet:ignore
var _ = bad

/* want `unknown directive operatorvet:nolint; there is only operatorvet:ignore` */ //operatorvet:nolint bad why
var _ = bad

var _ = bad /* want `findings of directive cannot be ignored; remove or mend the comment` */ //operatorvet:ignore directive,bad nor by itself

// Prose about operatorvet:ignore, even // operatorvet:ignore bad, is nothing to us.
