package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// collector receives spans as OTLP.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []span
}

// span is a received span and the instance that sent it.
type span struct {
	*otlp.Span
	instance string
}

func (s span) trace() string  { return fmt.Sprintf("%x", s.TraceId) }
func (s span) id() string     { return fmt.Sprintf("%x", s.SpanId) }
func (s span) parent() string { return fmt.Sprintf("%x", s.ParentSpanId) }

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var data otlp.TracesData
		if err := proto.Unmarshal(body, &data); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s with %s: %v", r.URL.Path, r.Header.Get("Content-Type"), err)
		}
		c.take(&data)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(data *otlp.TracesData) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range data.ResourceSpans {
		instance := ""
		for _, a := range of.Resource.Attributes {
			if a.Key == "service.instance.id" {
				instance = a.Value.GetStringValue()
			}
		}
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, span{s, instance})
			}
		}
	}
}

// find returns the only span of a name that is a child of another.
func (c *collector) find(t *testing.T, name, parent string) span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []span
	for _, s := range c.spans {
		if s.Name == name && s.parent() == parent {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans %q below %s, among %d", len(found), name, parent, len(c.spans))
	}
	return found[0]
}

// receivedCall is one call that a stand-in received.
type receivedCall struct {
	header http.Header
	body   string
}

// fakeServer stands in for CDS or a receiver. It stores calls, and answers them when it is released.
type fakeServer struct {
	*httptest.Server
	calls chan receivedCall
	hold  chan struct{} // closed by release, to let it answer

	release func()
}

func newFakeServer(t *testing.T, answer func(http.ResponseWriter)) *fakeServer {
	s := &fakeServer{calls: make(chan receivedCall, 1000), hold: make(chan struct{})}
	s.release = sync.OnceFunc(func() { close(s.hold) })
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.calls <- receivedCall{r.Header, string(body)}
		<-s.hold
		answer(w)
	}))
	t.Cleanup(func() {
		s.release()
		s.Close()
	})
	return s
}

// next waits for a call that fits.
func (s *fakeServer) next(t *testing.T, fits func(receivedCall) bool) receivedCall {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case h := <-s.calls:
			if fits(h) {
				return h
			}
		case <-limit:
			t.Fatal("no call arrived")
		}
	}
}

func anyCall(receivedCall) bool { return true }

// instance is one running service.
type instance struct {
	*app.App
	t    *testing.T
	base string
	log  logbuffer.Buffer
	key  string
	stop func()
}

// run starts a service, which ends with the test at the latest.
func run(t *testing.T, b storetest.Backend, set func(*config.Config)) *instance {
	t.Helper()
	return runAt(t, b, nil, set)
}

// runAt is run with a clock of the test; nil for the machine's.
func runAt(t *testing.T, b storetest.Backend, now func() time.Time, set func(*config.Config)) *instance {
	t.Helper()
	c := apptest.Simulated(t)
	c.AllowPrivateWebhooks, c.DatabaseURL, c.TracesShare = true, b.URL, 1
	if b.Folder != "" {
		c.Data = b.Folder
	}
	set(&c)
	i := &instance{t: t}
	a, err := app.Open(t.Context(), c, app.Deps{Now: now, Log: slog.New(slog.NewJSONHandler(&i.log, nil)), Version: "v1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- a.Serve(ctx, func(address string) { ready <- address }) }()
	select {
	case address := <-ready:
		i.base = "http://" + address
	case err := <-ended:
		t.Fatal(err)
	}
	i.App = a
	i.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("log of an instance:\n%s", &i.log)
		}
	})
	t.Cleanup(i.stop)
	return i
}

// call sends a request to an instance, and returns the id in its answer.
func (i *instance) call(method, path, body string, headers ...string) string {
	i.t.Helper()
	r, err := http.NewRequest(method, i.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		i.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+i.key)
	r.Header.Set("Content-Type", "application/json")
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		i.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode/100 != 2 {
		i.t.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	var record struct{ ID string }
	_ = json.Unmarshal(text, &record)
	return record.ID
}

// declare creates a declaration with its client and shipment.
func (i *instance) declare() string {
	client := i.call("POST", "/api/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000"}`)
	shipment := i.call("POST", "/api/shipments", `{"clientId":"`+client+`","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide"}`)
	return i.call("POST", "/api/declarations", `{"shipmentId":"`+shipment+`","declarationType":"IMPORT","items":[{"commodityCode":"6109100010",`+
		`"description":"Men's knitted cotton T-shirts","netMassKg":120.5,"customsValueGbp":1850.00,"grossMassKg":131,`+
		`"countryOfOrigin":"BD","quantity":600,"packageCount":25,"packageType":"CT"}],"documents":[{"type":"N935","reference":"INV-2026-0042"}]}`)
}

// found creates an organisation, whose key is used from then on.
func (i *instance) found() string {
	i.t.Helper()
	f, err := i.CreateOrganisation(context.Background(), "Harbour Textiles Ltd", "GB123456789000")
	if err != nil {
		i.t.Fatal(err)
	}
	i.key = f.Secret
	return f.Secret
}
