package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// deprecation announces that an operation will be removed (docs/versioning.md). The OpenAPI document marks the
// operation, and each of its responses, errors included, has the headers Deprecation and Sunset.
type deprecation struct {
	since     time.Time // when the operation became deprecated
	sunset    time.Time // from when on it may be missing
	successor string    // what to use instead, such as "GET /api/search"; empty if there is nothing
}

// announce sets the headers of RFC 9745 and RFC 8594.
func (d *deprecation) announce(h http.Header) {
	if d == nil {
		return
	}
	h.Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
	h.Set("Sunset", d.sunset.UTC().Format(http.TimeFormat))
}

// mark describes the deprecation in the OpenAPI document. x-sunset is the extension that tools know.
func (d *deprecation) mark(op *huma.Operation) {
	if d == nil {
		return
	}
	op.Deprecated = true
	op.Extensions["x-deprecated-since"] = d.since.UTC().Format(time.DateOnly)
	op.Extensions["x-sunset"] = d.sunset.UTC().Format(time.DateOnly)
	op.Description += fmt.Sprintf(". Deprecated since %s, and may be removed after %s", d.since.UTC().Format(time.DateOnly), d.sunset.UTC().Format(time.DateOnly))
	if d.successor != "" {
		op.Description += ". Use " + d.successor + " instead"
	}
	for _, r := range op.Responses {
		if r.Headers != nil {
			r.Headers["Deprecation"], r.Headers["Sunset"] = deprecationParam, sunsetParam
		}
	}
}

var (
	deprecationParam = &huma.Param{
		Description: "When the operation became deprecated: @ and Unix seconds (RFC 9745)", Schema: &huma.Schema{Type: huma.TypeString}, Example: "@1795478400",
	}
	sunsetParam = &huma.Param{
		Description: "From when on the operation may be missing (RFC 8594)", Schema: &huma.Schema{Type: huma.TypeString}, Example: "Wed, 24 Nov 2027 00:00:00 GMT",
	}
)
