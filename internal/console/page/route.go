package page

import (
	"io/fs"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Level says who may see a page or take an action. The zero value is the closed one.
type Level int

// The levels, from the closed to the open.
const (
	ForOwner          Level = iota // of the organisation
	ForWebhookManager              // OWNER, and MEMBER if the organisation's policy allows it
	ForMember                      // MEMBER or OWNER
	ForViewer                      // everybody in the organisation
	ForUser                        // everybody who has signed in
	ForEveryone                    // everybody
)

// role is the least role of a level that needs one.
func (l Level) role() tenant.Role {
	return map[Level]tenant.Role{ForOwner: tenant.Owner, ForWebhookManager: tenant.Member, ForMember: tenant.Member, ForViewer: tenant.Viewer}[l]
}

// Route is one page or action.
type Route struct {
	Method, Path     string // as http.ServeMux takes them
	For              Level
	MaxUpload        int64 // bytes that a body may have, where it is more than a form
	NeedsRecentProof bool  // whether it needs a fresh proof of who is at the browser
	API              bool  // whether it is an operation of the API that takes a session: its answers are JSON
	Closed           bool  // whether it is open to OWNERs of an organisation that is closed
	Handle           func(*Context) error
}

// Get is a page.
func Get(path string, who Level, do func(*Context) error) Route {
	return Route{Method: http.MethodGet, Path: path, For: who, Handle: do}
}

// Post is an action.
func Post(path string, who Level, do func(*Context) error) Route {
	return Route{Method: http.MethodPost, Path: path, For: who, Handle: do}
}

// ConfirmPath is the page that asks who is at the browser; ConfirmOrganisationPath leads from it to the
// identity provider that opened the session.
const (
	ConfirmPath             = "/confirm"
	ConfirmOrganisationPath = ConfirmPath + "/organisation"
)

// Freshly is the page or action for users who have proved just now who they are: others are
// asked to, and then go on with what they typed.
func (r Route) WithRecentProof() Route {
	r.NeedsRecentProof = true
	return r
}

// AsAPI is the route as an operation of the API that takes a console session instead of a key.
// Its answers are JSON, and a form's guard field is not asked for.
func (r Route) AsAPI() Route {
	r.API = true
	return r
}

// WhileClosed is the route that stays open to OWNERs while the organisation is closed.
func (r Route) WhileClosed() Route {
	r.Closed = true
	return r
}

// Taking is the action with a body of as many bytes, such as a file.
func (r Route) WithMaxUpload(bytes int64) Route {
	r.MaxUpload = bytes
	return r
}

// Area is a part of the console: its pages and actions, and what they look like.
type Area struct {
	Name        string            // assets/Name.css and Name.js, where it has them, are loaded on its pages
	Navigation  []NavigationEntry // in the navigation
	Tabs        []Tab             // on its pages, between the heading and the rest
	Routes      []Route
	Pages       fs.FS             // pages/*.html, one for each page; unique over all areas
	Partials    []fs.FS           // *.html that its pages call besides those of every page
	Functions   map[string]any    // functions that its templates call besides those of every page
	Assets      fs.FS             // assets/*
	Notices     map[string]string // what a page says of what was just done, by the name that Visit.Done takes
	Labels      map[string]string // what the fields of its forms are called where something is wrong with them
	RecordPaths map[string]string // path of a record's page by kind, such as /declarations/{id}
}

// Entry is one of the navigation.
type NavigationEntry struct {
	Path, Name string
	Group      string // heading that it stands under; empty for the first entries
	Hub        string // shown only where it is enabled
}

// Tab leads to one of an area's pages.
type Tab struct {
	Path, Name string
	For        Level
}
