package client

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// sent records whether HMRC can have received any of a request's body.
//
// The transport reports WroteHeaders before it flushes the last of the head and before the
// first byte of the body, so until then no byte of the body has left. When RoundTrip
// fails, the connection is closed first, so the value is final. The transport may use a
// second connection on its own, but for a POST only if nothing at all was written on the
// first; should the second fail too, sent errs on the safe side.
//
// This holds for HTTP/1.1 only, where one connection carries one request at a time.
type sent struct{ begun atomic.Bool }

func (s *sent) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { s.begun.Store(true) }})
}

// failure is the outcome of a request that got no answer.
func (s *sent) failure(err error) Failure {
	if s.begun.Load() {
		return Unknown{Cause: err}
	}
	return Unreachable{Cause: err}
}
