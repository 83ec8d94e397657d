package page

import (
	"log/slog"

	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// logPage writes the line of a request. Bodies that were refused for want of memory are
// logged at most as often as Refusals allows for an address, with the number of those left out.
func (v *Visit) logPage(attrs ...slog.Attr) {
	if v.SignedIn {
		attrs = append(attrs, slog.String("organisation", string(v.Session.Org)), slog.String("userId", v.Session.UserID))
	}
	if !v.claim.Refused() {
		v.Log.LogAttrs(v.R.Context(), slog.LevelInfo, "page", attrs...)
		return
	}
	attrs = append(attrs, slog.String("reason", "the memory for request bodies is in use"))
	if v.Refusals != nil {
		suppressed, ok := v.Refusals.Allow(clientaddr.Group(v.Visitor.IPAddress))
		if !ok {
			return
		}
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	v.Log.LogAttrs(v.R.Context(), slog.LevelWarn, "page refused", attrs...)
}
