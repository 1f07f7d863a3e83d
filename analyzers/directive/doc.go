// Package directive reports ignore comments that do not do what they say.
//
// # Analyzer directive
//
// directive: find ignore comments that suppress nothing
//
// A finding is suppressed by a comment on its line or directly above it:
//
//	//operatorvet:ignore RULE reason
//
// RULE is the name of a rule, or several joined by commas. The reason is
// required: without one the comment suppresses nothing. Above a statement of
// several lines the comment speaks for all of them, except for what is between
// the braces of a block or a literal.
//
// Once the code below has been mended or moved, such a comment would hide the
// next bug there. So this rule reports one that
//
//   - suppressed nothing in this run,
//   - gives no reason,
//   - names a rule that does not exist, or none,
//   - begins with //operatorvet: and a word other than ignore.
//
// It looks at the findings of all rules, also of those that are switched off
// for the run. It is silent in generated files. Its own findings cannot be
// suppressed; remove or mend the comment instead.
package directive
