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
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

const (
	requestIDHeader    = "X-Request-Id"
	maxRequestIDLength = 128
)

// budgetName selects the rate limit that an operation is counted against.
type budgetName int

const (
	standard budgetName = iota
	ai
	uncounted // needs a key, but counts against no rate limit
	unmetered
)

// route is what ServeHTTP requires of a request before its operation runs. The zero value is the
// strictest: it needs a key and allows only what a VIEWER may do.
type route struct {
	name            string
	role            tenant.Role // minimum role; VIEWER if empty
	scope           access.Need
	managesWebhooks bool   // manages webhook endpoints, which the organisation's policy may restrict to OWNERs
	hub             string // Hub that must be enabled; empty for none
	budget          budgetName
	public          bool // needs no key
	publicBudget    bool // counts against the public budget also with a key
	feed            bool // needs the token of a calendar feed instead of a key
	session         bool // needs a console session and is answered by the console; keys are refused

	endless       bool          // the response ends with the connection; its duration is not measured
	batch         batch.Rule    // how the operation may be part of a batch
	refusedAction auditedAction // named in the audit event about a refusal; empty for no event
	deprecated    *deprecation  // headers of an operation that will be removed; nil for none
}

// requestInfoKey is the context key of passed.
type requestInfoKey struct{}

// requestInfo is what ServeHTTP knows about a request when its operation runs.
type requestInfo struct {
	call   tenant.Call
	holder access.Holder
	hubs   access.StoredHubs
	server *Server
	claim  *membudget.Claim // on the memory for request bodies
	note   *logNote
}

func requestInfoOf(ctx context.Context) requestInfo {
	p, _ := ctx.Value(requestInfoKey{}).(requestInfo)
	return p
}

// ServeHTTP handles a request in this order: request ID, key, rate limit, path, role, Hub, operation.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.Now()
	id := s.requestID(r)
	w.Header().Set(requestIDHeader, id)
	w.Header().Set(ModeHeader, string(s.Mode))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	out := &encoder{ResponseWriter: w, request: r}
	rec := &recorder{ResponseWriter: out, status: http.StatusOK}
	note := &logNote{}
	_, pattern := s.mux.Handler(r)
	rt, known := s.routes[pattern]
	known = known && isCleanPath(r.URL)
	if known {
		rt.deprecated.announce(w.Header())
	}
	defer func() {
		p := recover()
		partial := p != nil && rec.wrote
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
		if batchRowOf(r.Context()) != nil && rec.status < http.StatusInternalServerError {
			return // its batch was logged, and its result is stored
		}
		s.logRequest(r, note, slog.String("requestId", id), slog.String("method", r.Method),
			slog.String("path", r.URL.Path), slog.Int("status", rec.status), slog.Int64("ms", took.Milliseconds()), slog.String("ip", clientaddr.Of(r)))
		if !partial {
			out.end()
		}
		if p == http.ErrAbortHandler {
			panic(p) // the server cuts the connection
		}
	}()
	if err := s.dispatch(rec, r, rt, known, note); err != nil {
		s.writeProblem(rec, r, err)
	}
}

func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, rt route, known bool, note *logNote) (err error) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		return apierr.New(apierr.NotFound, "This path does not exist.")
	}
	claim := s.Bodies.Claim(membudget.Public)
	defer func() { claim.Release() }()
	info := requestInfo{server: s, note: note, call: tenant.Call{RequestID: w.Header().Get(requestIDHeader), IPAddress: clientaddr.Of(r)}}
	if !known || rt.budget != unmetered {
		holder, err := s.authenticate(w, r, rt, known)
		if err != nil {
			return err
		}
		info.call.Principal, info.holder, info.hubs = holder.Principal(), holder, holder.Hubs
		note.caller = info.call.Principal
		if holder.Org != "" {
			claim = s.Bodies.Claim(membudget.Authenticated)
		}
		if !known {
			return s.unknownPath(w, r)
		}
		if !rt.public {
			if err := authorize(rt, holder); err != nil {
				s.auditRefusal(r, rt, info.call, err)
				return err
			}
		}
	}
	if err := checkQuery(r.URL.RawQuery); err != nil {
		return err
	}
	if info.claim = claim; rt.budget != unmetered {
		if claim.Expect(r.ContentLength) != nil {
			note.reason = outOfMemory
			return overloaded()
		}
		r.Body = claim.Body(r.Body)
	}
	s.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestInfoKey{}, info)))
	if claim.Refused() {
		note.reason = outOfMemory
	}
	return nil
}

