package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Log adds the trace to every log line within a trace.
func (t *Tracer) Log(l *slog.Logger) *slog.Logger {
	if t == nil {
		return l
	}
	return slog.New(lines{l.Handler()})
}

type lines struct{ slog.Handler }

// Handle adds the trace to a line.
func (l lines) Handle(ctx context.Context, r slog.Record) error {
	if in := trace.SpanContextFromContext(ctx); in.IsValid() {
		r = r.Clone()
		r.AddAttrs(slog.String("traceId", in.TraceID().String()))
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs adds attributes to the handler.
func (l lines) WithAttrs(attrs []slog.Attr) slog.Handler { return lines{l.Handler.WithAttrs(attrs)} }

// WithGroup adds a group to the handler.
func (l lines) WithGroup(name string) slog.Handler { return lines{l.Handler.WithGroup(name)} }
