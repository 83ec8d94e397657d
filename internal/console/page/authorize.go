package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	requestIDHeader = "X-Request-Id"
	maxForm         = 1 << 20   // bytes of a form
	maxPublicForm   = 128 << 10 // bytes of a form from a visitor without a session
)

// contentSecurityPolicy allows resources from this host only: no inline script or style,
// no frames, no base address.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP sets the security headers, checks path, origin, session, role and organisation,
// and then serves the page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.Now()
	rec := &recorder{ResponseWriter: w, status: http.StatusOK}
	_, pattern := s.mux.Handler(r)
	_, known := s.byName[pattern]
	if !known && !wantsPage(r) && !strings.HasPrefix(r.URL.Path, assetPath) {
		s.Fallback.ServeHTTP(w, r)
		return
	}
	c := &Context{Site: s, W: rec, R: r, Label: s.labelOf, Visitor: access.Visitor{RequestID: s.IDs.UUID(), IPAddress: clientaddr.Of(r), UserAgent: r.UserAgent(), Browser: s.browser(r)}}
	s.setSecurityHeaders(rec.Header(), c.Visitor.RequestID)
	defer func() {
		p := recover()
		if p != nil && p != http.ErrAbortHandler {
			s.Log.ErrorContext(r.Context(), "panic", "requestId", c.Visitor.RequestID, "panic", p, "stack", string(debug.Stack()))
			if !rec.wrote {
				c.fail(fmt.Errorf("panic: %v", p))
			}
		}
		took := s.Now().Sub(began)
		s.Observe(r.Context(), "console "+pattern, rec.status, took)
		c.logPage(slog.String("requestId", c.Visitor.RequestID), slog.String("page", pattern),
			slog.Int("status", rec.status), slog.Int64("ms", took.Milliseconds()), slog.String("ip", c.Visitor.IPAddress))
		if p == http.ErrAbortHandler {
			panic(p) // lets the server close the connection
		}
	}()
	if known {
		s.mux.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), contextKey{}, c)))
	} else if err := c.authorize(Route{For: ForEveryone, Handle: serveUnknown}); err != nil {
		c.fail(err)
	}
}

// contextKey is the key of the *Context in the request's context.
type contextKey struct{}

func contextOf(r *http.Request) *Context { return r.Context().Value(contextKey{}).(*Context) }

// serveRoute serves the request with the path values that the mux has set.
func (c *Context) serveRoute(r *http.Request, rt Route) {
	c.R, c.api = r, rt.API
	if err := c.authorize(rt); err != nil {
		c.fail(err)
	}
}

func serveUnknown(c *Context) error {
	if strings.HasPrefix(c.R.URL.Path, assetPath) {
		return c.serveAsset()
	}
	return apierr.New(apierr.NotFound, "This page does not exist.")
}

// wantsPage reports whether the client accepts HTML, as browsers do.
func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

