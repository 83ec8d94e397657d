// Package settings is the area for the organisation's settings: profile, users, security,
// API keys, single sign-on, SCIM, Hubs, usage and data.
package settings

import (
	"context"
	"embed"
	"io/fs"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

//go:embed pages
var pages embed.FS

// Hub is a Hub that organisations can enable if the operator offers it.
type Hub struct {
	ID, Name string
	Bookable bool
}

// Customs describes the connection to customs, which the operator configures.
type Customs struct {
	Mode  string // simulator or hmrc
	URL   string // empty for the built-in simulator
	Check func(context.Context) error
}

// Settings is the area, with the services that it uses.
type Settings struct {
	Accounts    *access.Accounts
	Access      *access.Service
	Identity    *oidc.Service
	SCIM        *scim.Service
	Erasure     *erasure.Service
	Hubs        []Hub
	Connection  Customs
	Exports     *portability.Service
	Closure     *closure.Service
	RecordsKept string             // retention period, such as 6 years
	Budgets     []ratelimit.Budget // API rate limits of the organisation
}

// Area returns the area's routes, pages and texts.
func (s *Settings) Area() page.Area {
	return page.Area{
		Name: "settings", Pages: pages, Partials: []fs.FS{form.Parts()}, Navigation: []page.NavigationEntry{{Path: "/settings", Name: "Settings", Group: "Organisation"}},
		Tabs: []page.Tab{
			{Path: "/settings", Name: "Organisation", For: page.ForViewer},
			{Path: customsPath, Name: "Customs", For: page.ForViewer},
			{Path: "/settings/users", Name: "Users", For: page.ForOwner},
			{Path: "/settings/security", Name: "Security", For: page.ForOwner},
			{Path: "/settings/keys", Name: "API keys", For: page.ForOwner},
			{Path: signOnPath, Name: "Single sign-on", For: page.ForOwner},
			{Path: scimPath, Name: "SCIM", For: page.ForOwner},
			{Path: "/settings/hubs", Name: "Hubs", For: page.ForViewer},
			{Path: "/settings/usage", Name: "Usage", For: page.ForViewer},
			{Path: "/settings/data", Name: "Data", For: page.ForOwner},
		},
		Routes:  slices.Concat(s.organisationRoutes(), s.portalRoutes(), s.customsRoutes(), s.userRoutes(), s.securityRoutes(), s.keyRoutes(), s.signOnRoutes(), s.scimRoutes(), s.hubRoutes(), s.usageRoutes(), s.dataRoutes(), s.closingRoutes()),
		Notices: notices,
		Labels:  labels,
	}
}

var notices = map[string]string{ // #nosec G101 -- words
	"organisation-saved":    "The organisation's settings are saved.",
	"invitation-withdrawn":  "The invitation is withdrawn. Its link no longer works.",
	"role-changed":          "The role is changed.",
	"user-removed":          "The user is removed and their API keys in this organisation are revoked.",
	"user-erased":           "The person's data in this organisation is removed. Audit events follow in the background; the audit trail records when they are done.",
	"export-made":           "The export is ready. Download it below.",
	"export-cancelled":      "The export is deleted.",
	"organisation-closed":   "The organisation is closed.",
	"organisation-restored": "The organisation is restored. API keys, calendar feeds, invitations, the SCIM token and the connection to HMRC have ended, so create new ones. Webhook endpoints are paused until you resume them.",
	"ai-saved":              "The setting is saved.",
	"security-saved":        "The security settings are saved.",
	"member-session-ended":  "The session has ended for this organisation.",
	"key-revoked":           "The key is revoked. Requests with it are refused.",
	"provider-saved":        "The identity provider is saved.",
	"provider-removed":      "The identity provider is removed.",
	"domain-added":          "The domain is added. Create its TXT record, then check it.",
	"domain-verified":       "The domain is verified.",
	"domain-removed":        "The domain is removed.",
	"scim-saved":            "The roles of groups are saved.",
	"passwords-saved":       "The password setting is saved.",
	"hub-enabled":           "The Hub is enabled.",
	"hub-disabled":          "The Hub is disabled. Its filings stay.",
}

var labels = map[string]string{ // #nosec G101 -- words
	"scopes": "The scopes", "addresses": "The addresses", "expiresAt": "The expiry date",
	"issuer": "The issuer", "clientId": "The client id", "secret": "The client secret", "groupsClaim": "The claim with the groups", "roles": "The roles of groups",
	"defaultRole": "The role without a group", "domain": "The domain", "emergencyOwnerId": "The owner for emergencies",
	"name": "The name", "email": "The email address", "role": "The role", "days": "The number of days",
	"eori": "The EORI number", "vatNumber": "The VAT registration number", "country": "The country",
	"addressLine1": "Address line 1", "addressLine2": "Address line 2", "city": "The town or city", "postcode": "The postcode",
	"contactName": "The name of the contact", "contactEmail": "The contact's email address",
	"portal.accentColour": "The colour", "portal.embedOrigins": "The list of sites",
	"representation": "The representation", "defermentAccount": "The deferment account number",
}
