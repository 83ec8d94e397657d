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

// policy lets a page use what comes from here and nothing else: no inline script or
// style, no frames, no base address.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP is the gate: headers, path, origin, session, role, organisation, and then
// the page.
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
			panic(p) // the server cuts the connection
		}
	}()
	if known {
		s.mux.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), contextKey{}, c)))
	} else if err := c.authorize(Route{For: ForEveryone, Handle: serveUnknown}); err != nil {
		c.fail(err)
	}
}

// visitKey carries the visit through the mux, inside this package.
type contextKey struct{}

func contextOf(r *http.Request) *Context { return r.Context().Value(contextKey{}).(*Context) }

// enterRoute takes the request as the mux has read its path.
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
	return apierr.New(apierr.NotFound, "There is no such page.")
}

// wantsPage tells whether a browser asks, or a program.
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

// pass lets a request through to its page, or says why not.
func (c *Context) authorize(rt Route) (err error) {
	if err := c.origin.Check(c.R); err != nil {
		return apierr.New(apierr.OwnerRoleRequired, "This form was sent from another site, so nothing was done.")
	}
	if c.Session, c.SignedIn, err = c.Accounts.Session(c.R.Context(), c.token(), c.Visitor.IPAddress); err != nil {
		return err
	}
	if id := c.R.PathValue("id"); id != "" && !ident.IsUUID(id) {
		return apierr.Missing()
	}
	if _, err := url.ParseQuery(c.R.URL.RawQuery); err != nil {
		return apierr.New(apierr.InvalidRequest, "The address of this page is malformed behind its question mark. Check it, or go on from the navigation.")
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
		return apierr.New(apierr.OwnerRoleRequired, "You signed in through your organisation, which opens that organisation alone. Sign in to your own account for this.")
	case rt.For == ForUser:
		return c.handleWithRecentProof(rt)
	case c.Session.EndedHere:
		c.Status = http.StatusForbidden
		return c.Show("ended-here", "This session was ended", c.Session.Organisation)
	case c.Session.NeedsFactor:
		c.Status = http.StatusForbidden
		return c.Show("factor-required", "Set up a second factor", c.Session.Organisation)
	case c.Session.Role == "":
		return c.Show("nowhere", "No organisation", c.Session.SignOnNeeded)
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

// ClosedPath is the page of a closed organisation.
const ClosedPath = "/settings/data"

// refuseClosed leads OWNERs of a closed organisation to the page that tells what becomes of it.
func (c *Context) refuseClosed(rt Route) error {
	if rt.Method == http.MethodGet && c.Session.Role.Covers(tenant.Owner) {
		return c.Redirect(ClosedPath)
	}
	return access.RefuseClosed()
}

// passAPI lets a request through to an operation of the API that takes a session.
func (c *Context) authorizeAPI(rt Route) error {
	switch {
	case !c.SignedIn:
		return apierr.New(apierr.Unauthorized, "Sign in to the console first.")
	case c.Session.EndedHere || c.Session.NeedsFactor || c.Session.Role == "":
		return apierr.New(apierr.OwnerRoleRequired, "This session does not open the organisation. Open the console to see why.")
	}
	if err := c.checkPermission(rt); err != nil {
		c.recordRefusal(rt, err)
		return err
	}
	if rt.NeedsRecentProof && !c.Accounts.Fresh(c.Session) {
		return apierr.New(apierr.SignInAgain, "Confirm your sign-in at %s, then send the request again.", ConfirmPath)
	}
	return rt.Handle(c)
}

// doFreshly takes an action, or asks first who is at the browser.
func (c *Context) handleWithRecentProof(rt Route) error {
	if !rt.NeedsRecentProof || c.Accounts.Fresh(c.Session) {
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

// Resume sends a form that was kept while the user proved who is at the browser.
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
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	c.Status, c.Problem = 0, nil
	c.mux.ServeHTTP(c.W, r)
	return nil
}

// boundMay are the actions of a person's own account that a session may take which an organisation's
// identity provider opened. The account belongs to the person, so the provider changes nothing in it.
var boundSessionPaths = []string{"/sign-out", "/switch", ConfirmPath, ConfirmPath + "/continue", ConfirmOrganisationPath}

// entitled holds a request to the role that the page needs, and a form to the
// organisation that it was made for: another tab may have switched meanwhile.
func (c *Context) checkPermission(rt Route) error {
	if !c.permitted(rt) {
		return refused(rt.For)
	}
	if rt.Method != http.MethodGet && !rt.API && c.R.FormValue(OrganisationField) != string(c.Session.Org) {
		return apierr.New(apierr.InvalidState, "This form was made for another organisation than the one that you look at now, so nothing was done. Go back, and check the organisation at the top of the page.")
	}
	return nil
}

// mayUse reports whether the user's role, and the organisation's policy, allow the page.
func (c *Context) permitted(rt Route) bool {
	if rt.For == ForWebhookManager {
		return c.Session.Policy.Policy().ManagesWebhooks(c.Session.Role)
	}
	return c.Session.Role.Covers(rt.For.role())
}

func refused(l Level) error {
	if l == ForWebhookManager {
		return apierr.New(apierr.OwnerRoleRequired, "Webhook endpoints are managed by OWNERs in this organisation. An OWNER can let MEMBERs do it in the settings.")
	}
	if l == ForMember {
		return apierr.New(apierr.ReadOnlyKey, "You can read but not change anything in this organisation.")
	}
	return apierr.New(apierr.OwnerRoleRequired, "This needs the OWNER role in the organisation.")
}

// tellRefusal leaves a trace of an action that the role did not allow, as many a
// minute as the trail takes of one user.
func (c *Context) recordRefusal(rt Route, reason error) {
	state, err := c.Limiter.Take(c.R.Context(), c.RefusalBudget, c.Session.UserID)
	if err == nil && state.Exceeded {
		return
	}
	err = c.Update(func(tx Tx) error {
		return c.Access.Refused(tx, c.Call(), access.Refusal{
			Hub: access.FoundationalHub, Resource: "console", ID: c.ID(), Action: action(rt.Path), Role: c.Session.Role, Reason: reason,
		})
	})
	if err != nil {
		c.Log.Warn("cannot tell of a refusal", "requestId", c.Visitor.RequestID, "error", err)
	}
}

// action is a path as the trail names it, such as settings.keys.revoke.
func action(path string) string {
	words := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "{") })
	return strings.Join(words, ".")
}

