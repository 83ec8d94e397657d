package api

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	requestIDHeader    = "X-Request-Id"
	maxRequestIDLength = 128
)

// budgetName says which of the budgets an operation is counted against.
type budgetName int

const (
	standard budgetName = iota
	ai
	unmetered
)

// route is what the gate asks of a request before its operation sees it. The zero
// value is the closed one: a key, and nothing that a VIEWER may not do.
type route struct {
	name    string
	role    tenant.Role // VIEWER when empty
	scope   access.Need
	manage  bool   // changes webhook endpoints or shows their secrets, which the policy may leave to OWNERs
	hub     string // must be enabled; empty for none
	budget  budgetName
	public  bool // needs no key
	feed    bool // takes the token of a calendar feed, and no key
	session bool // takes a session of the console, which answers; keys are refused

	endless bool // the answer ends with the connection, so its time says nothing
	step    step // what the trail tells of a refusal for the role; the empty one is not told
}

// passedKey carries what the gate has let through to the operation, inside this package.
type passedKey struct{}

// passed is a call, whose key made it, the Hubs of its organisation, and the server that it
// has reached.
type passed struct {
	call   tenant.Call
	holder access.Holder
	hubs   access.StoredHubs
	server *Server
	claim  *membudget.Claim // on the memory of request bodies
	note   *logNote
}

func passedOf(ctx context.Context) passed {
	p, _ := ctx.Value(passedKey{}).(passed)
	return p
}

// ServeHTTP is the gate: request id, key, budget, path, role, Hub, and then the operation.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.Now()
	id := s.requestID(r)
	w.Header().Set(requestIDHeader, id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	rec := &recorder{ResponseWriter: w, status: http.StatusOK}
	note := &logNote{}
	_, pattern := s.mux.Handler(r)
	rt, known := s.routes[pattern]
	known = known && clean(r.URL)
	defer func() {
		p := recover()
		if p != nil && p != http.ErrAbortHandler {
			s.Log.ErrorContext(r.Context(), "panic", "requestId", id, "panic", p, "stack", string(debug.Stack()))
			if !rec.wrote {
				s.writeProblem(rec, r, fmt.Errorf("panic: %v", p))
			}
		}
		took := s.Now().Sub(began)
		if !rt.endless {
			s.Observe(r.Context(), rt.name, rec.status, took)
		}
		s.logRequest(r, note, slog.String("requestId", id), slog.String("method", r.Method),
			slog.String("path", r.URL.Path), slog.Int("status", rec.status), slog.Int64("ms", took.Milliseconds()), slog.String("ip", clientaddr.Of(r)))
		if p == http.ErrAbortHandler {
			panic(p) // the server cuts the connection
		}
	}()
	if err := s.pass(rec, r, rt, known, note); err != nil {
		s.writeProblem(rec, r, err)
	}
}

func (s *Server) pass(w http.ResponseWriter, r *http.Request, rt route, known bool, note *logNote) (err error) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		return apierr.New(apierr.NotFound, "There is no such path.")
	}
	claim := s.Bodies.Claim(membudget.Public)
	defer func() { claim.Release() }()
	through := passed{server: s, note: note, call: tenant.Call{RequestID: w.Header().Get(requestIDHeader), IPAddress: clientaddr.Of(r)}}
	if !known || rt.budget != unmetered {
		holder, err := s.admit(w, r, rt, known)
		if err != nil {
			return err
		}
		through.call.Principal, through.holder, through.hubs = holder.Principal(), holder, holder.Hubs
		note.caller = through.call.Principal
		if holder.Org != "" {
			claim = s.Bodies.Claim(membudget.Authenticated)
		}
		if !known {
			return s.unknown(w, r)
		}
		if !rt.public {
			if err := entitled(rt, holder); err != nil {
				s.noteRefusal(r, rt, through.call, err)
				return err
			}
		}
	}
	if err := checkQuery(r.URL.RawQuery); err != nil {
		return err
	}
	if through.claim = claim; rt.budget != unmetered {
		if claim.Expect(r.ContentLength) != nil {
			note.reason = outOfMemory
			return overloaded()
		}
		r.Body = claim.Body(r.Body)
	}
	s.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), passedKey{}, through)))
	if claim.Refused() {
		note.reason = outOfMemory
	}
	return nil
}

