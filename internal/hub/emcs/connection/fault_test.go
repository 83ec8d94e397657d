package connection_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs/connection"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

const movementsPath = "/customs/excise/movements"

// stored is the service with a real store and the simulator.
type stored struct {
	*exchangetest.Harness
	sim     *emcssim.Server
	channel *exchange.Channel
	lists   atomic.Int64 // calls of the list of movements
}

func eachStored(t *testing.T, run func(d *stored)) {
	exchangetest.Each(t, func(h *exchangetest.Harness) {
		d := &stored{Harness: h}
		var err error
		d.sim, err = emcssim.NewServer(simulator.Options{Clock: simulator.OneClock(d.Clock), Log: slog.New(slog.DiscardHandler)})
		d.Must(err)
		counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && r.URL.Path == movementsPath {
				d.lists.Add(1)
			}
			d.sim.ServeHTTP(w, r)
		})
		c, err := movementapi.New(movementapi.Settings{BaseURL: d.Serve(counted), Deadline: exchangetest.Deadline}, client.NewLimiter(1e6), d.Clock)
		d.Must(err)
		d.Cleanup(c.Close)
		a := connection.Authority(hub.Movements.Type())
		d.channel = connection.Channel(a, exchange.Simulator, c)
		d.Connect(a, d.channel)
		run(d)
	})
}

// draft stores a draft of our organisation.
func (d *stored) draft() string {
	d.Helper()
	return d.Create(exchangetest.Call(ours), wholeBody(d.T))
}

func (d *stored) act(id string, by lifecycle.Action, input string) error {
	d.Helper()
	a := exchange.Action{By: by}
	if input != "" {
		a.Input = []byte(input)
	}
	return d.Act(outbox.Request{Call: exchangetest.Call(ours)}, id, a)
}

// shownMovement is a movement as the tests look at it.
type shownMovement struct {
	Status   lifecycle.State
	ARC      string   `json:"arc"`
	LRN      string   `json:"localReferenceNumber"`
	Problems []string `json:"messageProblems"`
}

func (d *stored) want(id string, status lifecycle.State) (m shownMovement) {
	d.Helper()
	if d.Read(ours, id, &m); m.Status != status {
		d.Fatalf("the movement is %s, not %s: %+v", m.Status, status, m)
	}
	return m
}

// taken counts the messages of our organisation that HMRC has taken, by their kind.
func (d *stored) taken() string {
	d.Helper()
	count := map[emcs.Kind]int{}
	for r := range d.sim.Records() {
		if r.Organisation == string(ours) {
			m, err := emcs.Decode(r.Document)
			d.Must(err)
			count[m.Kind]++
		}
	}
	return fmt.Sprint(count)
}

const received = `{"conclusion":1,"arrivedOn":"2026-11-27"}`

// A process may die before any of its transactions while a movement is submitted and received. HMRC gets each message once, and nothing is stuck.
func TestMovementCrash(t *testing.T) {
	for writes := range 7 {
		t.Run(fmt.Sprint(writes), func(t *testing.T) {
			eachStored(t, func(d *stored) {
				id := d.draft()
				d.ActDying(id, writes, exchange.Action{By: lifecycle.Submit})
				var m shownMovement
				if d.Read(ours, id, &m); m.Status == lifecycle.Draft { // the process died before it had stored the message
					d.Must(d.act(id, lifecycle.Submit, ""))
				}
				d.want(id, hub.InTransit)
				d.ActDying(id, writes, exchange.Action{By: hub.Receipt, Input: []byte(received)})
				if d.Read(ours, id, &m); m.Status == hub.InTransit {
					d.Must(d.act(id, hub.Receipt, received))
				}
				d.want(id, hub.Delivered)
				if got := d.taken(); got != "map[IE815:1 IE818:1]" {
					d.Error(got)
				}
				if left := d.Unclaimed(ours); len(left) != 0 {
					d.Errorf("%d messages without a movement", len(left))
				}
			})
		})
	}
}

