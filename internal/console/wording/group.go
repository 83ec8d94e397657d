package wording

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// Group is a sort of event that people look for.
type Group struct {
	audit.Group
	Title string
}

// Groups are the sorts of event: of each kind of record, and of what is no filing.
func (b *Vocabulary) Groups() []Group {
	var all []Group
	for _, t := range b.order {
		all = append(all, Group{beginning(t.Kind, t.Kind), capital(plural(b.Noun(t.Kind), t.One, t.Many))})
	}
	signIns := []string{access.SignedIn, access.SignInRefused, access.SignedOut, access.PasswordChanged, access.Reauthenticated}
	return append(all,
		Group{audit.Group{Name: "sign-ins", Fits: func(t string) bool { return slices.Contains(signIns, t) }}, "Sign-ins and passwords"},
		Group{beginning("people", "user", "invitation", "key", "feed"), "Users, keys and feeds"},
		Group{beginning("organisation", "organisation", "hub", "tax.connection"), "Settings and Hubs"},
		Group{beginning("webhooks", "webhook"), "Webhooks"},
		Group{beginning("exports", "export", "audit", "evidence"), "Exports and verifications"},
		Group{audit.Group{Name: "refused", Fits: func(t string) bool { return strings.HasSuffix(t, access.RefusedSuffix) }}, "Refused steps"},
	)
}

// Find looks a group up by its name; the zero Group has every event.
func (b *Vocabulary) Find(name string) (Group, bool) {
	all := b.Groups()
	at := slices.IndexFunc(all, func(g Group) bool { return g.Name == name })
	if at < 0 {
		return Group{}, false
	}
	return all[at], true
}

// beginning is the group of the types that begin with some resources.
func beginning(name string, resources ...string) audit.Group {
	return audit.Group{Name: name, Fits: func(eventType string) bool {
		return slices.ContainsFunc(resources, func(r string) bool { return strings.HasPrefix(eventType, r+".") })
	}}
}

// plural is a noun that ends with one, ending with many.
func plural(noun, one, many string) string { return strings.TrimSuffix(noun, one) + many }
