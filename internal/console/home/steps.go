package home

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// step is one of the first steps of a new organisation.
type step struct {
	Done        bool
	Optional    bool
	Path, Title string
	Text        string
}

// usersPath is the page on which colleagues are invited.
const usersPath = "/settings/users"

// steps returns the first steps that the user can take; nil if all required ones are done.
func (d *builder) steps() ([]step, error) {
	member, owner := d.Session.Role.Covers(tenant.Member), d.Session.Role.Covers(tenant.Owner)
	all := []step{{
		Done: d.org.Profile.EORI != "", Path: "/settings", Title: "Enter your organisation's details",
		Text: "Every declaration contains your EORI number and address.",
	}}
	if owner && d.Mode() == tenant.Live {
		all = append(all, step{
			Done: d.records(d.Consent, "") > 0, Path: "/customs/consent", Title: "Connect to HMRC",
			Text: "Sign in to HMRC and allow Tidewaiter to declare for your EORI number.",
		})
	}
	if member {
		all = append(all, step{
			Done: d.records(d.Client, "") > 0, Path: "/clients/new", Title: "Add your first client",
			Text: "The importer or exporter that you declare for, or your own company. You can also import a spreadsheet.",
		}, step{
			Done: d.records(d.Declaration, "") > 0, Path: "/declarations/new", Title: "Create your first declaration",
			Text: "Fill it in step by step, or start from an invoice.",
		})
	}
	if !slices.ContainsFunc(all, func(s step) bool { return !s.Done }) {
		return nil, nil
	}
	if !owner {
		return append(all, d.hubStep()), nil
	}
	more, err := d.ownerSteps()
	return append(append(all, d.hubStep()), more...), err
}

func (d *builder) hubStep() step {
	return step{
		Done: len(d.hubs()) > 1, Optional: true, Path: "/settings/hubs", Title: "Enable the Hubs that you need", Text: "Customs is always enabled. Enable the other areas of filing here.",
	}
}

// ownerSteps returns steps of OWNERs that are not required. markColleagues adds whether others have joined.
func (d *builder) ownerSteps() ([]step, error) {
	invited, err := d.tx.Invitations()
	if err != nil {
		return nil, err
	}
	keys, err := d.activeKeys()
	if err != nil {
		return nil, err
	}
	endpoints, err := d.tx.Endpoints()
	return []step{
		{Done: len(invited) > 0, Optional: true, Path: usersPath, Title: "Invite your colleagues", Text: "A second person can take over when you are away. Give each a role: owner, member or viewer."},
		{Done: keys > 0, Optional: true, Path: "/settings/keys", Title: "Create an API key", Text: "Programs need it to create declarations and other filings."},
		{Done: len(endpoints) > 0, Optional: true, Path: "/webhooks/new", Title: "Add a webhook", Text: "It tells another system of yours when something happens, such as goods being cleared."},
	}, err
}

// markColleagues marks the invitation of colleagues as done if the organisation has several members.
func (h *Home) markColleagues(c *page.Context, steps []step) error {
	at := slices.IndexFunc(steps, func(s step) bool { return s.Path == usersPath && !s.Done })
	if at < 0 {
		return nil
	}
	members, err := c.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	steps[at].Done = err == nil && len(members) > 1
	return err
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