func (s *Site) setSecurityHeaders(h http.Header, requestID string) {
	h.Set(requestIDHeader, requestID)
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// authorize runs the route's handler if the request may use it, and otherwise returns the error or shows the page that says why.
func (c *Context) authorize(rt Route) (err error) {
	if rt.Link {
		return c.authorizeLink(rt)
	}
	if err := c.origin.Check(c.R); err != nil {
		return apierr.New(apierr.OwnerRoleRequired, "This form was sent from another site, so nothing was changed.")
	}
	if c.Session, c.SignedIn, err = c.Accounts.Session(c.R.Context(), c.token(), c.Visitor.IPAddress); err != nil {
		return err
	}
	if c.Session.Test {
		c.W.Header().Set("X-Tidewaiter-Mode", string(tenant.Test))
	}
	if err := c.checkAddress(); err != nil {
		return err
	}
	share := membudget.Public
	if c.SignedIn {
		share = membudget.Authenticated
	}
	c.claim = c.Bodies.Claim(share)
	defer c.claim.Release()
	if err := c.readForm(rt); err != nil {
		return err
	}
	switch {
	case rt.For == ForEveryone:
		return rt.Handle(c)
	case rt.API:
		return c.authorizeAPI(rt)
	case !c.SignedIn:
		return c.requireSignIn()
	case rt.For == ForUser && c.Session.BoundOrg != "" && !slices.Contains(boundSessionPaths, rt.Path):
		return apierr.New(apierr.OwnerRoleRequired, "You signed in through your organisation, so you can use this session in that organisation only. Sign in to your own account for this.")
	case rt.For == ForUser:
		return c.handleWithRecentProof(rt)
	case c.Session.EndedHere:
		c.Status = http.StatusForbidden
		return c.Show("ended-here", "Your session has ended", c.Session.Organisation)
	case c.Session.NeedsFactor:
		c.Status = http.StatusForbidden
		return c.Show("factor-required", "Set up a second factor", c.Session.Organisation)
	case c.Session.Role == "":
		return c.Show("no-organisation", "No organisation", c.Session.SignOnNeeded)
	case c.Session.Closing.Closed() && !rt.Closed:
		return c.refuseClosed(rt)
	}
	if err := c.checkPermission(rt); err != nil {
		if rt.Method != http.MethodGet && !c.permitted(rt) {
			c.recordRefusal(rt, err)
		}
		return err
	}
	return c.handleWithRecentProof(rt)
}

// checkAddress checks the ID in the path, and the query.
func (c *Context) checkAddress() error {
	if id := c.R.PathValue("id"); id != "" && !ident.IsUUID(id) {
		return apierr.Missing()
	}
	if _, err := url.ParseQuery(c.R.URL.RawQuery); err != nil {
		return apierr.New(apierr.InvalidRequest, "The part of the address after the question mark is invalid. Correct it, or open the page from the navigation.")
	}
	return nil
}

// ClosedPath is the only page that a closed organisation has.
const ClosedPath = "/settings/data"

// refuseClosed redirects OWNERs of a closed organisation to ClosedPath, and refuses everything else.
func (c *Context) refuseClosed(rt Route) error {
	if rt.Method == http.MethodGet && c.Session.Role.Covers(tenant.Owner) {
		return c.Redirect(ClosedPath)
	}
	return access.RefuseClosed()
}

// authorizeAPI is authorize for an API operation that accepts a session.
func (c *Context) authorizeAPI(rt Route) error {
	switch {
	case !c.SignedIn:
		return apierr.New(apierr.Unauthorized, "Sign in to the console first.")
	case c.Session.EndedHere || c.Session.NeedsFactor || c.Session.Role == "":
		return apierr.New(apierr.OwnerRoleRequired, "This session has no access to the organisation. Open the console to see why.")
	}
	if err := c.checkPermission(rt); err != nil {
		c.recordRefusal(rt, err)
		return err
	}
	if rt.NeedsRecentProof && !c.Accounts.RecentlyAuthenticated(c.Session) {
		return apierr.New(apierr.SignInAgain, "Confirm your sign-in at %s, then send the request again.", ConfirmPath)
	}
	return rt.Handle(c)
}

// handleWithRecentProof runs the handler, or first asks the user for a proof of identity if the route needs one.
func (c *Context) handleWithRecentProof(rt Route) error {
	if !rt.NeedsRecentProof || c.Accounts.RecentlyAuthenticated(c.Session) {
		return rt.Handle(c)
	}
	next := c.R.URL.RequestURI()
	if rt.Method == http.MethodGet {
		http.Redirect(c.W, c.R, ConfirmPath+"?next="+url.QueryEscape(next), http.StatusSeeOther)
		return nil
	}
	c.Status = http.StatusForbidden
	return c.ShowReauthentication(c, next, c.formToSave())
}

// Resume handles a form that was saved while the user proved the identity.
func (c *Context) Resume(next string, kept []SavedField) error {
	to, err := url.Parse(Local(next))
	if err != nil {
		return apierr.New(apierr.InvalidRequest, "The form cannot be sent again. Fill it in once more.")
	}
	form := url.Values{}
	for _, k := range kept {
		form.Add(k.Name, k.Value)
	}
	r := c.R.Clone(c.R.Context())
	r.Method, r.URL, r.RequestURI, r.PostForm, r.Form, r.MultipartForm, r.Body = http.MethodPost, to, next, form, nil, nil, http.NoBody
	if _, pattern := c.mux.Handler(r); pattern == "" {
		return apierr.New(apierr.NotFound, "This page does not exist.")
	}
	c.Status, c.Problem = 0, nil
	c.mux.ServeHTTP(c.W, r)
	return nil
}

// boundSessionPaths are the account pages that a session may use if an organisation's identity provider
// opened it. The account belongs to the user, so a provider must not be able to change it.
var boundSessionPaths = []string{"/sign-out", "/switch", ConfirmPath, ConfirmPath + "/continue", ConfirmOrganisationPath}

// checkPermission checks the user's role, and that a form was made for the organisation that is
// open now: another tab may have switched to a different one.
func (c *Context) checkPermission(rt Route) error {
	if !c.permitted(rt) {
		return refused(rt.For)
	}
	if rt.Method != http.MethodGet && !rt.API && c.R.FormValue(OrganisationField) != string(c.Session.Org) {
		return apierr.New(apierr.InvalidState, "This form belongs to another organisation than the one that is open now, so nothing was changed. Go back and check the organisation at the top of the page.")
	}
	return nil
}

// permitted reports whether the user's role and the organisation's policy allow the route.
func (c *Context) permitted(rt Route) bool {
	if rt.For == ForWebhookManager {
		return c.Session.Policy.Policy().ManagesWebhooks(c.Session.Role)
	}
	return c.Session.Role.Covers(rt.For.role())
}

func refused(l Level) error {
	if l == ForWebhookManager {
		return apierr.New(apierr.OwnerRoleRequired, "Only OWNERs can manage webhook endpoints in this organisation. An OWNER can allow it for MEMBERs in the settings.")
	}
	if l == ForMember {
		return apierr.New(apierr.ReadOnlyKey, "You can view this organisation but not change anything in it.")
	}
	return apierr.New(apierr.OwnerRoleRequired, "This needs the OWNER role in the organisation.")
}

// recordRefusal writes an audit event about an action that the role did not allow. RefusalBudget
// limits the number of events per user.
func (c *Context) recordRefusal(rt Route, reason error) {
	state, err := c.Limiter.Take(c.R.Context(), c.RefusalBudget, c.Session.UserID)
	if err == nil && state.Exceeded {
		return
	}
	err = c.Update(func(tx Tx) error {
		return c.Access.RecordRefusal(tx, c.Call(), access.Refusal{
			Hub: access.FoundationalHub, Resource: "console", ID: c.ID(), Action: action(rt.Path), Role: c.Session.Role, Reason: reason,
		})
	})
	if err != nil {
		c.Log.Warn("cannot record a refusal", "requestId", c.Visitor.RequestID, "error", err)
	}
}

// action returns the name of a path in the audit log, such as settings.keys.revoke.
func action(path string) string {
	words := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "{") })
	return strings.Join(words, ".")
}

