package filing

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// FurtherFaults returns what the kind's own check finds in a body that breaks its schema, besides the faults of the schema, so that an
// answer names all. It leaves out members of which the schema has already found something, and finds nothing in a body that cannot
// be decoded.
func (t *Type) FurtherFaults(body json.RawMessage, faults []apierr.Detail) []apierr.Detail {
	if len(faults) == 0 || t.faults == nil {
		return nil
	}
	return slices.DeleteFunc(t.faults(body), func(d apierr.Detail) bool {
		return slices.ContainsFunc(faults, func(f apierr.Detail) bool { return isWithin(d.Field, f.Field) || isWithin(f.Field, d.Field) })
	})
}

// InvalidBodies makes a check of bodies that may break the schema from a kind's own check.
func InvalidBodies[B any](check func(*B) []apierr.Detail) func(json.RawMessage) []apierr.Detail {
	return func(raw json.RawMessage) []apierr.Detail {
		b, err := decode[B](raw)
		if err != nil {
			return nil // the schema has found that too
		}
		return check(b)
	}
}

// isWithin reports whether a path is another one or leads into it.
func isWithin(inner, outer string) bool {
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
