package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Log makes every line that is logged in a trace say which.
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

// WithAttrs keeps the trace on the lines of loggers that are made of this one.
func (l lines) WithAttrs(attrs []slog.Attr) slog.Handler { return lines{l.Handler.WithAttrs(attrs)} }

// WithGroup does so too.
func (l lines) WithGroup(name string) slog.Handler { return lines{l.Handler.WithGroup(name)} }
