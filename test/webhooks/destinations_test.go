package webhooks

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/amqp"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/kafka"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/nats"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/s3"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sqs"
	"github.com/tidewaiter/tidewaiter/test/broker"
	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

func destinations(g *ssrf.Guard) webhook.Destinations {
	return webhook.Destinations{
		Kinds:   map[string]destination.Kind{"amqp": amqp.Kind{}, "kafka": kafka.New(), "nats": nats.Kind{}, "sqs": sqs.Kind{}, "s3": s3.Kind{}},
		Network: destination.Network{Guard: g, Now: time.Now},
	}
}

// eachKind runs a test with each kind of destination, on SQLite: the database does not know kinds.
func eachKind(t *testing.T, run func(t *testing.T, h *harness, s *broker.Server)) {
	t.Parallel()
	for _, kind := range broker.Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := broker.Start(t, kind)
			run(t, open(t, storetest.SQLite(t)), s)
		})
	}
}

// received are the steps of records in the order of their arrival, without those that the same event made before.
func received(messages []broker.Message) (steps map[string][]int, doubles int) {
	steps, known := map[string][]int{}, map[string]bool{}
	for _, m := range messages {
		var n struct {
			ID   string
			Data struct {
				Object struct {
					ID   string
					Step int
				}
			}
		}
		if json.Unmarshal([]byte(m.Body), &n) != nil || n.Data.Object.Step == 0 {
			continue
		}
		if known[n.ID] {
			doubles++
			continue
		}
		known[n.ID] = true
		steps[n.Data.Object.ID] = append(steps[n.Data.Object.ID], n.Data.Object.Step)
	}
	return steps, doubles
}

func delivered(h *harness, id string) (n int) {
	for _, d := range h.deliveries(id) {
		if d.Status == webhook.Delivered {
			n++
		}
	}
	return n
}

// Every kind gets the events of each record in order, with the body and the headers of a webhook byte for byte. A test and a
// delivery that is sent again arrive too. A paused endpoint gets nothing until it is resumed.
func TestDestinationGetsEvents(t *testing.T) {
	eachKind(t, func(t *testing.T, h *harness, s *broker.Server) {
		if err := h.service.Try(t.Context(), s.Input()); err != nil {
			t.Fatal(err)
		}
		id := h.endpointWith(s.Input())
		h.dispatch(longTimeout)
		records := []*record{h.record(), h.record(), h.record()}
		for range 3 {
			for _, r := range records {
				r.steps(2)
			}
		}
		h.waitFor("all delivered", func() bool { return delivered(h, id) == 18 })
		messages := s.Messages()
		steps, doubles := received(messages)
		for _, r := range records {
			if got := steps[r.id]; !slices.Equal(got, []int{1, 2, 3, 4, 5, 6}) {
				t.Errorf("a record's steps arrived as %v", got)
			}
		}
		if doubles > 0 {
			t.Errorf("%d doubles", doubles)
		}
		h.compare(id, messages)

		h.set(id, `{"active":false}`)
		records[0].step()
		tested := h.test(id, s)
		h.set(id, `{"active":true}`)
		h.waitFor("resumed", func() bool { return delivered(h, id) == 19+tested })
	})
}

// compare compares messages with the notices that the store has, and their headers with those of a webhook.
func (h *harness) compare(id string, messages []broker.Message) {
	h.t.Helper()
	if len(messages) < 18 {
		h.t.Fatalf("%d messages", len(messages))
	}
	e := h.find(id)
	for _, d := range h.deliveries(id) {
		var n webhook.Notice
		h.view(func(tx *store.Tx) (err error) { n, err = tx.Notice(d.EventID); return err })
		i := slices.IndexFunc(messages, func(m broker.Message) bool { return m.Body == n.Body })
		if i < 0 {
			h.t.Fatalf("no message has the body of %s", n.ID)
		}
		want, known, err := h.service.Sent(h.org, e, d, n)
		if err != nil || !known {
			h.t.Fatal(err)
		}
		for name := range want {
			if e.Kind != "s3" && messages[i].Header[name] != want.Get(name) {
				h.t.Errorf("header %s is %q, want %q", name, messages[i].Header[name], want.Get(name))
			}
		}
		if d.Response == "" {
			h.t.Error("the log does not show what the receiver answered")
		}
	}
}

