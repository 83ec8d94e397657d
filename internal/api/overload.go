package api

import (
	"log/slog"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// refusal is why a request was refused, if it was refused for a reason that anyone can
// cause as often as they like.
type refusal struct{ reason string }

const outOfMemory = "the memory for request bodies is in use"

func overloaded() *fault.Error {
	return fault.New(fault.Overloaded, "The service is reading as many requests as it can. Try again after the seconds of Retry-After.")
}

// logRequest writes the line of a request. Refusals that anyone can cause are logged at most
// as often as Refusals allows for an address, with the number of those left out.
func (s *Server) logRequest(r *http.Request, note *refusal, attrs ...slog.Attr) {
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
