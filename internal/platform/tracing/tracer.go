// Package tracing records OpenTelemetry traces: the spans of a request, of the jobs and deliveries that it causes on
// any instance, and of their calls to other services. It sends them to a collector by OTLP over HTTP.
//
// A nil *Tracer is switched off: its methods do nothing.
package tracing

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Limits of what is buffered for the collector. Further spans are dropped, because nothing waits for the collector.
const (
	maxKept   = 2048 // ended spans that are not sent
	maxSent   = 512  // spans in one message
	sendEvery = 2 * time.Second
	maxFacts  = 16  // attributes of a span
	maxText   = 200 // characters of an attribute
)

// Settings say where traces are sent, and how many.
type Settings struct {
	URL      string  // of the collector, such as http://127.0.0.1:4318
	Share    float64 // of the recorded traces: 0 for none, 1 for all
	Version  string  // of the program
	Instance string  // distinguishes this process from others
	Log      *slog.Logger
	Sent     func(spans int, taken bool) // called after each message; may be nil
}

// Tracer records spans. The id of a trace decides whether it is recorded, so that all instances with the same share
// agree, and callers cannot decide.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New returns a Tracer. It connects when it has something to send.
func New(s Settings) (*Tracer, error) {
	exporter, err := otlptrace.New(context.Background(), newSender(s))
	if err != nil {
		return nil, err
	}
	limits := sdk.NewSpanLimits()
	limits.AttributeCountLimit, limits.AttributeValueLengthLimit = maxFacts, maxText
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter, sdk.WithMaxQueueSize(maxKept), sdk.WithMaxExportBatchSize(maxSent),
			sdk.WithBatchTimeout(sendEvery), sdk.WithExportTimeout(patience)),
		sdk.WithSampler(sdk.TraceIDRatioBased(s.Share)),
		sdk.WithRawSpanLimits(limits),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "tidewaiter"), attribute.String("service.version", s.Version), attribute.String("service.instance.id", s.Instance),
		)),
	)
	return &Tracer{provider, provider.Tracer("github.com/tidewaiter/tidewaiter")}, nil
}

// Close sends the remaining spans until ctx ends.
func (t *Tracer) Close(ctx context.Context) {
	if t != nil {
		_ = t.provider.Shutdown(ctx) // the sender has logged the error
	}
}

// Fact is an attribute of a span. It must not contain personal data, a key, an address of a customer or any part of a
// body.
type Fact = attribute.KeyValue

// Text and Number make facts.
func Text(name, value string) Fact       { return attribute.String(name, value) }
func Number(name string, value int) Fact { return attribute.Int(name, value) }

// Begin begins a span and returns its context and the function that ends it. The problem is one of a few fixed texts;
// empty for none.
func (t *Tracer) Begin(ctx context.Context, name string, facts ...Fact) (context.Context, func(problem string)) {
	if t == nil {
		return ctx, func(string) {}
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(facts...))
	return ctx, func(problem string) {
		if problem != "" {
			span.SetStatus(codes.Error, problem)
		}
		span.End()
	}
}

// Moment is an event within a span.
type Moment struct {
	Name string
	At   time.Time
}

// Note records a span that has already ended, if ctx belongs to a trace.
func (t *Tracer) Note(ctx context.Context, name string, began, ended time.Time, moments []Moment, facts ...Fact) {
	if t == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return
	}
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(began), trace.WithAttributes(facts...))
	for _, m := range moments {
		span.AddEvent(m.Name, trace.WithTimestamp(m.At))
	}
	span.End(trace.WithTimestamp(ended))
}

// header is the W3C header. tracestate and baggage, which contain data of other services, are neither read nor sent.
const header = "traceparent"

// Parent returns the position of ctx in its trace as a W3C traceparent, to store it with what ctx causes; empty without
// a trace.
func (t *Tracer) Parent(ctx context.Context) string {
	if t == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// Follow returns a context whose spans are children of a stored or received traceparent. An invalid one begins no
// trace.
func (t *Tracer) Follow(ctx context.Context, parent string) context.Context {
	if t == nil || parent == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: parent})
}
