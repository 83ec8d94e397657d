// Package console is the web application: server-rendered pages that use the same
// services as the API, with the session's principal, so that they have no more rights
// than the API. Each area is a package; this package combines them. Package page
// documents how a page is made.
package console

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/console/account"
	"github.com/tidewaiter/tidewaiter/internal/console/approvals"
	"github.com/tidewaiter/tidewaiter/internal/console/auditlog"
	"github.com/tidewaiter/tidewaiter/internal/console/authorities"
	"github.com/tidewaiter/tidewaiter/internal/console/classification"
	"github.com/tidewaiter/tidewaiter/internal/console/connect"
	"github.com/tidewaiter/tidewaiter/internal/console/deadlines"
	"github.com/tidewaiter/tidewaiter/internal/console/declarations"
	"github.com/tidewaiter/tidewaiter/internal/console/declare"
	"github.com/tidewaiter/tidewaiter/internal/console/design"
	"github.com/tidewaiter/tidewaiter/internal/console/filings"
	"github.com/tidewaiter/tidewaiter/internal/console/help"
	"github.com/tidewaiter/tidewaiter/internal/console/home"
	"github.com/tidewaiter/tidewaiter/internal/console/marked"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/palette"
	"github.com/tidewaiter/tidewaiter/internal/console/repeat"
	"github.com/tidewaiter/tidewaiter/internal/console/settings"
	"github.com/tidewaiter/tidewaiter/internal/console/sheets"
	"github.com/tidewaiter/tidewaiter/internal/console/signin"
	"github.com/tidewaiter/tidewaiter/internal/console/statements"
	"github.com/tidewaiter/tidewaiter/internal/console/tables"
	"github.com/tidewaiter/tidewaiter/internal/console/team"
	"github.com/tidewaiter/tidewaiter/internal/console/views"
	"github.com/tidewaiter/tidewaiter/internal/console/webhooks"
	"github.com/tidewaiter/tidewaiter/internal/console/whatif"
)

// Options are the areas with their services, and the services of package page.
type Options struct {
	page.Options
	Single       signin.SingleSignOn // zero if not configured
	Identity     *oidc.Service       // identity providers of organisations
	SCIM         *scim.Service
	Erasure      *erasure.Service
	Home         home.Home
	Team         team.Team
	Declarations declarations.Declarations
	Declare      declare.Declare
	Filings      filings.Filings
	Marked       marked.Marked
	Statements   statements.Statements
	Connect      connect.Connect
	Authorities  authorities.Authorities
	Deadlines    deadlines.Deadlines
	Approving    approvals.Approvals
	WhatIf       whatif.WhatIf
	Tables       tables.Tables
	Webhooks     webhooks.Webhooks
	AuditLog     auditlog.AuditLog
	Settings     settings.Settings
	Palette      palette.Palette
	Classify     classification.Classification
	Repeat       repeat.Repeat
	Sheets       sheets.Sheets
	Design       bool // whether to show the page of the design system
}

// New builds the console.
func New(o Options) (http.Handler, error) {
	d := &signin.SignIn{Accounts: o.Accounts, Single: o.Single, Identity: o.Identity, IDs: o.IDs}
	o.ShowSignIn, o.ShowReauthentication = d.Show, d.ShowReauthentication
	o.HelpTopic = help.Topic
	return page.New(o.Options, areas(o, d))
}

// areas returns all areas in the order of the navigation.
func areas(o Options, d *signin.SignIn) []page.Area {
	o.Settings.Accounts, o.Settings.Access, o.Settings.Identity = o.Accounts, o.Access, o.Identity
	o.Settings.SCIM, o.Settings.Erasure = o.SCIM, o.Erasure
	o.Deadlines.Access, o.AuditLog.Accounts = o.Access, o.Accounts
	o.Marked.Declarations, o.Marked.Others = &o.Declarations, &o.Filings
	o.Filings.DeclarationFindings = o.Declarations.Findings
	all := []page.Area{
		d.Area(o.PublicURL),
		o.Home.Area(),
		o.Team.Area(),
		o.Declarations.Area(),
		o.Declare.Area(),
		o.Approving.Area(),
		o.Deadlines.Area(),
		o.WhatIf.Area(),
		o.Filings.Area(),
		o.Repeat.Area(),
		o.Sheets.Area(),
		o.Marked.Area(),
		views.Area(),
		o.Statements.Area(),
		o.Connect.Area(),
		o.Authorities.Area(),
		o.Tables.Area(),
		o.Webhooks.Area(),
		o.AuditLog.Area(),
		o.Settings.Area(),
		o.Palette.Area(),
		help.Area(),
		o.Classify.Area(),
		(&account.Account{Accounts: o.Accounts, Erasure: o.Erasure}).Area(),
	}
	if o.Design {
		all = append(all, design.Area())
	}
	return all
}
