package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CursorBehind returns the cursor of the records after one record.
func CursorBehind(org tenant.ID, name string, at time.Time, id string) string {
	return listID{org, name}.cursorAfter(filing.Position{CreatedAt: at, ID: id})
}

// PlaceOf decodes a cursor.
func PlaceOf(org tenant.ID, name, cursor string) (string, error) {
	return listID{org, name}.decode(cursor)
}

// Sealed returns the cursor of any text.
func Sealed(org tenant.ID, name, place string) string { return listID{org, name}.encode(place) }

// PositionOf decodes a cursor of a list of records.
func PositionOf(org tenant.ID, name, cursor string) (filing.Position, error) {
	return listID{org, name}.decodePosition(cursor)
}

// Statuses are the HTTP statuses of the error codes.
var Statuses = statuses

// VersionsOf returns the versions that If-Match headers allow, and reports whether the headers are well-formed.
func VersionsOf(headers ...string) (versions filing.IfVersion, wellFormed bool) {
	c, details := conditionsOf(http.Header{ifMatchHeader: headers}, ifMatchHeader)
	return c.versions(), details == nil
}

// Matches reports whether If-None-Match headers include the ETag of a version.
func Matches(version int64, headers ...string) bool {
	c, _ := conditionsOf(http.Header{ifNoneMatchHeader: headers}, ifNoneMatchHeader)
	return c.match(etagOf(version))
}

// MountDeprecated adds GET /api/test/old, which is deprecated.
func (s *Server) MountDeprecated(since, sunset time.Time, successor string) {
	handle(s, operation{
		id: "get-old", summary: "Get what is old", tag: "Hubs", scope: noScope, method: http.MethodGet, path: "/api/test/old", status: http.StatusOK,
		description: "Success", response: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{http.StatusNotFound},
		route: route{role: tenant.Owner, deprecated: &deprecation{since, sunset, successor}},
	}, func(_ context.Context, in *struct{ caller }) (response, error) {
		if in.request.Header.Get("If-None-Match") == "*" {
			return response{}, apierr.Missing()
		}
		return jsonResponse(http.StatusOK, successBody{true})
	})
}
