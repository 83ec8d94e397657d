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
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP is the gate: headers, path, origin, session, role, organisation, and then
// the page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.Now()
	rec := &recorder{ResponseWriter: w, status: http.StatusOK}
	_, pattern := s.mux.Handler(r)
	_, known := s.byName[pattern]
	if !known && !wantsPage(r) && !strings.HasPrefix(r.URL.Path, assetPath) {
		s.Otherwise.ServeHTTP(w, r)
		return
	}
	v := &Visit{Site: s, W: rec, R: r, Label: s.labelOf, Visitor: access.Visitor{RequestID: s.IDs.UUID(), IPAddress: clientaddr.Of(r), UserAgent: r.UserAgent(), Browser: s.browser(r)}}
	s.harden(rec.Header(), v.Visitor.RequestID)
	defer func() {
		p := recover()
		if p != nil && p != http.ErrAbortHandler {
			s.Log.ErrorContext(r.Context(), "panic", "requestId", v.Visitor.RequestID, "panic", p, "stack", string(debug.Stack()))
			if !rec.wrote {
				v.fail(fmt.Errorf("panic: %v", p))
			}
		}
		took := s.Now().Sub(began)
		s.Observe(r.Context(), "console "+pattern, rec.status, took)
		v.logPage(slog.String("requestId", v.Visitor.RequestID), slog.String("page", pattern),
			slog.Int("status", rec.status), slog.Int64("ms", took.Milliseconds()), slog.String("ip", v.Visitor.IPAddress))
		if p == http.ErrAbortHandler {
			panic(p) // the server cuts the connection
		}
	}()
	if known {
		s.mux.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
	} else if err := v.pass(Route{For: ForAnybody, Do: noPage}); err != nil {
		v.fail(err)
	}
}

// visitKey carries the visit through the mux, inside this package.
type visitKey struct{}

func visitOf(r *http.Request) *Visit { return r.Context().Value(visitKey{}).(*Visit) }

// enterRoute takes the request as the mux has read its path.
func (v *Visit) enterRoute(r *http.Request, rt Route) {
	v.R, v.api = r, rt.API
	if err := v.pass(rt); err != nil {
		v.fail(err)
	}
}

func noPage(v *Visit) error {
	if strings.HasPrefix(v.R.URL.Path, assetPath) {
		return v.serveAsset()
	}
	return apierr.New(apierr.NotFound, "There is no such page.")
}

// wantsPage tells whether a browser asks, or a program.
func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

