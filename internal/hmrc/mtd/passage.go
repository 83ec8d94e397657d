package mtd

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// passage watches one request and knows whether HMRC can have got any of its body;
// see the type of this name in package cds for why that is certain.
type passage struct{ begun atomic.Bool }

func (p *passage) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { p.begun.Store(true) }})
}

// broken is the outcome of a request that failed without an answer.
func (p *passage) broken(err error) error {
	if p.begun.Load() {
		return Unknown{Cause: err}
	}
	return Unreachable{Cause: err}
}
