package page

import (
	"io/fs"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Level is the access level that a page or an action requires. The zero value is the most restrictive.
type Level int

// The levels, from the most to the least restrictive.
const (
	ForOwner          Level = iota // OWNER of the organisation
	ForWebhookManager              // OWNER, and MEMBER if the organisation's policy allows it
	ForMember                      // MEMBER or OWNER
	ForViewer                      // every member of the organisation
	ForUser                        // every user who has signed in
	ForEveryone                    // everybody
)

// role returns the lowest role of a level; empty for a level without a role.
func (l Level) role() tenant.Role {
	return map[Level]tenant.Role{ForOwner: tenant.Owner, ForWebhookManager: tenant.Member, ForMember: tenant.Member, ForViewer: tenant.Viewer}[l]
}

// Route is one page or action.
type Route struct {
	Method, Path     string // in the syntax of http.ServeMux
	For              Level
	MaxUpload        int64 // bytes; zero for the limit of a form
	MaxFiles         int   // files of the field "file"; zero for one
	NeedsRecentProof bool  // whether the user must have proved the identity recently
	API              bool  // whether it is an API operation that accepts a session; responses are JSON
	Closed           bool  // whether OWNERs can use it while the organisation is closed
	Link             bool  // whether a link to the webhook portal opens it, whose token is {token} in the path; there is no session
	Changes          bool  // of such a route: whether a read-only link does not open it
	Handle           func(*Context) error
}

// Get returns the route of a page.
func Get(path string, who Level, do func(*Context) error) Route {
	return Route{Method: http.MethodGet, Path: path, For: who, Handle: do}
}

// Post returns the route of an action.
func Post(path string, who Level, do func(*Context) error) Route {
	return Route{Method: http.MethodPost, Path: path, For: who, Handle: do}
}

// ConfirmPath is the page on which users prove their identity again. ConfirmOrganisationPath redirects
// from there to the identity provider that opened the session.
const (
	ConfirmPath             = "/confirm"
	ConfirmOrganisationPath = ConfirmPath + "/organisation"
)

// WithRecentProof returns the route for users who have proved their identity recently. Others
// must prove it first; the submitted form is saved and sent afterwards.
func (r Route) WithRecentProof() Route {
	r.NeedsRecentProof = true
	return r
}

// AsAPI returns the route as an API operation that accepts a console session instead of a key.
// Its responses are JSON, and OrganisationField is not required.
func (r Route) AsAPI() Route {
	r.API = true
	return r
}

// WhileClosed returns the route that OWNERs can use while the organisation is closed.
func (r Route) WhileClosed() Route {
	r.Closed = true
	return r
}

// ForLink returns the route for holders of a link to the webhook portal.
func (r Route) ForLink() Route {
	r.For, r.Link = ForEveryone, true
	return r
}

// ForChangingLink returns the route for holders of a link that is not read-only.
func (r Route) ForChangingLink() Route {
	r = r.ForLink()
	r.Changes = true
	return r
}

// WithMaxUpload returns the route that accepts a body of up to this many bytes, such as a file.
func (r Route) WithMaxUpload(bytes int64) Route {
	r.MaxUpload = bytes
	return r
}

// WithFiles returns the route that accepts up to this many files in the field "file".
func (r Route) WithFiles(most int) Route {
	r.MaxFiles = most
	return r
}

// Area is a part of the console: its pages, actions, templates and texts.
type Area struct {
	Name        string // assets/Name.css and assets/Name.js, if they exist, are loaded on its pages
	Navigation  []NavigationEntry
	Actions     []Action
	Tabs        []Tab // below the heading of its pages
	Routes      []Route
	Pages       fs.FS             // pages/*.html, one for each page; names are unique in the console; nil for none
	Partials    []fs.FS           // *.html, besides those that every page has
	Functions   map[string]any    // template functions, besides those that every page has
	Assets      fs.FS             // assets/*
	Notices     map[string]string // texts by the key that RedirectWithNotice takes; {names} stands for those of NoticeNames
	Labels      map[string]string // labels of form fields, for error messages
	RecordPaths map[string]string // path of a record's page by kind, such as /declarations/{id}
}

// NavigationEntry is one link of the navigation.
type NavigationEntry struct {
	Path, Name string
	Menu       string // shorter name for the menu; empty for Name
	Group      string // heading above it; empty for the first entries
	Hub        string // shown only if this Hub is enabled; empty for always
	Approval   bool   // shown only if the organisation requires approvals
}

// Action is a link to a page on which something is made; the palette offers it.
type Action struct {
	Path, Name string
	About      string // what distinguishes it from another of the same name, such as the name of a Hub
	Hub        string // shown only if this Hub is enabled; empty for always
	For        Level
}

// Tab is a link to one of an area's pages.
type Tab struct {
	Path, Name string
	For        Level
}