func (s *Site) harden(h http.Header, requestID string) {
	h.Set(requestIDHeader, requestID)
	h.Set("Content-Security-Policy", policy)
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
func (v *Visit) pass(rt Route) (err error) {
	if err := v.origin.Check(v.R); err != nil {
		return apierr.New(apierr.OwnerRoleRequired, "This form was sent from another site, so nothing was done.")
	}
	if v.Session, v.SignedIn, err = v.Accounts.Session(v.R.Context(), v.token(), v.Visitor.IPAddress); err != nil {
		return err
	}
	if id := v.R.PathValue("id"); id != "" && !ident.IsUUID(id) {
		return apierr.Missing()
	}
	if _, err := url.ParseQuery(v.R.URL.RawQuery); err != nil {
		return apierr.New(apierr.InvalidRequest, "The address of this page is malformed behind its question mark. Check it, or go on from the navigation.")
	}
	share := membudget.Public
	if v.SignedIn {
		share = membudget.Authenticated
	}
	v.claim = v.Bodies.Claim(share)
	defer v.claim.Release()
	if err := v.readForm(rt); err != nil {
		return err
	}
	switch {
	case rt.For == ForAnybody:
		return rt.Do(v)
	case rt.API:
		return v.passAPI(rt)
	case !v.SignedIn:
		return v.askToSignIn()
	case rt.For == ForUser && v.Session.BoundOrg != "" && !slices.Contains(boundMay, rt.Path):
		return apierr.New(apierr.OwnerRoleRequired, "You signed in through your organisation, which opens that organisation alone. Sign in to your own account for this.")
	case rt.For == ForUser:
		return v.doFreshly(rt)
	case v.Session.EndedHere:
		v.Status = http.StatusForbidden
		return v.Show("ended-here", "This session was ended", v.Session.Organisation)
	case v.Session.NeedsFactor:
		v.Status = http.StatusForbidden
		return v.Show("factor-required", "Set up a second factor", v.Session.Organisation)
	case v.Session.Role == "":
		return v.Show("nowhere", "No organisation", v.Session.SignOnNeeded)
	case v.Session.Closing.Closed() && !rt.Closed:
		return v.refuseClosed(rt)
	}
	if err := v.entitled(rt); err != nil {
		if rt.Method != http.MethodGet && !v.mayUse(rt) {
			v.tellRefusal(rt, err)
		}
		return err
	}
	return v.doFreshly(rt)
}

// ClosedPath is the page of a closed organisation.
const ClosedPath = "/settings/data"

// refuseClosed leads OWNERs of a closed organisation to the page that tells what becomes of it.
func (v *Visit) refuseClosed(rt Route) error {
	if rt.Method == http.MethodGet && v.Session.Role.Covers(tenant.Owner) {
		return v.Done(ClosedPath, "")
	}
	return access.RefuseClosed()
}

// passAPI lets a request through to an operation of the API that takes a session.
func (v *Visit) passAPI(rt Route) error {
	switch {
	case !v.SignedIn:
		return apierr.New(apierr.Unauthorized, "Sign in to the console first.")
	case v.Session.EndedHere || v.Session.NeedsFactor || v.Session.Role == "":
		return apierr.New(apierr.OwnerRoleRequired, "This session does not open the organisation. Open the console to see why.")
	}
	if err := v.entitled(rt); err != nil {
		v.tellRefusal(rt, err)
		return err
	}
	if rt.Fresh && !v.Accounts.Fresh(v.Session) {
		return apierr.New(apierr.SignInAgain, "Confirm your sign-in at %s, then send the request again.", ConfirmPath)
	}
	return rt.Do(v)
}

// doFreshly takes an action, or asks first who is at the browser.
func (v *Visit) doFreshly(rt Route) error {
	if !rt.Fresh || v.Accounts.Fresh(v.Session) {
		return rt.Do(v)
	}
	next := v.R.URL.RequestURI()
	if rt.Method == http.MethodGet {
		http.Redirect(v.W, v.R, ConfirmPath+"?next="+url.QueryEscape(next), http.StatusSeeOther)
		return nil
	}
	v.Status = http.StatusForbidden
	return v.Confirm(v, next, v.kept())
}

// Resume sends a form that was kept while the user proved who is at the browser.
func (v *Visit) Resume(next string, kept []Kept) error {
	to, err := url.Parse(Local(next))
	if err != nil {
		return apierr.New(apierr.InvalidRequest, "The form cannot be sent again. Fill it in once more.")
	}
	form := url.Values{}
	for _, k := range kept {
		form.Add(k.Name, k.Value)
	}
	r := v.R.Clone(v.R.Context())
	r.Method, r.URL, r.RequestURI, r.PostForm, r.Form, r.MultipartForm, r.Body = http.MethodPost, to, next, form, nil, nil, http.NoBody
	if _, pattern := v.mux.Handler(r); pattern == "" {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	v.Status, v.Problem = 0, nil
	v.mux.ServeHTTP(v.W, r)
	return nil
}

// boundMay are the actions of a person's own account that a session may take which an organisation's
// identity provider opened. The account belongs to the person, so the provider changes nothing in it.
var boundMay = []string{"/sign-out", "/switch", ConfirmPath, ConfirmPath + "/continue", ConfirmOrganisationPath}

// entitled holds a request to the role that the page needs, and a form to the
// organisation that it was made for: another tab may have switched meanwhile.
func (v *Visit) entitled(rt Route) error {
	if !v.mayUse(rt) {
		return refused(rt.For)
	}
	if rt.Method != http.MethodGet && !rt.API && v.R.FormValue(GuardField) != string(v.Session.Org) {
		return apierr.New(apierr.InvalidState, "This form was made for another organisation than the one that you look at now, so nothing was done. Go back, and check the organisation at the top of the page.")
	}
	return nil
}

// mayUse reports whether the user's role, and the organisation's policy, allow the page.
func (v *Visit) mayUse(rt Route) bool {
	if rt.For == ForWebhookManager {
		return v.Session.Policy.Policy().ManagesWebhooks(v.Session.Role)
	}
	return v.Session.Role.Covers(rt.For.role())
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
func (v *Visit) tellRefusal(rt Route, reason error) {
	state, err := v.Limiter.Take(v.R.Context(), v.Noted, v.Session.UserID)
	if err == nil && state.Exceeded {
		return
	}
	err = v.Update(func(tx Tx) error {
		return v.Access.Refused(tx, v.Call(), access.Refusal{
			Hub: access.FoundationalHub, Resource: "console", ID: v.ID(), Action: action(rt.Path), Role: v.Session.Role, Reason: reason,
		})
	})
	if err != nil {
		v.Log.Warn("cannot tell of a refusal", "requestId", v.Visitor.RequestID, "error", err)
	}
}

// action is a path as the trail names it, such as settings.keys.revoke.
func action(path string) string {
	words := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "{") })
	return strings.Join(words, ".")
}

