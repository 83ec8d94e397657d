package console

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Level says who may see a page or take an action. The zero value is the closed one.
type Level int

// The levels, from the closed to the open.
const (
	ForOwner   Level = iota // of the organisation
	ForMember               // MEMBER or OWNER
	ForViewer               // everybody in the organisation
	ForUser                 // everybody who has signed in
	ForAnybody              // everybody
)

// role is the least role of a level that needs one.
func (l Level) role() tenant.Role {
	return map[Level]tenant.Role{ForOwner: tenant.Owner, ForMember: tenant.Member, ForViewer: tenant.Viewer}[l]
}

// Route is one page or action.
type Route struct {
	Method, Path string // as http.ServeMux takes them
	For          Level
	Upload       int64 // bytes that a body may have, where it is more than a form
	do           func(*visit) error
}

// table is every page and action, area by area.
func (c *Console) table() []Route {
	return slices.Concat(
		c.doorRoutes(),
		c.singleRoutes(),
		c.invitedRoutes(),
		c.homeRoutes(),
		c.organisationRoutes(),
		c.userRoutes(),
		c.keyRoutes(),
		c.hubRoutes(),
		c.usageRoutes(),
		c.accountRoutes(),
	)
}

// area is an entry of the navigation.
type area struct {
	Path, Name string
	Hub        string // shown only where it is enabled
}

// areas are the entries of the navigation, in their order.
func areas() []area {
	return []area{
		{Path: "/", Name: "Home"},
		{Path: "/settings", Name: "Settings"},
	}
}

// settingsPages are the entries of the navigation within the settings.
func settingsPages() []settingsPage {
	return []settingsPage{
		{"/settings", "Organisation", ForViewer},
		{"/settings/users", "Users", ForOwner},
		{"/settings/keys", "API keys", ForOwner},
		{"/settings/hubs", "Hubs", ForViewer},
		{"/settings/usage", "Usage", ForViewer},
	}
}

type settingsPage struct {
	Path, Name string
	For        Level
}
