package explain

import "fmt"

// Remedy is what resolves an error.
type Remedy string

// Remedies. Only with the first one is it enough to correct the declaration and submit it
// again.
const (
	Resubmit       Remedy = "RESUBMIT"
	ObtainFirst    Remedy = "OBTAIN_FIRST"    // obtain an authorisation, licence or release, then submit
	NewDeclaration Remedy = "NEW_DECLARATION" // with a reference of its own
	Wait           Remedy = "WAIT"
	OtherRequest   Remedy = "OTHER_REQUEST" // an amendment, an arrival or a query instead of a submission
	AskCustoms     Remedy = "ASK_CUSTOMS"
	Optional       Remedy = "OPTIONAL" // CDS continues without it
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
