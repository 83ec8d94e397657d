package home

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// step is one of the first that a new organisation takes.
type step struct {
	Done        bool
	AnyTime     bool // may be taken or left
	Path, Title string
	Text        string
}

// steps are those of a new organisation that the user may take; none once all are taken.
func (d *desk) steps() ([]step, error) {
	all := []step{{
		Done: d.org.Profile.EORI != "", Path: "/settings", Title: "Tell customs who you are",
		Text: "Your EORI number and address go into every declaration.",
	}}
	if d.Session.Role.Covers(tenant.Member) {
		all = append(all, step{
			Done: d.records(d.Declaration, "") > 0, Path: "/declarations/new", Title: "Make your first declaration",
			Text: "Step by step, or from an invoice that fills it in.",
		})
	}
	if d.Session.Role.Covers(tenant.Owner) {
		keys, err := d.goodKeys()
		if err != nil {
			return nil, err
		}
		all = append(all, step{Done: keys > 0, Path: "/settings/keys", Title: "Make an API key", Text: "Programs make declarations and filings with it."})
	}
	for _, s := range all {
		if !s.Done {
			return append(all, d.options()...), nil
		}
	}
	return nil, nil
}

// options are steps that nobody has to take.
func (d *desk) options() (all []step) {
	if d.Session.Role.Covers(tenant.Owner) {
		all = append(all, step{AnyTime: true, Path: "/settings/users", Title: "Invite your colleagues", Text: "Each with a role: owner, member or viewer."})
	}
	return append(all, step{
		AnyTime: true, Path: "/settings/hubs", Title: "Enable the Hubs that you need", Text: "Customs is there; the other areas of filing are one step away.",
	})
}

// goodKeys is how many keys let programs in.
func (d *desk) goodKeys() (n int, err error) {
	keys, err := d.tx.Keys()
	for _, k := range keys {
		if k.State(d.now) == access.ActiveKey {
			n++
		}
	}
	return n, err
}
