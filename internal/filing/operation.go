package filing

import (
	"reflect"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Operation is a message that a user sends about a record besides its submission, with a body of its own: POST …/{id}/{action}. It is possible for records that an
// authority has; what it changes follows from what the authority answers.
type Operation struct {
	Action lifecycle.Action  // last segment of its path, such as receipt
	Title  string            // of its page and of its button, such as Report the receipt
	About  string            // what it sends, in a sentence or two
	Body   reflect.Type      // of its JSON body
	From   []lifecycle.State // in which it is possible
	Layout *layout.Form      // of its form; nil for the order and the names of the body
}

// IsPossible reports whether a record in a state allows the operation.
func (o Operation) IsPossible(in lifecycle.State) bool { return slices.Contains(o.From, in) }

// NotPossible is the error of an operation on a record whose state does not allow it.
func (o Operation) NotPossible(singular string, in lifecycle.State) error {
	return invalidState(singular, o.Action, in, slices.Clone(o.From))
}
