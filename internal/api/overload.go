package api

import (
	"log/slog"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// logNote is what the log line of a request has besides the request itself.
type logNote struct {
	caller tenant.Principal
	reason string // of a refusal that callers can cause without limit
}

const outOfMemory = "the memory for request bodies is in use"

func overloaded() *apierr.Error {
	return apierr.New(apierr.Overloaded, "The service is handling too many large requests. Retry after the number of seconds in Retry-After.")
}

// logRequest writes the log line of a request. Refusals that callers can cause without limit are
// logged at most as often as Refusals allows per address, with the number of omitted lines.
func (s *Server) logRequest(r *http.Request, note *logNote, attrs ...slog.Attr) {
	if p := note.caller; p.Org != "" {
		attrs = append(attrs, slog.String("organisation", string(p.Org)), slog.String("userId", p.UserID))
		if p.KeyID != "" {
			attrs = append(attrs, slog.String("keyId", p.KeyID))
		}
	}
	if note.reason == "" {
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
		return
	}
	attrs = append(attrs, slog.String("reason", note.reason))
	if s.Refusals != nil {
		suppressed, ok := s.Refusals.Allow(clientaddr.Group(clientaddr.Of(r)))
		if !ok {
			return
		}
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	s.Log.LogAttrs(r.Context(), slog.LevelWarn, "request refused", attrs...)
}
