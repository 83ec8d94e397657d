// Package scim serves SCIM 2.0 (RFC 7644) under /api/scim/v2. It has its own formats for resources and
// errors and is not part of the OpenAPI document.
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

// Path is the base path of SCIM.
const Path = "/api/scim/v2"

const (
	mediaType    = "application/scim+json"
	maxBody      = 1 << 20 // maximum bytes of a request body
	maxCount     = 200     // maximum resources per response
	defaultCount = 100     // default resources per response
)

// Server answers SCIM requests. PublicURL is the base URL of the service, for the location of
// resources.
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

// request is a request of an identity provider.
type request struct {
	*http.Request
	call tenant.Call
	base string
}

// response is the result of a handler. The response has no body if body is nil.
type response struct {
	status int
	body   any
}

type handler func(*request) (response, error)

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
	mux.HandleFunc("/", s.serve("unknown", func(*request) (response, error) {
		return response{}, scim.NewError(http.StatusNotFound, "", "The resource does not exist.")
	}))
	return mux
}

func (s *Server) serve(operation string, do handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began, id := s.Now(), s.IDs.UUID()
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		org, out, err := s.handle(w, r, id, do)
		if err != nil {
			out = s.errorResponse(w, r, id, err)
		}
		s.write(w, out)
		took := s.Now().Sub(began)
		s.Observe(r.Context(), "scim "+operation, out.status, took)
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "scim", slog.String("requestId", id), slog.String("operation", operation),
			slog.String("organisation", string(org)), slog.Int("status", out.status), slog.Int64("ms", took.Milliseconds()))
	}
}

// handle checks the token before it reads the body, and runs the handler for the token's organisation.
func (s *Server) handle(w http.ResponseWriter, r *http.Request, id string, do handler) (org tenant.ID, out response, err error) {
	ip := clientaddr.Of(r)
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	org, known, err := s.Service.ByToken(r.Context(), strings.TrimSpace(token))
	switch {
	case err != nil:
		return "", response{}, err
	case !known:
		return "", response{}, s.refuseToken(w, r, ip)
	}
	if s.Standard.Requests > 0 {
		if state, err := s.Limiter.Take(r.Context(), s.Standard, string(org)); err == nil && state.Exceeded {
			return org, response{}, s.tooMany(w, state)
		}
	}
	claim := s.Bodies.Claim(membudget.Authenticated)
	defer claim.Release()
	if err := claim.Expect(r.ContentLength); err != nil {
		return org, response{}, err
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
	return scim.NewError(http.StatusUnauthorized, "", "The SCIM token is missing, not valid, or has been replaced.")
}

func (s *Server) tooMany(w http.ResponseWriter, state ratelimit.State) error {
	wait := max(1, int(state.Reset.Sub(s.Now()).Seconds())+1)
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	return scim.NewError(http.StatusTooManyRequests, "", "Rate limit exceeded. Retry in "+strconv.Itoa(wait)+" s.")
}

// errorResponse converts an error to SCIM's format. Unexpected errors are logged and not shown.
func (s *Server) errorResponse(w http.ResponseWriter, r *http.Request, id string, err error) response {
	var refusal *scim.Error
	var tooLarge *http.MaxBytesError
	switch f, known := apierr.As(err); {
	case errors.As(err, &refusal):
	case errors.As(err, &tooLarge):
		refusal = scim.NewError(http.StatusRequestEntityTooLarge, "", "The body has more than 1 MiB.")
	case errors.Is(err, membudget.ErrExceeded):
		w.Header().Set("Retry-After", apierr.RetryAfter)
		refusal = scim.NewError(http.StatusServiceUnavailable, "", "The service is handling too many tooLarge requests. Retry after the number of seconds in Retry-After.")
	case known && f.Code == apierr.StoreUnavailable:
		w.Header().Set("Retry-After", apierr.RetryAfter)
		refusal = scim.NewError(http.StatusServiceUnavailable, "", f.Message)
	default:
		s.Log.ErrorContext(r.Context(), "scim", "requestId", id, "error", err)
		refusal = scim.NewError(http.StatusInternalServerError, "", "An internal error occurred. Give the operator the request ID "+id+".")
	}
	body := map[string]any{"schemas": []string{"urn:ietf:params:scim:api:messages:2.0:Error"}, "status": strconv.Itoa(refusal.Status), "detail": refusal.Detail}
	if refusal.Type != "" {
		body["scimType"] = refusal.Type
	}
	return response{refusal.Status, body}
}

func (s *Server) write(w http.ResponseWriter, a response) {
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

// read decodes the JSON body.
func (r *request) read(into any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, into) != nil {
		return scim.NewError(http.StatusBadRequest, "invalidSyntax", "The body is not valid JSON, or its structure is not as expected.")
	}
	return nil
}

// listResponse returns one page of resources (RFC 7644, section 3.4.2).
func (r *request) listResponse(all []map[string]any) (response, error) {
	q := r.URL.Query()
	keep, err := parseFilter(q.Get("filter"))
	if err != nil {
		return response{}, err
	}
	start, err := intParam(q.Get("startIndex"), 1)
	if err != nil {
		return response{}, err
	}
	count, err := intParam(q.Get("count"), defaultCount)
	if err != nil {
		return response{}, err
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
	return response{http.StatusOK, map[string]any{
		"schemas":      []string{"urn:ietf:params:scim:api:messages:2.0:ListResponse"},
		"totalResults": len(found), "startIndex": start, "itemsPerPage": len(page), "Resources": page,
	}}, nil
}

func intParam(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, scim.NewError(http.StatusBadRequest, "invalidValue", "startIndex and count must be whole numbers.")
	}
	return n, nil
}

// search lists resources with the parameters in the body (RFC 7644, section 3.4.3).
func (s *Server) search(r *request) (response, error) {
	var params struct {
		Filter             string
		StartIndex, Count  *int
		ExcludedAttributes []string
	}
	if err := r.read(&params); err != nil {
		return response{}, err
	}
	q := r.URL.Query()
	q.Set("filter", params.Filter)
	q.Set("excludedAttributes", strings.Join(params.ExcludedAttributes, ","))
	if params.StartIndex != nil {
		q.Set("startIndex", strconv.Itoa(*params.StartIndex))
	}
	if params.Count != nil {
		q.Set("count", strconv.Itoa(*params.Count))
	}
	r.URL.RawQuery = q.Encode()
	if strings.HasSuffix(r.URL.Path, "/Groups/.search") {
		return s.listGroups(r)
	}
	return s.listUsers(r)
}
