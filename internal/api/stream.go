package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// streamWriter writes a response of any length. Each write must finish within writeTimeout; the whole
// response has no limit.
type streamWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	machine func() time.Time
	started bool
}

const writeTimeout = time.Minute

func (w *streamWriter) Write(piece []byte) (int, error) {
	w.started = true
	_ = w.control.SetWriteDeadline(w.machine().Add(writeTimeout)) // httptest.ResponseRecorder does not support deadlines
	return w.ResponseWriter.Write(piece)
}

// setReadTimeout sets the time limit for reading the body from now on; 0 for no limit. It replaces the
// server's own read deadline, which would end a long response.
func (w *streamWriter) setReadTimeout(limit time.Duration) {
	var end time.Time
	if limit > 0 {
		end = w.machine().Add(limit)
	}
	_ = w.control.SetReadDeadline(end)
}

// answer writes a whole JSON response.
func (w *streamWriter) answer(out response) error {
	w.Header().Set("Content-Type", jsonType)
	if out.Replayed != "" {
		w.Header().Set("Idempotent-Replayed", out.Replayed)
	}
	w.WriteHeader(out.Status)
	_, err := w.Write(out.Body)
	return err
}

// stream registers an operation that writes its response piece by piece and reads its own body. An
// error before the first byte is returned in the usual format. After it the connection is cut, so that
// the client does not mistake a part for the whole.
func stream[I any, P interface {
	*I
	input
}](s *Server, op operation, h func(context.Context, *I, *streamWriter) error) {
	s.addRoute(&op)
	s.describeDryRun(&op)
	described := s.describe(op)
	huma.Register(s.api, described, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			r, plain := humago.Unwrap(hc)
			w := &streamWriter{ResponseWriter: plain, control: http.NewResponseController(plain), machine: s.WallClock}
			w.setReadTimeout(0)
			err := h(ctx, in, w)
			if err == nil {
				return
			}
			if w.started {
				s.Log.Warn("response aborted", "operation", op.id, "requestId", P(in).self().call.RequestID, "error", err)
				panic(http.ErrAbortHandler)
			}
			for _, name := range []string{"Content-Disposition", "Content-Length"} {
				plain.Header().Del(name)
			}
			s.writeProblem(plain, r, err)
		}}, nil
	})
	s.finish(described, op)
}