// GuardField names the organisation that a form was made for.
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
		c.R.Body = body // a file without a session is not kept
	}
	if err == nil {
		err = c.R.ParseForm()
	}
	if err == nil && parts {
		err = c.readParts(rt)
	}
	var large *http.MaxBytesError
	var told *apierr.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, membudget.ErrExceeded):
		return apierr.New(apierr.Overloaded, "The service is reading as many forms as it can. Send it again in a moment.")
	case asError(err, &large) && !c.SignedIn && rt.For != ForEveryone:
		return nil // to the sign-in page, without what was typed
	case asError(err, &told):
		return err
	case asError(err, &large):
		return apierr.New(apierr.PayloadTooLarge, "This is more than the %d kB that are taken here.", most>>10)
	}
	return apierr.New(apierr.InvalidRequest, "The form cannot be read.")
}

// ReadBody reads the body of an operation of the API, as much of it as a form may have.
func (c *Context) ReadBody() ([]byte, error) {
	body, err := io.ReadAll(c.R.Body)
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return body, nil
	case errors.Is(err, membudget.ErrExceeded):
		return nil, apierr.New(apierr.Overloaded, "The service is reading as many bodies as it can. Send it again in a moment.")
	case asError(err, &large):
		return nil, apierr.New(apierr.PayloadTooLarge, "The body is too large.")
	}
	return nil, apierr.New(apierr.InvalidRequest, "The body cannot be read.").Because(err)
}

// maxForm is how many bytes a form may have.
func (c *Context) maxForm() int64 {
	if c.SignedIn {
		return maxForm
	}
	return maxPublicForm
}

// expected is how many bytes of the body will be kept, as far as its length is announced.
func (c *Context) expected(parts bool) int64 {
	if parts && !c.SignedIn {
		return 0
	}
	return c.R.ContentLength
}

// askToSignIn sends a visitor without a session to the door. What was typed into a
// form is carried along, to be sent again after signing in.
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

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (r *recorder) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.wrote = true
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Call is the request as the trail remembers it.
func (c *Context) Call() tenant.Call {
	return tenant.Call{Principal: c.Session.Principal(), RequestID: c.Visitor.RequestID, IPAddress: c.Visitor.IPAddress}
}
