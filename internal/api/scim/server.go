// Package scim is the HTTP side of SCIM 2.0 (RFC 7644) below /api/scim/v2. It has shapes and errors of
// its own and is no part of the OpenAPI document.
package scim

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Path is where SCIM is.
const Path = "/api/scim/v2"

const (
	mediaType = "application/scim+json"
	maxBody   = 1 << 20 // bytes of a request
	maxCount  = 200     // resources of one answer
	usual     = 100     // resources of an answer unless the request says
)

// Server answers SCIM requests. PublicURL is the address in the location of resources.
type Server struct {
	Service   *scim.Service
	IDs       *ident.Source
	Limiter   ratelimit.Limiter
	Bodies    *membudget.Budget // memory of request bodies; nil for no limit
	Standard  ratelimit.Budget  // per organisation
	Refused   ratelimit.Budget  // per address, for 401
	Log       *slog.Logger
	PublicURL string
	Observe   func(ctx context.Context, operation string, status int, took time.Duration)
	Now       func() time.Time
}

// request is one call of a provider.
type request struct {
	*http.Request
	call tenant.Call
	base string
}

// answer is what a handler gives back: a status, and a body unless it is nil.
type answer struct {
	status int
	body   any
}

type handler func(*request) (answer, error)

// Handler routes the requests below Path.
func (s *Server) Handler() http.Handler {
	routes := map[string]handler{
		"GET /ServiceProviderConfig": s.config, "GET /Schemas": s.schemas, "GET /Schemas/{id}": s.schema,
		"GET /ResourceTypes": s.resourceTypes, "GET /ResourceTypes/{id}": s.resourceType,
		"GET /Users": s.listUsers, "POST /Users": s.createUser, "GET /Users/{id}": s.getUser, "PUT /Users/{id}": s.replaceUser,
		"PATCH /Users/{id}": s.patchUser, "DELETE /Users/{id}": s.deleteUser,
		"GET /Groups": s.listGroups, "POST /Groups": s.createGroup, "GET /Groups/{id}": s.getGroup, "PUT /Groups/{id}": s.replaceGroup,
		"PATCH /Groups/{id}": s.patchGroup, "DELETE /Groups/{id}": s.deleteGroup,
		"POST /Users/.search": s.search, "POST /Groups/.search": s.search,
	}
	mux := http.NewServeMux()
	for pattern, do := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+Path+path, s.serve(pattern, do))
	}
	mux.HandleFunc("/", s.serve("unknown", func(*request) (answer, error) {
		return answer{}, scim.Refuse(http.StatusNotFound, "", "There is no such resource.")
	}))
	return mux
}

func (s *Server) serve(operation string, do handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began, id := s.Now(), s.IDs.UUID()
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		org, out, err := s.admit(w, r, id, do)
		if err != nil {
			out = s.failure(w, r, id, err)
		}
		s.write(w, out)
		took := s.Now().Sub(began)
		s.Observe(r.Context(), "scim "+operation, out.status, took)
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "scim", slog.String("requestId", id), slog.String("operation", operation),
			slog.String("organisation", string(org)), slog.Int("status", out.status), slog.Int64("ms", took.Milliseconds()))
	}
}

// admit checks the token before it reads a byte of the body, and has the request done for the token's
// organisation.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, id string, do handler) (org tenant.ID, out answer, err error) {
	ip := clientaddr.Of(r)
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	org, known, err := s.Service.ByToken(r.Context(), strings.TrimSpace(token))
	switch {
	case err != nil:
		return "", answer{}, err
	case !known:
		return "", answer{}, s.refuseToken(w, r, ip)
	}
	if s.Standard.Requests > 0 {
		if state, err := s.Limiter.Take(r.Context(), s.Standard, string(org)); err == nil && state.Exceeded {
			return org, answer{}, s.tooMany(w, state)
		}
	}
	claim := s.Bodies.Claim(membudget.Authenticated)
	defer claim.Release()
	if err := claim.Expect(r.ContentLength); err != nil {
		return org, answer{}, err
	}
	r.Body = http.MaxBytesReader(w, claim.Body(r.Body), maxBody)
	call := tenant.Call{Principal: tenant.System(org), RequestID: id, IPAddress: ip}
	out, err = do(&request{r, call, strings.TrimRight(s.PublicURL, "/") + Path})
	return org, out, err
}

