// Package console is the web application: server-rendered pages over the services
// that the API stands on, with the session's principal, so that it can do nothing
// that the API cannot. Each area is a package; this one puts them together. How a
// page is made says package page.
package console

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/console/account"
	"github.com/tidewaiter/tidewaiter/internal/console/deadlines"
	"github.com/tidewaiter/tidewaiter/internal/console/door"
	"github.com/tidewaiter/tidewaiter/internal/console/home"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/settings"
	"github.com/tidewaiter/tidewaiter/internal/console/statements"
	"github.com/tidewaiter/tidewaiter/internal/console/tables"
	"github.com/tidewaiter/tidewaiter/internal/console/trail"
	"github.com/tidewaiter/tidewaiter/internal/console/webhooks"
)

// Options are the parts that the console stands on.
type Options struct {
	page.Options
	Single     door.SingleSignOn // empty where there is none
	Settings   settings.Settings // but for the services that are in page.Options
	Webhooks   webhooks.Webhooks
	Tables     tables.Tables
	Statements statements.Statements

	Deadlines deadlines.Deadlines // but for the same
	Trail     trail.Trail         // but for the same
}

// New builds the console.
func New(o Options) (http.Handler, error) {
	d := &door.Door{Accounts: o.Accounts, Single: o.Single, IDs: o.IDs}
	o.Door = d.Show
	return page.New(o.Options, areas(o, d))
}

// areas are all of them, in the order of the navigation.
func areas(o Options, d *door.Door) []page.Area {
	o.Settings.Accounts, o.Settings.Access = o.Accounts, o.Access
	o.Deadlines.Access, o.Trail.Accounts = o.Access, o.Accounts
	return []page.Area{
		d.Area(o.PublicURL),
		(&home.Home{}).Area(),
		o.Webhooks.Area(),
		o.Tables.Area(),
		o.Statements.Area(),
		o.Deadlines.Area(),
		o.Trail.Area(),
		o.Settings.Area(),
		(&account.Account{Accounts: o.Accounts}).Area(),
	}
}

// Table is every page and action, for tests that go through all of them.
func Table() (all []page.Route) {
	for _, a := range areas(Options{}, &door.Door{}) {
		all = append(all, a.Routes...)
	}
	return all
}