// test makes the test call of an active endpoint, and returns how many deliveries it made.
func (h *harness) test(id string, s *broker.Server) int {
	h.t.Helper()
	h.set(id, `{"active":true}`)
	var started webhook.Started
	h.update(h.org, func(tx *store.Tx) (err error) {
		started, err = h.service.Test(tx, h.call(), id, webhook.PingExample())
		return err
	})
	h.set(id, `{"active":false}`)
	d, err := h.service.Finish(h.t.Context(), h.sender(longTimeout), h.org, started)
	if err != nil || d.Status != webhook.Delivered {
		h.t.Fatalf("test: %v %+v", err, d)
	}
	h.update(h.org, func(tx *store.Tx) error { return h.service.Complete(tx, d) })
	pinged := func(m broker.Message) bool { return strings.Contains(m.Body, webhook.Ping) }
	if !slices.ContainsFunc(s.Messages(), pinged) {
		h.t.Error("the test did not arrive")
	}
	return 1
}

// A destination that cannot be reached, refuses the credentials, or lacks what the settings name is refused before it is stored,
// with the field and the reason, and without a secret.
func TestDestinationIsTriedBeforeItIsStored(t *testing.T) {
	eachKind(t, func(t *testing.T, h *harness, s *broker.Server) {
		missing := map[string]string{"amqp": "config.exchange", "kafka": "config.topic", "nats": "config.stream", "sqs": "url", "s3": "url"}
		for _, c := range []struct {
			name, field string
			change      func(in *webhook.Input)
		}{
			{"wrong credentials", "credentials", func(in *webhook.Input) {
				if in.Broker.Password != "" {
					in.Broker.Password = "wrong-secret"
				} else {
					in.Broker.SecretAccessKey = "wrong-secret"
				}
			}},
			{"missing", missing[s.Kind], func(in *webhook.Input) {
				in.URL = strings.Replace(strings.Replace(in.URL, "s3://events", "s3://others", 1), "/events", "/others", 1)
				if in.Config.Exchange != "" {
					in.Config.Exchange = "others"
				}
				if in.Config.Topic != "" {
					in.Config.Topic = "others"
				}
				if in.Config.Stream != "" {
					in.Config.Stream = "OTHERS"
				}
			}},
			{"other port", "url", func(in *webhook.Input) { *in = s.InputAt(port.For(t)) }},
		} {
			in := s.Input()
			c.change(&in)
			err := h.service.Try(t.Context(), in)
			refused, ok := apierr.As(err)
			if !ok || refused.Code != apierr.InvalidRequest || len(refused.Details) != 1 || refused.Details[0].Field != c.field {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if text := refused.Details[0].Message; strings.Contains(text, "wrong-secret") || strings.Contains(text, broker.Password) || !strings.HasPrefix(text, "cannot be used: ") {
				t.Errorf("%s: %s", c.name, text)
			}
		}
	})
}

// patient are the settings of an endpoint for tests that wait: an attempt may take long on a busy machine, and several may fail
// until a broker that was killed takes messages again.
const patient = `{"retry":{"schedule":[3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600,3600],"timeoutSeconds":60}}`

// retryNow advances the clock to the next attempts, unless one is due.
func (h *harness) retryNow(id string) {
	h.t.Helper()
	if h.waits(id) {
		h.advance(time.Hour)
		h.wake(id)
	}
}

// While a broker is down, the log says why, and nothing is lost: everything arrives in order once it is back.
func TestDestinationGoesDownAndComesBack(t *testing.T) {
	eachKind(t, func(t *testing.T, h *harness, s *broker.Server) {
		in := s.Input()
		in.Retry = &webhook.Retry{Schedule: []int{3600, 3600}, TimeoutSeconds: 5} // no second attempt before the broker is back
		id := h.endpointWith(in)
		h.dispatch(longTimeout)
		one, two := h.record(), h.record()
		one.steps(3)
		h.waitFor("first delivered", func() bool { return delivered(h, id) == 3 })
		before := s.Messages()
		s.Kill()
		one.steps(2)
		two.steps(2)
		h.waitFor("failed", func() bool {
			return slices.ContainsFunc(h.deliveries(id), func(d webhook.Delivery) bool { return d.Error != "" && d.Status == webhook.Pending })
		})
		for _, d := range h.deliveries(id) {
			if d.Error != "" && !strings.Contains(d.Error, "refused") && !strings.Contains(d.Error, "closed") && !strings.Contains(d.Error, "in time") && !strings.Contains(d.Error, "no answer") {
				t.Errorf("the reason is %q", d.Error)
			}
		}
		h.waitFor("both have failed", func() bool {
			failed := map[string]bool{}
			for _, d := range h.deliveries(id) {
				failed[d.ResourceID] = failed[d.ResourceID] || d.Error != ""
			}
			return failed[one.id] && failed[two.id]
		})
		h.set(id, patient)
		s.Restart()
		s.Messages() // it answers
		h.waitFor("all delivered", func() bool { h.retryNow(id); return delivered(h, id) == 7 })
		after := s.Messages()
		if s.Kind == "sqs" || s.Kind == "s3" { // they forget what they had
			after = slices.Concat(before, after)
		}
		steps, doubles := received(after)
		if fmt.Sprint(steps[one.id], steps[two.id]) != "[1 2 3 4 5] [1 2]" || doubles > 4 {
			t.Errorf("%v, %v, %d doubles", steps[one.id], steps[two.id], doubles)
		}
	})
}

// A message that no queue gets, and one that the server does not accept, fail with the reason.
func TestDestinationRefusesMessage(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		change func(in *webhook.Input)
		reason string
	}{
		"amqp":  {func(in *webhook.Input) { in.Config.RoutingKey = "unbound" }, "no queue gets messages with the routing key unbound"},
		"nats":  {func(in *webhook.Input) { in.Config.Subject = "other.subject" }, "no stream stores this subject"},
		"kafka": {func(in *webhook.Input) { in.Config.Topic = "missing" }, "the topic does not exist"},
		"sqs":   {func(in *webhook.Input) { in.URL = strings.Replace(in.URL, "/events", "/others", 1) }, "the queue does not exist"},
		"s3":    {func(in *webhook.Input) { in.URL = "s3://others" }, "the bucket does not exist"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := broker.Start(t, kind)
			h, in := open(t, storetest.SQLite(t)), s.Input()
			c.change(&in)
			id := h.endpointWith(in)
			h.dispatch(longTimeout)
			h.record().step()
			h.waitFor("failed", func() bool { d := h.deliveries(id); return len(d) == 1 && d[0].Error != "" })
			if d := h.deliveries(id)[0]; !strings.Contains(d.Error, c.reason) || d.Status != webhook.Pending {
				t.Errorf("%s: %s", d.Status, d.Error)
			}
		})
	}
}

