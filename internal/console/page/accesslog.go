package page

import (
	"log/slog"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// logPage logs a request. Bodies that were refused because the memory budget was used up are
// logged at most as often as RefusedBodyLogs allows for an address, with the number of suppressed lines.
func (c *Context) logPage(attrs ...slog.Attr) {
	if c.link.opened() {
		attrs = append(attrs, slog.String("organisation", string(c.Session.Org)), slog.String("portalLinkId", c.link.ID))
	}
	if c.SignedIn {
		attrs = append(attrs, slog.String("organisation", string(c.Session.Org)), slog.String("userId", c.Session.UserID))
	}
	if !c.claim.Refused() {
		c.Log.LogAttrs(c.R.Context(), slog.LevelInfo, "page", attrs...)
		return
	}
	attrs = append(attrs, slog.String("reason", "the memory for request bodies is in use"))
	if c.RefusedBodyLogs != nil {
		suppressed, ok := c.RefusedBodyLogs.Allow(clientaddr.Group(c.Visitor.IPAddress))
		if !ok {
			return
		}
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	c.Log.LogAttrs(c.R.Context(), slog.LevelWarn, "page refused", attrs...)
}

// recorder records the status of the response.
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
