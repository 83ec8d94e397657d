package cds

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// passage watches one request and knows whether customs can have got any of the
// document.
//
// The transport reports WroteHeaders before it flushes the last of the head and
// before the first byte of the body, so as long as that has not been reported,
// the document has not left. When RoundTrip fails, the connection is closed
// first, so what passage says then is final. The transport may take a second
// connection on its own, but for a POST only when it has seen that nothing at
// all was written on the first; should the second fail too, passage errs on the
// safe side.
//
// This holds for HTTP/1.1 only, where one connection carries one request.
type passage struct {
	begun atomic.Bool
}

func (p *passage) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { p.begun.Store(true) },
	})
}

// broken is the outcome of a request that failed without an answer.
func (p *passage) broken(err error) Outcome {
	if p.begun.Load() {
		return Unknown{Cause: err}
	}
	return Unreachable{Cause: err}
}