// authenticate authenticates the request and counts it against the right rate limit.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request, rt route, known bool) (access.Holder, error) {
	if row := batchRowOf(r.Context()); row != nil {
		return s.authenticateRow(r, row)
	}
	holder, found, err := s.findHolder(r, rt)
	switch {
	case err != nil:
		return holder, err
	case found && !holder.Addresses.Allow(clientaddr.Endpoint(r).Addr()):
		w.Header().Set(ModeHeader, string(s.modeOf(holder)))
		return holder, s.refuseAddress(w, r, holder)
	case found:
		w.Header().Set(ModeHeader, string(s.modeOf(holder)))
		if !rt.feed {
			s.recordKeyUse(holder, clientaddr.Of(r))
		}
		budget := s.Budgets.Standard
		if rt.budget == ai {
			budget = s.Budgets.AI
		}
		if rt.publicBudget {
			return holder, s.takeRateLimit(w, r, s.Budgets.Public, clientaddr.Group(clientaddr.Of(r)))
		}
		if rt.budget == uncounted {
			return holder, s.showRateLimit(w, r, budget, string(holder.Org))
		}
		return holder, s.takeRateLimit(w, r, budget, string(holder.Org))
	case known && rt.public:
		return holder, s.takeRateLimit(w, r, s.Budgets.Public, clientaddr.Group(clientaddr.Of(r)))
	}
	if err := s.takeRateLimit(w, r, s.Budgets.Refused, clientaddr.Group(clientaddr.Of(r))); err != nil {
		return holder, err
	}
	if rt.feed {
		return holder, apierr.New(apierr.Unauthorized, "The address of this calendar is not valid or has been replaced. POST /api/deadlines/feed creates a new one.")
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="tidewaiter"`)
	return holder, apierr.New(apierr.Unauthorized, "Send a valid API key as Authorization: Bearer svc_….")
}

func (s *Server) findHolder(r *http.Request, rt route) (access.Holder, bool, error) {
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

// useInterval is the minimum time between two writes of a key's last use.
const useInterval = time.Minute

// recordKeyUse writes the last use of a key in the background.
func (s *Server) recordKeyUse(h access.Holder, ip string) {
	if s.Now().Sub(h.LastUsedAt) < useInterval {
		return
	}
	if _, busy := s.writingKeyUse.LoadOrStore(h.KeyID, true); !busy {
		go s.writeKeyUse(h.Org, h.KeyID, ip)
	}
}

func (s *Server) writeKeyUse(org tenant.ID, keyID, ip string) {
	defer s.writingKeyUse.Delete(keyID)
	err := s.Store.Update(context.Background(), org, func(tx Tx) error { return tx.RecordKeyUse(keyID, ip) })
	if err != nil {
		s.Log.Warn("cannot record the use of a key", "keyId", keyID, "error", err)
	}
}

// takeRateLimit counts the request and sets the rate limit headers. If the counter fails, the request is
// allowed: a broken rate limit must not stop a filing.
func (s *Server) takeRateLimit(w http.ResponseWriter, r *http.Request, b ratelimit.Budget, subject string) error {
	if b.Requests == 0 {
		return nil
	}
	state, err := s.Limiter.Take(r.Context(), b, subject)
	if err != nil {
		s.Log.WarnContext(r.Context(), "cannot count a request", "budget", b.Name, "error", err)
		return nil
	}
	h := w.Header()
	setRateLimit(h, state)
	if !state.Exceeded {
		return nil
	}
	wait := int(math.Ceil(state.Reset.Sub(s.Now()).Seconds()))
	h.Set("Retry-After", strconv.Itoa(max(1, wait)))
	return apierr.New(apierr.RateLimited, "Rate limit of %d requests exceeded. Retry in %d s.", b.Requests, max(1, wait))
}

// showRateLimit sets the rate limit headers without counting the request.
func (s *Server) showRateLimit(w http.ResponseWriter, r *http.Request, b ratelimit.Budget, subject string) error {
	if b.Requests == 0 {
		return nil
	}
	state, err := s.Limiter.Look(r.Context(), b, subject)
	if err != nil {
		s.Log.WarnContext(r.Context(), "cannot read a rate limit", "budget", b.Name, "error", err)
		return nil
	}
	setRateLimit(w.Header(), state)
	return nil
}

func setRateLimit(h http.Header, state ratelimit.State) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(state.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(state.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(resetOf(state), 10))
}

// resetOf returns the end of a rate limit's window in Unix seconds, rounded up.
func resetOf(state ratelimit.State) int64 {
	return int64(math.Ceil(float64(state.Reset.UnixMilli()) / 1000))
}

// isCleanPath reports whether a path is in canonical form. Otherwise http.ServeMux would redirect
// /api//clients, and the OpenAPI document has no redirects.
func isCleanPath(u *url.URL) bool { return path.Clean(u.EscapedPath()) == u.EscapedPath() }

// unknownPath returns the error for an unknown path, or for a method that the path does not support.
func (s *Server) unknownPath(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	if !isCleanPath(r.URL) {
		return apierr.New(apierr.NotFound, "This path does not exist.")
	}
	for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
		probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := s.mux.Handler(probe); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		return apierr.New(apierr.NotFound, "This path does not exist.")
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return apierr.New(apierr.MethodNotAllowed, "This path supports %s, not %s.", strings.Join(allowed, ", "), r.Method)
}

func authorize(rt route, h access.Holder) error {
	p, hubs := h.Principal(), h.Hubs
	switch {
	case rt.role != "" && !p.Role.Covers(tenant.Member):
		return apierr.New(apierr.ReadOnlyKey, "This key can read but not change anything.")
	case rt.role != "" && !p.Role.Covers(rt.role):
		return apierr.New(apierr.OwnerRoleRequired, "This operation needs the OWNER role.")
	case rt.managesWebhooks && !h.Policy.Policy().ManagesWebhooks(p.Role):
		return apierr.New(apierr.OwnerRoleRequired, "In this organisation only OWNERs manage webhook endpoints. An OWNER can allow MEMBERs to do so in the settings.")
	case !rt.feed && !rt.scope.MetBy(h.Scopes):
		return apierr.New(apierr.ScopeRequired, "This operation needs a key with the scope %s.", rt.scope)
	case rt.hub != "" && !hubs.Has(rt.hub):
		return apierr.New(apierr.HubNotEnabled, "The Hub %s is not enabled. POST /api/hubs/%s enables it.", rt.hub, rt.hub)
	}
	return nil
}

// WithRequestID sets the X-Request-Id header for a handler outside of the API.
func (s *Server) WithRequestID(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(requestIDHeader, s.requestID(r))
		w.Header().Set(ModeHeader, string(s.Mode))
		h(w, r)
	}
}

func (s *Server) requestID(r *http.Request) string {
	if row := batchRowOf(r.Context()); row != nil {
		return row.requestID()
	}
	id := r.Header.Get(requestIDHeader)
	if id == "" || len(id) > maxRequestIDLength || strings.ContainsFunc(id, func(c rune) bool {
		return !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || slices.Contains([]rune("._-"), c))
	}) {
		return s.IDs.UUID()
	}
	return id
}

// recorder records the status of the response.
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

// Unwrap gives http.ResponseController access to the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