// admit finds out who asks and takes the request from the right budget.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, rt route, known bool) (access.Holder, error) {
	holder, found, err := s.holder(r, rt)
	switch {
	case err != nil:
		return holder, err
	case found && !holder.Addresses.Allow(clientaddr.Endpoint(r).Addr()):
		return holder, s.refuseAddress(w, r, holder)
	case found:
		if !rt.feed {
			s.noteUse(holder, clientaddr.Of(r))
		}
		budget := s.Budgets.Standard
		if rt.budget == ai {
			budget = s.Budgets.AI
		}
		return holder, s.take(w, r, budget, string(holder.Org))
	case known && rt.public:
		return holder, s.take(w, r, s.Budgets.Public, clientaddr.Group(clientaddr.Of(r)))
	}
	if err := s.take(w, r, s.Budgets.Refused, clientaddr.Group(clientaddr.Of(r))); err != nil {
		return holder, err
	}
	if rt.feed {
		return holder, apierr.New(apierr.Unauthorized, "The address of this calendar is not valid, or no longer; POST /api/deadlines/feed makes a new one.")
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="tidewaiter"`)
	return holder, apierr.New(apierr.Unauthorized, "Send a valid API key as Authorization: Bearer svc_….")
}

func (s *Server) holder(r *http.Request, rt route) (access.Holder, bool, error) {
	if rt.feed {
		token := r.URL.Query()["token"]
		if len(token) != 1 || !access.WellformedFeed(token[0]) {
			return access.Holder{}, false, nil
		}
		return s.Store.FeedByHash(r.Context(), access.Hash(token[0]))
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || !access.Wellformed(secret) {
		return access.Holder{}, false, nil
	}
	return s.Store.KeyByHash(r.Context(), access.Hash(secret))
}

// useInterval is how often the last use of a key is written, at most.
const useInterval = time.Minute

// noteUse writes the last use of a key, beside the request.
func (s *Server) noteUse(h access.Holder, ip string) {
	if s.Now().Sub(h.LastUsedAt) < useInterval {
		return
	}
	if _, busy := s.noting.LoadOrStore(h.KeyID, true); busy {
		return
	}
	go func() {
		defer s.noting.Delete(h.KeyID)
		err := s.Store.Update(context.Background(), h.Org, func(tx Tx) error { return tx.NoteKeyUse(h.KeyID, ip) })
		if err != nil {
			s.Log.Warn("cannot note the use of a key", "keyId", h.KeyID, "error", err)
		}
	}()
}

// take counts the request and tells the caller what is left. A counter that does
// not answer lets the request pass: a limit is no reason to lose a filing.
func (s *Server) take(w http.ResponseWriter, r *http.Request, b ratelimit.Budget, subject string) error {
	if b.Requests == 0 {
		return nil
	}
	state, err := s.Limiter.Take(r.Context(), b, subject)
	if err != nil {
		s.Log.WarnContext(r.Context(), "cannot count a request", "budget", b.Name, "error", err)
		return nil
	}
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(state.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(state.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(float64(state.Reset.UnixMilli())/1000)), 10))
	if !state.Exceeded {
		return nil
	}
	wait := int(math.Ceil(state.Reset.Sub(s.Now()).Seconds()))
	h.Set("Retry-After", strconv.Itoa(max(1, wait)))
	return apierr.New(apierr.RateLimited, "The budget of %d requests is used up; it is whole again in %d s.", b.Requests, max(1, wait))
}

// clean tells whether a path is written as the document writes it: the library would
// send a caller with /api//clients elsewhere, in no form that the document knows.
func clean(u *url.URL) bool { return path.Clean(u.EscapedPath()) == u.EscapedPath() }

// unknown answers a path that is none, and a method that the path has not got.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	if !clean(r.URL) {
		return apierr.New(apierr.NotFound, "There is no such path.")
	}
	for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
		probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := s.mux.Handler(probe); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		return apierr.New(apierr.NotFound, "There is no such path.")
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return apierr.New(apierr.MethodNotAllowed, "This path takes %s, not %s.", strings.Join(allowed, ", "), r.Method)
}

func entitled(rt route, h access.Holder) error {
	p, hubs := h.Principal(), h.Hubs
	switch {
	case rt.role != "" && !p.Role.Covers(tenant.Member):
		return apierr.New(apierr.ReadOnlyKey, "This key can read but not change anything.")
	case rt.role != "" && !p.Role.Covers(rt.role):
		return apierr.New(apierr.OwnerRoleRequired, "This operation needs the OWNER role.")
	case rt.manage && !h.Policy.Policy().ManagesWebhooks(p.Role):
		return apierr.New(apierr.OwnerRoleRequired, "Webhook endpoints are managed by OWNERs in this organisation. An OWNER can let MEMBERs do it in the settings.")
	case !rt.feed && !rt.scope.MetBy(h.Scopes):
		return apierr.New(apierr.ScopeRequired, "This operation needs a key with the scope %s.", rt.scope)
	case rt.hub != "" && !hubs.Has(rt.hub):
		return apierr.New(apierr.HubNotEnabled, "The Hub %s is not enabled; POST /api/hubs/%s enables it.", rt.hub, rt.hub)
	}
	return nil
}

// Identified gives a handler beside the API the request id that every answer has.
func (s *Server) Identified(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(requestIDHeader, s.requestID(r))
		h(w, r)
	}
}

func (s *Server) requestID(r *http.Request) string {
	id := r.Header.Get(requestIDHeader)
	if id == "" || len(id) > maxRequestIDLength || strings.ContainsFunc(id, func(c rune) bool {
		return !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || slices.Contains([]rune("._-"), c))
	}) {
		return s.IDs.UUID()
	}
	return id
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (r *recorder) WriteHeader(status int) {
	if r.wrote {
		return
	}
	r.status, r.wrote = status, true
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	r.wrote = true
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
