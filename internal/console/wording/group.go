package wording

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// Group is a group of event types, for the filter of the audit trail.
type Group struct {
	audit.Group
	Title string
}

// Groups returns one group for each kind of record, and groups of all other events.
func (b *Vocabulary) Groups() []Group {
	var all []Group
	for _, t := range b.order {
		all = append(all, Group{groupOf(t.Kind, t.Kind), upperFirst(plural(b.Noun(t.Kind), t.Singular, t.Plural))})
	}
	signIns := []string{access.SignedIn, access.SignInRefused, access.SignedOut, access.PasswordChanged, access.Reauthenticated}
	return append(all,
		Group{audit.Group{Name: "sign-ins", Matches: func(t string) bool { return slices.Contains(signIns, t) }}, "Sign-ins and passwords"},
		Group{groupOf("people", "user", "invitation", "key", "feed"), "Users, keys and feeds"},
		Group{groupOf("organisation", "organisation", "hub", "tax.connection"), "Settings and Hubs"},
		Group{groupOf("webhooks", "webhook"), "Webhooks"},
		Group{groupOf("exports", "export", "audit", "evidence"), "Exports and verifications"},
		Group{audit.Group{Name: "refused", Matches: func(t string) bool { return strings.HasSuffix(t, access.RefusedSuffix) }}, "Refused actions"},
	)
}

// Group returns the group with this name, and whether there is one.
func (b *Vocabulary) Group(name string) (Group, bool) {
	all := b.Groups()
	at := slices.IndexFunc(all, func(g Group) bool { return g.Name == name })
	if at < 0 {
		return Group{}, false
	}
	return all[at], true
}

// groupOf returns the group of the event types of some resources.
func groupOf(name string, resources ...string) audit.Group {
	return audit.Group{Name: name, Matches: func(eventType string) bool {
		return slices.ContainsFunc(resources, func(r string) bool { return strings.HasPrefix(eventType, r+".") })
	}}
}

// plural replaces the singular one at the end of a noun by the plural many.
func plural(noun, one, many string) string { return strings.TrimSuffix(noun, one) + many }
