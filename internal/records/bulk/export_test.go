package bulk

// Internal functions with tests of their own.
var (
	Members    = members[string]
	Elements   = elements[string]
	Plain      = cellText
	AppendText = appendText
)

// Prefetch is ahead for int.
var Prefetch = prefetch[int]
