package client

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// requestBody records whether HMRC can have received any of a request's body.
//
// The transport reports WroteHeaders before it flushes the last of the head and before the
// first byte of the body, so until then no byte of the body has left. When RoundTrip
// fails, the connection is closed first, so the value is final. The transport may use a
// second connection on its own, but for a POST only if nothing at all was written on the
// first; should the second fail too, requestBody errs on the safe side.
//
// This holds for HTTP/1.1 only, where one connection carries one request at a time.
type requestBody struct{ started atomic.Bool }

func (s *requestBody) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { s.started.Store(true) }})
}

// failure is the outcome of a request that got no answer.
func (s *requestBody) failure(err error) Failure {
	if s.started.Load() {
		return Unknown{Cause: err}
	}
	return Unreachable{Cause: err}
}
