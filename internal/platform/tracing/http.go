package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Handler makes a span of every request, in the trace of its caller. Name names the operation; the request's address,
// query, headers and body are not recorded.
func (t *Tracer) Handler(h http.Handler) http.Handler {
	if t == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := t.Follow(r.Context(), r.Header.Get(header))
		ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Name sets the operation and the status of the request of ctx.
func (t *Tracer) Name(ctx context.Context, operation string, status int) {
	if t == nil {
		return
	}
	span := trace.SpanFromContext(ctx)
	span.SetName(operation)
	span.SetAttributes(Number("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "the service failed")
	}
}

// Transport makes a span of every call to a peer and passes on the trace. The span has the given name of the peer, not
// its address.
func (t *Tracer) Transport(peer string, through http.RoundTripper) http.RoundTripper {
	if t == nil {
		return through
	}
	return wire{t, peer, through}
}

type wire struct {
	tracer  *Tracer
	peer    string
	through http.RoundTripper
}

// RoundTrip calls the peer.
func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := w.tracer.tracer.Start(r.Context(), "call "+w.peer, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(Text("peer.service", w.peer), Text("http.request.method", r.Method)))
	defer span.End()
	r = r.Clone(ctx)
	r.Header.Set(header, w.tracer.Parent(ctx))
	answer, err := w.through.RoundTrip(r)
	if err != nil {
		span.SetStatus(codes.Error, "no answer")
		return nil, err
	}
	span.SetAttributes(Number("http.response.status_code", answer.StatusCode))
	if answer.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "refused")
	}
	return answer, nil
}

// CloseIdleConnections lets http.Client drop them.
func (w wire) CloseIdleConnections() {
	if c, ok := w.through.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
