package explain

import "fmt"

// Remedy is what helps against an error.
type Remedy string

// What helps. Only with the first is it enough to correct and submit again.
const (
	Resubmit       Remedy = "RESUBMIT"
	ObtainFirst    Remedy = "OBTAIN_FIRST"    // a permission, a licence, a release, and submit after that
	NewDeclaration Remedy = "NEW_DECLARATION" // under a reference of its own
	Wait           Remedy = "WAIT"
	OtherRequest   Remedy = "OTHER_REQUEST" // a change, an arrival or a query, not a submission
	AskCustoms     Remedy = "ASK_CUSTOMS"
	Optional       Remedy = "OPTIONAL" // customs goes on without it
	Nothing        Remedy = "NOTHING"
)

var remedies = map[string]Remedy{
	"resubmit": Resubmit, "first": ObtainFirst, "new": NewDeclaration, "wait": Wait,
	"route": OtherRequest, "help": AskCustoms, "optional": Optional, "nothing": Nothing,
}

func mustRemedy(word string) Remedy {
	r, found := remedies[word]
	if !found {
		panic(fmt.Sprintf("explain: codes.txt: what helps is %q", word))
	}
	return r
}
