package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// accept answers as CDS does when it accepts a document.
func accept(w http.ResponseWriter) {
	w.Header().Set("X-Conversation-ID", "6c1ad0a5-7ad1-4c3e-9a52-2f1d8f0c6b7e")
	w.WriteHeader(http.StatusAccepted)
}

const (
	callersTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan   = "00f067aa0ba902b7"
	callersParent = "00-" + callersTrace + "-" + callersSpan + "-01"
)

// One trace leads from a request through the job to CDS and through the delivery to the receiver, on any instance.
// Other data of the caller's tracing is passed on to no one.
func TestOneTrace(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		collector, customs, receiver := newCollector(t), newFakeServer(t, accept), newFakeServer(t, func(http.ResponseWriter) {})
		customs.release()
		if b.Folder == "" {
			b.Folder = t.TempDir() // with the key that both share
		}
		set := func(c *config.Config) { c.TracesURL, c.Customs.URL = collector.URL, customs.URL }
		two := run(t, b, set)
		key := two.found()
		declaration := two.declare()
		two.call("POST", "/api/webhooks/endpoints", `{"url":"`+receiver.URL+`","events":["*"]}`)
		two.call("POST", "/api/clients", `{"name":"Quay Foods Ltd"}`)
		receiver.next(t, anyCall) // without an answer: the second instance now serves the endpoint

		one := run(t, b, set)
		one.key = key
		one.call("POST", "/api/cds/submit", `{"declarationId":"`+declaration+`"}`, "traceparent", callersParent, "tracestate", "vendor=theirs", "baggage", "user=anna")
		receiver.release()
		sent := customs.next(t, anyCall)
		delivered := receiver.next(t, func(h receivedCall) bool { return strings.Contains(h.body, "declaration.submitted") })
		log := one.log.String()
		one.stop()
		two.stop()

		request := collector.find(t, "submit-declaration", callersSpan)
		job := collector.find(t, "job customs.send", request.id())
		call := collector.find(t, "call customs", job.id())
		delivery := collector.find(t, "call webhook", job.id())
		if request.instance == delivery.instance {
			t.Error("only one instance did any work")
		}
		for _, s := range []span{request, job, call, delivery} {
			if s.trace() != callersTrace {
				t.Errorf("%s is in trace %s", s.Name, s.trace())
			}
		}
		for who, h := range map[string]struct {
			receivedCall
			from span
		}{"customs": {sent, call}, "the receiver": {delivered, delivery}} {
			if got, want := h.header.Get("Traceparent"), "00-"+callersTrace+"-"+h.from.id()+"-01"; got != want {
				t.Errorf("%s heard of %q, not %q", who, got, want)
			}
			if h.header.Get("Tracestate") != "" || h.header.Get("Baggage") != "" {
				t.Errorf("%s heard what the caller's tracing carries: %v", who, h.header)
			}
		}
		if !strings.Contains(log, `"path":"/api/cds/submit"`) || !strings.Contains(log, `"traceId":"`+callersTrace+`"`) {
			t.Error("the log does not name the trace")
		}
		collector.keepsSecrets(t, key, receiver.URL, "Harbour", "GB123456789000", declaration)
	})
}

// keepsSecrets fails the test if a span contains a user's data.
func (c *collector) keepsSecrets(t *testing.T, secrets ...string) {
	t.Helper()
	for _, s := range c.spans {
		for _, secret := range secrets {
			if strings.Contains(s.String(), secret) {
				t.Errorf("%s contains %s", s.Name, secret)
			}
		}
	}
}

// A request without a trace begins one, which its transactions belong to.
func TestTraceBegins(t *testing.T) {
	collector := newCollector(t)
	i := run(t, storetest.SQLite(t), func(c *config.Config) { c.TracesURL = collector.URL })
	i.found()
	i.call("POST", "/api/clients", `{"name":"Quay Foods Ltd"}`)
	i.call("GET", "/api/clients", "", "traceparent", "rubbish")
	i.stop()
	created := collector.find(t, "create-client", "")
	change := collector.find(t, "store update", created.id())
	if len(change.Events) != 2 || change.Events[0].Name != "entered" || change.Events[1].Name != "worked" {
		t.Errorf("the events of the transaction: %v", change.Events)
	}
	if listed := collector.find(t, "list-clients", ""); listed.trace() == created.trace() {
		t.Error("two requests share a trace")
	}
}

// Without a collector there is no tracing: no header is sent, and no column is filled.
func TestTracingOff(t *testing.T) {
	customs, receiver := newFakeServer(t, accept), newFakeServer(t, func(http.ResponseWriter) {})
	customs.release()
	receiver.release()
	i := run(t, storetest.SQLite(t), func(c *config.Config) { c.Customs.URL = customs.URL })
	i.found()
	i.call("POST", "/api/webhooks/endpoints", `{"url":"`+receiver.URL+`","events":["declaration.submitted"]}`)
	i.call("POST", "/api/cds/submit", `{"declarationId":"`+i.declare()+`"}`, "traceparent", callersParent)
	for _, h := range []receivedCall{customs.next(t, anyCall), receiver.next(t, anyCall)} {
		if h.header.Get("Traceparent") != "" {
			t.Errorf("a trace header was sent: %v", h.header)
		}
	}
	if strings.Contains(i.log.String(), "traceId") {
		t.Error("the log names traces")
	}
}