// OrganisationField is the form field with the id of the organisation that the form was made for.
const OrganisationField = "organisation-id"

func (c *Context) readForm(rt Route) error {
	if c.R.Method == http.MethodGet || c.R.Method == http.MethodHead {
		return nil
	}
	parts := rt.MaxUpload > 0 && strings.HasPrefix(c.R.Header.Get("Content-Type"), "multipart/form-data")
	most := c.maxForm()
	if parts {
		most = max(most, rt.MaxUpload)
	}
	body := http.MaxBytesReader(c.W, c.R.Body, most)
	err := c.claim.Expect(c.expected(parts))
	if c.R.Body = c.claim.Body(body); parts && !c.SignedIn {
		c.R.Body = body // without a session the file is not stored, so it is not counted
	}
	if err == nil {
		err = c.R.ParseForm()
	}
	if err == nil && parts {
		err = c.readParts(rt)
	}
	var large *http.MaxBytesError
	var known *apierr.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, membudget.ErrExceeded):
		return apierr.New(apierr.Overloaded, "The service is busy. Send the form again in a moment.")
	case asError(err, &large) && !c.SignedIn && rt.For != ForEveryone:
		return nil // shows the sign-in page, without the form
	case asError(err, &known):
		return err
	case asError(err, &large):
		return apierr.New(apierr.PayloadTooLarge, "The form is larger than %d kB, which is the limit here.", most>>10)
	}
	return apierr.New(apierr.InvalidRequest, "The form cannot be read. Go back and send it again.")
}

// ReadBody reads the body of an API operation; it may be as large as a form.
func (c *Context) ReadBody() ([]byte, error) {
	body, err := io.ReadAll(c.R.Body)
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return body, nil
	case errors.Is(err, membudget.ErrExceeded):
		return nil, apierr.New(apierr.Overloaded, "The service is busy. Send the request again in a moment.")
	case asError(err, &large):
		return nil, apierr.New(apierr.PayloadTooLarge, "The request body is too large.")
	}
	return nil, apierr.New(apierr.InvalidRequest, "The request body cannot be read.").WithCause(err)
}

// maxForm returns the limit of a form in bytes.
func (c *Context) maxForm() int64 {
	if c.SignedIn {
		return maxForm
	}
	return maxPublicForm
}

// expected returns how many bytes of the body will be held in memory; -1 if its length is unknown.
func (c *Context) expected(parts bool) int64 {
	if parts && !c.SignedIn {
		return 0
	}
	return c.R.ContentLength
}

// requireSignIn sends a visitor without a session to the sign-in page. A submitted form is
// saved in that page, to be sent again after signing in.
func (c *Context) requireSignIn() error {
	next := c.R.URL.RequestURI()
	if c.R.Method == http.MethodGet || c.R.Method == http.MethodHead {
		if next == "/" {
			next = ""
		} else {
			next = "?next=" + url.QueryEscape(next)
		}
		http.Redirect(c.W, c.R, "/sign-in"+next, http.StatusSeeOther)
		return nil
	}
	c.Status = http.StatusUnauthorized
	return c.ShowSignIn(c, next, c.formToSave())
}

// Call returns the request as the audit log records it.
func (c *Context) Call() tenant.Call {
	return tenant.Call{Principal: c.Session.Principal(), RequestID: c.Visitor.RequestID, IPAddress: c.Visitor.IPAddress}
}
