package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// AllHubs stands for every Hub in a scope, and for organisation-wide resources: keys, users, the
// audit trail and settings.
const AllHubs = "*"

const (
	readScope  = ":read"
	writeScope = ":write"
)

// Scopes are the permissions of a key: HUB:read, HUB:write, *:read and *:write. Nil means all that
// the key's role allows. Write does not include read.
type Scopes []string

// ParseScopes checks scopes against the existing Hubs and sorts them. An empty list gives nil.
func ParseScopes(texts, hubs []string) (Scopes, error) {
	var scopes Scopes
	for _, text := range texts {
		hub, verb, _ := strings.Cut(text, ":")
		if verb = ":" + verb; verb != readScope && verb != writeScope || hub != AllHubs && !slices.Contains(hubs, hub) {
			return nil, apierr.Invalid(apierr.Detail{Field: "scopes", Message: fmt.Sprintf("%q is not HUB:read, HUB:write, *:read or *:write with the ID of a Hub", text)})
		}
		scopes = append(scopes, text)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes), nil
}

// Cover reports whether a key with these scopes has all permissions of the others.
func (s Scopes) Cover(others Scopes) bool {
	if s == nil {
		return true
	}
	if others == nil {
		others = Scopes{AllHubs + readScope, AllHubs + writeScope}
	}
	return !slices.ContainsFunc(others, func(other string) bool {
		_, verb, _ := strings.Cut(other, ":")
		return !slices.Contains(s, other) && !slices.Contains(s, AllHubs+":"+verb)
	})
}

// Need is the scope that an operation needs. Only keys without scopes meet the zero value.
type Need struct {
	Hub   string // a Hub, AllHubs, or AnyKey
	Write bool
}

// AnyKey is the Hub of operations that need no scope.
const AnyKey = "-"

// MetBy reports whether a key with the scopes may use the operation.
func (n Need) MetBy(s Scopes) bool {
	return s == nil || n.Hub == AnyKey || n.Hub != "" && s.Cover(Scopes{n.String()})
}

// String returns the scope, such as customs:write; "" if none is needed.
func (n Need) String() string {
	switch {
	case n.Hub == "" || n.Hub == AnyKey:
		return ""
	case n.Write:
		return n.Hub + writeScope
	}
	return n.Hub + readScope
}
