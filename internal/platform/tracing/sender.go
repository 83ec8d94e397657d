package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Limits of requests to the collector.
const (
	patience  = 10 * time.Second // timeout of one message
	maxAnswer = 64 << 10         // bytes that are read of an answer
	path      = "/v1/traces"
)

// sender sends spans as OTLP over HTTP, in binary. It does not retry: spans are dropped while the collector is
// unavailable.
type sender struct {
	address string
	client  *http.Client
	log     *slog.Logger
	sent    func(spans int, taken bool)
	away    atomic.Bool // the last message failed
}

func newSender(s Settings) *sender {
	address := strings.TrimRight(s.URL, "/")
	if !strings.HasSuffix(address, path) {
		address += path
	}
	out := &sender{address: address, client: &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}, log: s.Log, sent: s.Sent}
	if out.sent == nil {
		out.sent = func(int, bool) {}
	}
	return out
}

// Start does nothing: it is part of the exporter's interface.
func (s *sender) Start(context.Context) error { return nil }

// Stop closes the idle connection.
func (s *sender) Stop(context.Context) error {
	s.client.CloseIdleConnections()
	return nil
}

// UploadTraces sends one message. It never returns an error, because callers cannot act on it: it logs when the
// collector becomes unavailable and when it is available again.
func (s *sender) UploadTraces(ctx context.Context, spans []*otlp.ResourceSpans) error {
	err := s.send(ctx, spans)
	switch was := s.away.Swap(err != nil); {
	case err != nil && !was:
		s.log.Warn("the trace collector is unavailable; traces are dropped until it is available", "error", err)
	case err == nil && was:
		s.log.Info("the trace collector is available again")
	}
	s.sent(count(spans), err == nil)
	return nil
}

// send sends one OTLP request.
func (s *sender) send(ctx context.Context, spans []*otlp.ResourceSpans) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := proto.Marshal(&otlp.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("it answered %d", answer.StatusCode)
	}
	return nil
}

func count(all []*otlp.ResourceSpans) (n int) {
	for _, of := range all {
		for _, scope := range of.ScopeSpans {
			n += len(scope.Spans)
		}
	}
	return n
}