func (s *Server) refuseToken(w http.ResponseWriter, r *http.Request, ip string) error {
	if state, err := s.Limiter.Take(r.Context(), s.Refused, clientaddr.Group(ip)); err == nil && state.Exceeded {
		return s.tooMany(w, state)
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="SCIM"`)
	return scim.Refuse(http.StatusUnauthorized, "", "The SCIM token is missing, unknown or was replaced.")
}

func (s *Server) tooMany(w http.ResponseWriter, state ratelimit.State) error {
	wait := max(1, int(state.Reset.Sub(s.Now()).Seconds())+1)
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	return scim.Refuse(http.StatusTooManyRequests, "", "Rate limit exceeded. Retry in "+strconv.Itoa(wait)+" s.")
}

// failure is an error in SCIM's shape. What is not the caller's fault is logged and not shown.
func (s *Server) failure(w http.ResponseWriter, r *http.Request, id string, err error) answer {
	var refusal *scim.Error
	var large *http.MaxBytesError
	switch f, told := apierr.As(err); {
	case errors.As(err, &refusal):
	case errors.As(err, &large):
		refusal = scim.Refuse(http.StatusRequestEntityTooLarge, "", "The body has more than 1 MiB.")
	case errors.Is(err, membudget.ErrExceeded):
		w.Header().Set("Retry-After", apierr.RetryAfter)
		refusal = scim.Refuse(http.StatusServiceUnavailable, "", "The service is reading as many requests as it can. Try again after the seconds of Retry-After.")
	case told && f.Code == apierr.StoreUnavailable:
		w.Header().Set("Retry-After", apierr.RetryAfter)
		refusal = scim.Refuse(http.StatusServiceUnavailable, "", f.Message)
	default:
		s.Log.ErrorContext(r.Context(), "scim", "requestId", id, "error", err)
		refusal = scim.Refuse(http.StatusInternalServerError, "", "Something went wrong. Give the operator the request id "+id+".")
	}
	body := map[string]any{"schemas": []string{"urn:ietf:params:scim:api:messages:2.0:Error"}, "status": strconv.Itoa(refusal.Status), "detail": refusal.Detail}
	if refusal.Type != "" {
		body["scimType"] = refusal.Type
	}
	return answer{refusal.Status, body}
}

func (s *Server) write(w http.ResponseWriter, a answer) {
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
	if resource, ok := a.body.(map[string]any); ok && a.status == http.StatusCreated {
		if meta, ok := resource["meta"].(map[string]any); ok {
			w.Header().Set("Location", meta["location"].(string))
		}
	}
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.body)
}

// read reads the body as JSON.
func (r *request) read(into any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, into) != nil {
		return scim.Refuse(http.StatusBadRequest, "invalidSyntax", "The body is not JSON of the expected shape.")
	}
	return nil
}

// listed answers one page of resources (RFC 7644, section 3.4.2).
func (r *request) listed(all []map[string]any) (answer, error) {
	q := r.URL.Query()
	keep, err := parseFilter(q.Get("filter"))
	if err != nil {
		return answer{}, err
	}
	start, err := number(q.Get("startIndex"), 1)
	if err != nil {
		return answer{}, err
	}
	count, err := number(q.Get("count"), usual)
	if err != nil {
		return answer{}, err
	}
	var found []map[string]any
	for _, resource := range all {
		if keep(resource) {
			found = append(found, resource)
		}
	}
	start, count = max(start, 1), min(max(count, 0), maxCount)
	page := []map[string]any{}
	if start <= len(found) {
		page = append(page, found[start-1:min(start-1+count, len(found))]...)
	}
	if strings.Contains(strings.ToLower(q.Get("excludedAttributes")), "members") {
		for _, resource := range page {
			delete(resource, "members")
		}
	}
	return answer{http.StatusOK, map[string]any{
		"schemas":      []string{"urn:ietf:params:scim:api:messages:2.0:ListResponse"},
		"totalResults": len(found), "startIndex": start, "itemsPerPage": len(page), "Resources": page,
	}}, nil
}

func number(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, scim.Refuse(http.StatusBadRequest, "invalidValue", "startIndex and count must be whole numbers.")
	}
	return n, nil
}

// search is the list by POST (RFC 7644, section 3.4.3).
func (s *Server) search(r *request) (answer, error) {
	var asked struct {
		Filter             string
		StartIndex, Count  *int
		ExcludedAttributes []string
	}
	if err := r.read(&asked); err != nil {
		return answer{}, err
	}
	q := r.URL.Query()
	q.Set("filter", asked.Filter)
	q.Set("excludedAttributes", strings.Join(asked.ExcludedAttributes, ","))
	if asked.StartIndex != nil {
		q.Set("startIndex", strconv.Itoa(*asked.StartIndex))
	}
	if asked.Count != nil {
		q.Set("count", strconv.Itoa(*asked.Count))
	}
	r.URL.RawQuery = q.Encode()
	if strings.HasSuffix(r.URL.Path, "/Groups/.search") {
		return s.listGroups(r)
	}
	return s.listUsers(r)
}
