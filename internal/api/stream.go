package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// answerWriter writes an answer while it is made. Whoever takes longer than
// pieceTimeout for one piece is gone; the whole may take as long as it likes.
type answerWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	machine func() time.Time
	began   bool
}

const pieceTimeout = time.Minute

func (w *answerWriter) Write(piece []byte) (int, error) {
	w.began = true
	_ = w.control.SetWriteDeadline(w.machine().Add(pieceTimeout)) // a recorder in a test has none
	return w.ResponseWriter.Write(piece)
}

// readWithin sets how long the body may take from now on; 0 for any time. Without
// one that is set, the server's own would end a long answer.
func (w *answerWriter) readWithin(limit time.Duration) {
	var end time.Time
	if limit > 0 {
		end = w.machine().Add(limit)
	}
	_ = w.control.SetReadDeadline(end)
}

// stream registers an operation that writes its answer while it is made, and reads
// its body by itself. A failure before the first byte is answered as a fault; after
// it the connection is cut, so that nobody takes a part for the whole.
func stream[I any, P interface {
	*I
	input
}](s *Server, op operation, h func(context.Context, *I, *answerWriter) error) {
	s.addRoute(&op)
	described := s.describe(op)
	huma.Register(s.api, described, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			r, plain := humago.Unwrap(hc)
			w := &answerWriter{ResponseWriter: plain, control: http.NewResponseController(plain), machine: s.Machine}
			w.readWithin(0)
			err := h(ctx, in, w)
			if err == nil {
				return
			}
			if w.began {
				s.Log.Warn("an answer was cut", "operation", op.id, "requestId", P(in).self().call.RequestID, "error", err)
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
