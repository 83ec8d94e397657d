package page

import (
	"log/slog"

	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// logPage logs a request. Bodies that were refused because the memory budget was used up are
// logged at most as often as RefusedBodyLogs allows for an address, with the number of suppressed lines.
func (c *Context) logPage(attrs ...slog.Attr) {
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