// Events of one record that wait go into one object, in order; an object is complete or not there.
func TestStorageGetsBatches(t *testing.T) {
	t.Parallel()
	s := broker.Start(t, "s3")
	h := open(t, storetest.SQLite(t))
	id := h.endpointWith(s.Input())
	r := h.record()
	r.steps(5)
	h.records(100)
	h.dispatch(longTimeout)
	h.waitFor("all delivered", func() bool { return delivered(h, id) == 105 })
	if keys := s.Objects(); len(keys) != 2 || !strings.HasPrefix(keys[0], "from/tidewaiter/20") || !strings.HasSuffix(keys[0], ".ndjson") {
		t.Errorf("objects: %v", keys)
	}
	if steps, doubles := received(s.Messages()); !slices.Equal(steps[r.id], []int{1, 2, 3, 4, 5}) || doubles != 0 || len(steps) != 101 {
		t.Errorf("%v, %d doubles, %d records", steps[r.id], doubles, len(steps))
	}
}

// Settings that belong to another kind are refused by name.
func TestSettingsOfOtherKinds(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	password := &destination.Credentials{Username: "u", Password: "p"}
	access := &destination.Credentials{AccessKeyID: "A", SecretAccessKey: "s"}
	for _, c := range []struct {
		in     webhook.Input
		fields string
	}{
		{webhook.Input{URL: "https://example.com/", Config: &destination.Config{Topic: "x"}, Credentials: webhook.Credentials{Broker: password}}, "config credentials"},
		{webhook.Input{Kind: "other", URL: "https://example.com/"}, "kind"},
		{webhook.Input{Kind: "nats", URL: "nats://example.com", Config: &destination.Config{Topic: "x"}}, "config.topic config.stream config.subject"},
		{webhook.Input{Kind: "nats", URL: "nats://u:p@example.com", Config: &destination.Config{Stream: "S", Subject: "a.*"}}, "url config.subject"},
		{webhook.Input{Kind: "kafka", URL: "kafka://169.254.169.254:9092", Config: &destination.Config{Topic: "a b"}, Credentials: webhook.Credentials{Broker: access}}, "url config.topic credentials"},
		{webhook.Input{Kind: "amqp", URL: "https://example.com", Config: &destination.Config{Exchange: "x"}}, "url credentials"},
		{webhook.Input{Kind: "amqp", URL: "amqps://one,two", Config: &destination.Config{}, Credentials: webhook.Credentials{Broker: password}}, "url config.exchange"},
		{webhook.Input{Kind: "sqs", URL: "https://example.com/1/q", Credentials: webhook.Credentials{Broker: access}}, "config.region"},
		{webhook.Input{Kind: "s3", URL: "s3://B", Config: &destination.Config{Region: "r"}, Credentials: webhook.Credentials{Broker: password}}, "url credentials"},
		{webhook.Input{
			Kind: "kafka", URL: "kafka://one.example.com:9093,two.example.com", Config: &destination.Config{Topic: "t"},
			Options: webhook.Options{Headers: map[string]string{"X-A": "b"}}, Credentials: webhook.Credentials{OAuth: &webhook.ClientGrant{TokenURL: "https://example.com"}},
		}, "headers oauth"},
	} {
		err := h.service.Try(t.Context(), c.in)
		if c.in.Kind == "" {
			err = h.store.Update(t.Context(), h.org, func(tx *store.Tx) error { _, _, err := h.service.Create(tx, h.call(), c.in); return err })
		}
		var fields []string
		if refused, ok := apierr.As(err); ok {
			for _, d := range refused.Details {
				fields = append(fields, d.Field)
			}
		}
		slices.Sort(fields)
		want := strings.Fields(c.fields)
		slices.Sort(want)
		if !slices.Equal(fields, want) {
			t.Errorf("%s %s: %v, want %v", c.in.Kind, c.in.URL, fields, want)
		}
	}
}

// Without the operator's permission no address is used without TLS, whatever the kind.
func TestAddressWithoutTLSNeedsPermission(t *testing.T) {
	t.Parallel()
	strict := destinations(ssrf.New(ssrf.Settings{}))
	for kind, url := range map[string]string{"amqp": "amqp://example.com", "sqs": "http://sqs.eu-west-2.amazonaws.com/1/q"} {
		problems := strict.Kinds[kind].Problems(strict.Network, destination.Settings{URL: url})
		if !slices.ContainsFunc(problems, func(d apierr.Detail) bool { return d.Field == "url" && strings.Contains(d.Message, "TLS") }) {
			t.Errorf("%s: %v", kind, problems)
		}
	}
}
