// Package settings is what an organisation decides about itself: who it is, who may
// do what, the keys of its programs, and the Hubs that it files in.
package settings

import (
	"context"
	"embed"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

//go:embed pages
var pages embed.FS

// Hub is an area that an organisation may book.
type Hub struct {
	ID, Name string
	Bookable bool
}

// Customs is what the settings tell of the connection to customs, which is the
// operator's.
type Customs struct {
	Mode  string // simulator or hmrc
	URL   string // empty for the service's own simulator
	Check func(context.Context) error
}

// Settings is the area.
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
	RecordsKept string             // how long records are kept, such as 6 years
	Budgets     []ratelimit.Budget // of the organisation, shown with what is left
}

// Area is what the console shows of it.
func (s *Settings) Area() page.Area {
	return page.Area{
		Name: "settings", Pages: pages, Navigation: []page.NavigationEntry{{Path: "/settings", Name: "Settings", Group: "Organisation"}},
		Tabs: []page.Tab{
			{Path: "/settings", Name: "Organisation", For: page.ForViewer},
			{Path: "/settings/users", Name: "Users", For: page.ForOwner},
			{Path: "/settings/security", Name: "Security", For: page.ForOwner},
			{Path: "/settings/keys", Name: "API keys", For: page.ForOwner},
			{Path: signOnPath, Name: "Single sign-on", For: page.ForOwner},
			{Path: scimPath, Name: "SCIM", For: page.ForOwner},
			{Path: "/settings/hubs", Name: "Hubs", For: page.ForViewer},
			{Path: "/settings/usage", Name: "Usage", For: page.ForViewer},
			{Path: "/settings/data", Name: "Data", For: page.ForOwner},
		},
		Routes:  slices.Concat(s.organisationRoutes(), s.userRoutes(), s.securityRoutes(), s.keyRoutes(), s.signOnRoutes(), s.scimRoutes(), s.hubRoutes(), s.usageRoutes(), s.dataRoutes(), s.closingRoutes()),
		Notices: notices,
		Labels:  labels,
	}
}

var notices = map[string]string{ // #nosec G101 -- words
	"organisation-saved":    "The organisation's settings are saved.",
	"invitation-withdrawn":  "The invitation is withdrawn. Its link opens nothing any more.",
	"role-changed":          "The role is changed.",
	"user-removed":          "The user is removed, and the user's keys here are revoked.",
	"user-erased":           "The person's data here is removed. In audit events it is removed in the background; the audit trail records when that is done.",
	"export-made":           "The export is ready. Download it below.",
	"export-cancelled":      "The export is deleted.",
	"organisation-closed":   "The organisation is closed.",
	"organisation-restored": "The organisation is restored. API keys, calendar feeds, invitations, the SCIM token and the connection to HMRC stay ended, and webhook endpoints stay paused: make new ones, or resume them.",
	"ai-saved":              "The setting is saved.",
	"security-saved":        "The security settings are saved.",
	"member-session-ended":  "The session is ended for this organisation.",
	"key-revoked":           "The key is revoked. Requests with it are refused from now on.",
	"provider-saved":        "The identity provider is saved.",
	"provider-removed":      "The identity provider is removed.",
	"domain-added":          "The domain is added. Set its TXT record, then check it.",
	"domain-verified":       "The domain is verified.",
	"domain-removed":        "The domain is removed.",
	"scim-saved":            "The roles of groups are saved.",
	"passwords-saved":       "The rule for passwords is saved.",
	"hub-enabled":           "The Hub is enabled.",
	"hub-disabled":          "The Hub is disabled. What was filed in it stays.",
}

var labels = map[string]string{ // #nosec G101 -- words
	"scopes": "The scopes", "addresses": "The addresses", "expiresAt": "The end of the key",
	"issuer": "The issuer", "clientId": "The client id", "secret": "The client secret", "groupsClaim": "The claim with the groups", "roles": "The roles of groups",
	"defaultRole": "The role without a group", "domain": "The domain", "emergencyOwnerId": "The owner for emergencies",
	"name": "The name", "email": "The e-mail address", "role": "The role", "days": "The number of days",
	"eori": "The EORI number", "vatNumber": "The VAT registration number", "country": "The country",
	"addressLine1": "Address line 1", "addressLine2": "Address line 2", "city": "The town or city", "postcode": "The postcode",
	"contactName": "The name of the contact", "contactEmail": "The contact's e-mail address",
	"representation": "The representation", "defermentAccount": "The deferment account number",
}
