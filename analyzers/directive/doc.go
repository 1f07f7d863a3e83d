// Package directive reports ignore comments that do not do what they say.
//
// # Analyzer directive
//
// directive: find ignore comments that suppress nothing
//
// A comment suppresses findings on its line, or on the line below it:
//
//	//operatorvet:ignore RULE reason
//
// RULE is the name of a rule, or several names joined by commas. The reason is
// required: without one the comment suppresses nothing. Above a statement of
// several lines, the comment covers all of them, except for what is between
// the braces of a block or a literal.
//
// If the code is fixed or moved, the comment would hide the next bug there. So
// this rule reports a comment that
//   - suppressed nothing in this run,
//   - gives no reason,
//   - names no rule, or one that does not exist,
//   - begins with //operatorvet: and a word other than ignore,
//   - names a rule, but suppresses nothing because it has a space after // or before
//     ignore, or is between /* and */.
//
// It offers to remove a comment that suppressed nothing, and to write the last kind
// as it should be.
//
// It looks at the findings of all rules, including those that are switched off
// for the run. It is silent in generated files. Its own findings cannot be
// suppressed: remove or correct the comment instead.
//
// Go vet and editors see one package at a time. There it is silent about a comment
// that suppressed nothing, if the package calls functions in fields or interfaces
// of the module: the operatorvet command may know what these are, and have a
// finding for the comment.
package directive
