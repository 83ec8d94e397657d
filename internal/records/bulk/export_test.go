package bulk

// The parts that have tests of their own.
var (
	Members    = members[string]
	Elements   = elements[string]
	Plain      = plain
	AppendText = appendText
)

// Ahead makes portions of numbers ahead of their use.
var Ahead = ahead[int]