// GuardField names the organisation that a form was made for.
const GuardField = "organisation-id"

func (v *Visit) readForm(rt Route) error {
	if v.R.Method == http.MethodGet || v.R.Method == http.MethodHead {
		return nil
	}
	parts := rt.Upload > 0 && strings.HasPrefix(v.R.Header.Get("Content-Type"), "multipart/form-data")
	most := v.maxForm()
	if parts {
		most = max(most, rt.Upload)
	}
	body := http.MaxBytesReader(v.W, v.R.Body, most)
	err := v.claim.Expect(v.expected(parts))
	if v.R.Body = v.claim.Body(body); parts && !v.SignedIn {
		v.R.Body = body // a file without a session is not kept
	}
	if err == nil {
		err = v.R.ParseForm()
	}
	if err == nil && parts {
		err = v.readParts(rt)
	}
	var large *http.MaxBytesError
	var told *apierr.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, membudget.ErrExceeded):
		return apierr.New(apierr.Overloaded, "The service is reading as many forms as it can. Send it again in a moment.")
	case asError(err, &large) && !v.SignedIn && rt.For != ForAnybody:
		return nil // to the sign-in page, without what was typed
	case asError(err, &told):
		return err
	case asError(err, &large):
		return apierr.New(apierr.PayloadTooLarge, "This is more than the %d kB that are taken here.", most>>10)
	}
	return apierr.New(apierr.InvalidRequest, "The form cannot be read.")
}

// ReadBody reads the body of an operation of the API, as much of it as a form may have.
func (v *Visit) ReadBody() ([]byte, error) {
	body, err := io.ReadAll(v.R.Body)
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
func (v *Visit) maxForm() int64 {
	if v.SignedIn {
		return maxForm
	}
	return maxPublicForm
}

// expected is how many bytes of the body will be kept, as far as its length is announced.
func (v *Visit) expected(parts bool) int64 {
	if parts && !v.SignedIn {
		return 0
	}
	return v.R.ContentLength
}

// askToSignIn sends a visitor without a session to the door. What was typed into a
// form is carried along, to be sent again after signing in.
func (v *Visit) askToSignIn() error {
	next := v.R.URL.RequestURI()
	if v.R.Method == http.MethodGet || v.R.Method == http.MethodHead {
		if next == "/" {
			next = ""
		} else {
			next = "?next=" + url.QueryEscape(next)
		}
		http.Redirect(v.W, v.R, "/sign-in"+next, http.StatusSeeOther)
		return nil
	}
	v.Status = http.StatusUnauthorized
	return v.Door(v, next, v.kept())
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
func (v *Visit) Call() tenant.Call {
	return tenant.Call{Principal: v.Session.Principal(), RequestID: v.Visitor.RequestID, IPAddress: v.Visitor.IPAddress}
}
