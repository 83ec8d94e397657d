// Package tracing follows one cause through the service, as OpenTelemetry has it: the
// spans of a request, of the jobs and deliveries that come of it on whichever
// instance, and of the calls that these make, told to a collector by OTLP over HTTP.
//
// A nil *Tracer is tracing that is off: its methods do nothing, and cost nothing.
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

// Limits of what is kept for the collector. What goes beyond them is dropped: nobody
// waits for a collector.
const (
	maxKept   = 2048 // spans that have ended and are not sent
	maxSent   = 512  // spans in one message
	sendEvery = 2 * time.Second
	maxFacts  = 16  // attributes of a span
	maxText   = 200 // characters of an attribute
)

// Settings say where spans go, and of how many traces.
type Settings struct {
	URL      string  // of the collector, such as http://127.0.0.1:4318
	Share    float64 // of the traces that is recorded: 0 for none, 1 for all
	Version  string  // of the program
	Instance string  // that tells this process from others
	Log      *slog.Logger
	Sent     func(spans int, taken bool) // hears what became of each message; nil for nobody
}

// Tracer makes spans. Which traces are recorded follows from their ids, so that every
// instance with the same share decides alike, and no caller decides for us.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New makes a Tracer; it connects when it has something to tell.
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

// Close sends what is left, as far as ctx lets it.
func (t *Tracer) Close(ctx context.Context) {
	if t != nil {
		_ = t.provider.Shutdown(ctx) // the sender has logged why
	}
}

// Fact is what a span tells besides its name. No fact may hold personal data, a key,
// an address of a customer or anything of a body.
type Fact = attribute.KeyValue

// Text and Number are facts.
func Text(name, value string) Fact       { return attribute.String(name, value) }
func Number(name string, value int) Fact { return attribute.Int(name, value) }

// Begin begins a span and gives the context of what happens in it. What it returns
// ends the span; the problem is a few fixed words, empty for none.
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

// Moment is something that happened in a span.
type Moment struct {
	Name string
	At   time.Time
}

// Note records a span that has come and gone, where ctx is part of a trace.
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

// header is the W3C's. Its companions tracestate and baggage are neither taken up nor
// sent: they hold what others have put there.
const header = "traceparent"

// Parent is the place of ctx in its trace as a W3C traceparent, to be kept beside what
// comes of it; empty where there is no trace.
func (t *Tracer) Parent(ctx context.Context) string {
	if t == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// Follow gives a context in which spans are children of a traceparent that was kept,
// or came from outside; one that cannot be read begins no trace.
func (t *Tracer) Follow(ctx context.Context, parent string) context.Context {
	if t == nil || parent == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: parent})
}