// HMRC's limit, a maintenance window of hours, and answers that cannot be read do not lose what HMRC sends: it is fetched afterwards, and not before the time that
// HMRC names.
func TestFailedFetch(t *testing.T) {
	for name, c := range map[string]struct {
		simulator.Fault
		minutes int  // for which it lasts
		later   bool // HMRC names a time that is later
	}{
		"limit":       {simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"600"}}}, 2, true},
		"maintenance": {simulator.Fault{Kind: simulator.Answer, Status: 503, Body: `{"code":"SCHEDULED_MAINTENANCE","message":"x"}`}, 240, false},
		"no JSON":     {simulator.Fault{Kind: simulator.Answer, Status: 200, Body: "<html>busy"}, 5, false},
		"hangs up":    {simulator.Fault{Kind: simulator.HangUp}, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			eachStored(t, func(d *stored) {
				id := d.draft()
				send := d.channel.Send
				d.channel.Send = func(ctx context.Context, by exchange.Caller, m *exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
					defer d.sim.Inject(c.Fault)
					return send(ctx, by, m, repeated)
				}
				d.Must(d.act(id, lifecycle.Submit, ""))
				d.Continue(c.minutes)
				d.want(id, lifecycle.Submitted)
				before := d.lists.Load()
				d.sim.Inject(simulator.Fault{})
				if c.later {
					d.Continue(5)
					d.want(id, lifecycle.Submitted)
					if n := d.lists.Load(); n != before || n == 0 {
						d.Errorf("%d calls within the time that HMRC named, %d before", n-before, before)
					}
				}
				d.Continue(20)
				d.want(id, hub.InTransit)
			})
		})
	}
}

// What is damaged, or in a version of the schema that is not known, is kept and named; what comes after it is applied. It comes through the list of messages, as
// everything does.
func TestUnreadableIsKept(t *testing.T) {
	eachStored(t, func(d *stored) {
		id := d.draft()
		d.Must(d.act(id, lifecycle.Submit, ""))
		d.want(id, hub.InTransit)
		var accepted exchange.Message
		for _, m := range d.Messages(ours, id) {
			if m.Kind == string(emcs.Accepted) {
				accepted = m
			}
		}
		poll := d.channel.Poll
		texts := map[string]string{
			"malformed": "<IE818", "unknown version": strings.ReplaceAll(string(accepted.Raw), "V3.23", "V9.99"), "unknown message": `<a xmlns="b"/>`,
		}
		d.channel.Poll = func(ctx context.Context, by exchange.Caller, from exchange.Position) (exchange.Fetched, error) {
			f, err := poll(ctx, by, from)
			for name, text := range texts {
				f.Messages = append(f.Messages, exchange.Received{ID: accepted.Correlation + "/" + name, Kind: "IE818", Correlation: accepted.Correlation, MediaType: "application/xml", Raw: []byte(text)})
			}
			return f, err
		}
		d.Continue(20)
		m := d.want(id, hub.InTransit)
		for name, text := range texts {
			kept := slices.ContainsFunc(d.Messages(ours, id), func(m exchange.Message) bool { return string(m.Raw) == text })
			if named := strings.Contains(strings.Join(m.Problems, "\n"), name); !kept || !named {
				d.Errorf("%s: kept %t, named %t: %q", name, kept, named, m.Problems)
			}
		}
		d.Must(d.act(id, hub.Receipt, received))
		d.Continue(2)
		d.want(id, hub.Delivered)
	})
}

// The messages of a movement that no record is about are kept, shown to its organisation alone, and make the movement of a draft for which a person claims them.
func TestUnknownMovement(t *testing.T) {
	eachStored(t, func(d *stored) {
		accepted := emcstest.Acceptance(d.Clock(), 1, "2026-11-27")
		text, err := emcs.Encode(accepted)
		d.Must(err)
		poll := d.channel.Poll
		d.channel.Poll = func(ctx context.Context, by exchange.Caller, from exchange.Position) (exchange.Fetched, error) {
			f, err := poll(ctx, by, from)
			f.Messages = append(f.Messages, exchange.Received{ID: "other/1", Kind: string(emcs.Accepted), Correlation: "other", MediaType: "application/xml", Raw: text})
			return f, err
		}
		known, fresh := d.draft(), d.draft()
		d.Must(d.act(known, lifecycle.Submit, ""))
		d.Continue(20)
		left := d.Unclaimed(ours)
		if len(left) != 1 || string(left[0].Raw) != string(text) || len(d.Unclaimed(theirs)) != 0 {
			d.Fatalf("%d messages without a movement, %d of the others", len(left), len(d.Unclaimed(theirs)))
		}
		if err := d.Claim(theirs, left[0].ID, fresh); !apierr.Is(err, apierr.NotFound) {
			d.Errorf("claimed by another organisation: %v", err)
		}
		d.Must(d.Claim(ours, left[0].ID, fresh))
		d.Continue(1)
		if m := d.want(fresh, hub.InTransit); m.ARC != emcstest.ARC || len(d.Unclaimed(ours)) != 0 {
			d.Errorf("%+v", m)
		}
		if m := d.want(known, hub.InTransit); m.ARC == emcstest.ARC {
			d.Errorf("%+v", m)
		}
	})
}
