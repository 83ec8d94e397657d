package home

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// step is one of the first steps of a new organisation.
type step struct {
	Done        bool
	Optional    bool
	Path, Title string
	Text        string
}

// steps returns the first steps that the user can take; nil if all required ones are done.
func (d *builder) steps() ([]step, error) {
	all := []step{{
		Done: d.org.Profile.EORI != "", Path: "/settings", Title: "Enter your organisation's details",
		Text: "Every declaration contains your EORI number and address.",
	}}
	if d.Session.Role.Covers(tenant.Member) {
		all = append(all, step{
			Done: d.records(d.Declaration, "") > 0, Path: "/declarations/new", Title: "Create your first declaration",
			Text: "Fill it in step by step, or start from an invoice.",
		})
	}
	if d.Session.Role.Covers(tenant.Owner) {
		keys, err := d.activeKeys()
		if err != nil {
			return nil, err
		}
		all = append(all, step{Done: keys > 0, Path: "/settings/keys", Title: "Create an API key", Text: "Programs need it to create declarations and other filings."})
	}
	for _, s := range all {
		if !s.Done {
			return append(all, d.optionalSteps()...), nil
		}
	}
	return nil, nil
}

// optionalSteps returns steps that are not required.
func (d *builder) optionalSteps() (all []step) {
	if d.Session.Role.Covers(tenant.Owner) {
		all = append(all, step{Optional: true, Path: "/settings/users", Title: "Invite your colleagues", Text: "Give each of them a role: owner, member or viewer."})
	}
	return append(all, step{
		Optional: true, Path: "/settings/hubs", Title: "Enable the Hubs that you need", Text: "Customs is always enabled. Enable the other areas of filing here.",
	})
}

// activeKeys returns the number of active keys.
func (d *builder) activeKeys() (n int, err error) {
	keys, err := d.tx.Keys()
	for _, k := range keys {
		if k.State(d.now) == access.ActiveKey {
			n++
		}
	}
	return n, err
}
