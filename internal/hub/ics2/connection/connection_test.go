package connection_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

// A declaration is accepted and amended, and nothing waits at HMRC afterwards.
func TestJourney(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), declared)
		d.Must(d.submit(id, ""))
		d.Continue(1)
		if s := d.want(id, lifecycle.Accepted); s.MRN == nil || *s.ReferenceSource != "simulator" {
			d.Errorf("accepted: %+v", s)
		}
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 500, Path: ensapi.OutcomesPath}) // what HMRC decides is not seen yet
		d.Must(d.amend(id, strings.Replace(declared, `"totalPackages":420`, `"totalPackages":421`, 1)))
		if err := d.amend(id, declared); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("amended before HMRC has decided: %v", err)
		}
		if s := d.want(id, lifecycle.Accepted); s.TotalPackages != 420 || s.Amendment == nil || s.Amendment.Status != "SENT" {
			d.Errorf("amended before HMRC has decided: %+v", s)
		}
		d.sim.Inject(simulator.Fault{})
		d.Continue(2)
		if s := d.want(id, lifecycle.Accepted); s.TotalPackages != 421 || s.Amendment == nil || s.Amendment.Status != "ACCEPTED" {
			d.Errorf("amended: %+v", s)
		}
		if taken, accepted, waiting := d.declarations(ours); taken != 1 || accepted != 2 || waiting != 0 {
			d.Errorf("%d declarations, %d outcomes, %d not acknowledged", taken, accepted, waiting)
		}
	})
}

// A test clock may stand still. HMRC is asked about a filing once it has taken it: also if the filing is computed before, and if a call
// that began before ends after.
func TestOutcomeWhileClockStands(t *testing.T) {
	t.Run("computed before", func(t *testing.T) {
		each(t, func(d *harness) {
			id := d.Create(call(ours), declared)
			d.send(id)
			d.WorkOn(exchange.ApplyQueue)
			d.Work()
			d.want(id, lifecycle.Accepted)
		})
	})
	t.Run("during a call", func(t *testing.T) {
		each(t, func(d *harness) {
			id, other := d.Create(call(ours), declared), d.Create(call(ours), declared)
			d.send(other)
			sent := false
			poll := d.channel.Poll
			d.channel.Poll = func(ctx context.Context, by exchange.Caller, from exchange.Position) (exchange.Fetched, error) {
				f, err := poll(ctx, by, from)
				if !sent {
					sent = true
					d.send(id)
				}
				return f, err
			}
			d.Work()
			d.want(other, lifecycle.Accepted)
			d.want(id, lifecycle.Accepted)
		})
	})
}

// Whatever happens to the answer of a submission, HMRC accepts the declaration once, and the filing shows it.
func TestLostAnswers(t *testing.T) {
	for name, f := range map[string]simulator.Fault{
		"the declaration is stored and not answered": {Kind: simulator.HangUpAfter},
		"the declaration is not read":                {Kind: simulator.HangUp},
		"HMRC fails":                                 {Kind: simulator.Answer, Status: 500},
		"the answer is no XML":                       {Kind: simulator.Answer, Status: 200, Body: "<html>busy"},
		"a gateway's page":                           {Kind: simulator.Answer, Status: 502, Body: "<html>busy</html>"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(d *harness) {
				f.Path, f.Calls = ensapi.DeclarationsPath, 1
				d.sim.Inject(f)
				id := d.Create(call(ours), declared)
				if err := d.submit(id, ""); !apierr.Is(err, apierr.HMRCUnreachable) {
					d.Fatalf("submitted: %v", err)
				}
				if err := d.amendDraft(id); !apierr.Is(err, apierr.InvalidState) {
					d.Errorf("changed while HMRC may have it: %v", err)
				}
				d.Continue(90)
				s := d.want(id, lifecycle.Accepted)
				if taken, _, waiting := d.declarations(ours); taken != 1 || waiting != 0 || s.MRN == nil || s.Refusals != nil {
					d.Errorf("%d declarations, %d not acknowledged: %+v", taken, waiting, s)
				}
				if again := d.submit(id, ""); !apierr.Is(again, apierr.InvalidState) && again != nil {
					d.Errorf("submitted again: %v", again)
				}
			})
		})
	}
}

// amendDraft changes the body of a draft, which the connection refuses while the draft may be at HMRC.
func (d *harness) amendDraft(id string) error {
	d.Helper()
	_, _, err := d.Service.Act(d.Context(), outbox.Request{Call: call(ours)}, d.Kind, id, exchange.Action{By: lifecycle.Amend, Input: []byte(declared)})
	return err
}

// HMRC's limit and a maintenance window send nothing: the answer says so, and the same submission is sent once it is made again.
func TestNothingSent(t *testing.T) {
	for name, f := range map[string]simulator.Fault{
		"limit":       {Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"90"}}, Body: "<error><code>MESSAGE_THROTTLED_OUT</code><message>x</message></error>"},
		"maintenance": {Kind: simulator.Answer, Status: 503, Body: "<error><code>SCHEDULED_MAINTENANCE</code><message>Back at 6</message></error>"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(d *harness) {
				f.Path = ensapi.DeclarationsPath
				d.sim.Inject(f)
				id := d.Create(call(ours), declared)
				ended := make(chan error, 1)
				ctx, cancel := context.WithCancel(d.Context())
				go func() {
					_, _, err := d.Service.Act(ctx, outbox.Request{Call: call(ours)}, d.Kind, id, exchange.Action{By: lifecycle.Submit})
					ended <- err
				}()
				for len(d.Messages(ours, id)) == 0 {
					time.Sleep(time.Millisecond)
				}
				d.Work()
				if name == "limit" {
					cancel() // the caller gives up; the message is sent after the time that HMRC named
				}
				if err := <-ended; err == nil {
					d.Error("submitted")
				}
				cancel()
				d.want(id, lifecycle.Draft)
				d.sim.Inject(simulator.Fault{})
				if name != "limit" {
					d.Must(d.submit(id, ""))
				}
				d.Advance(80 * time.Second)
				d.Work()
				if taken, _, _ := d.declarations(ours); name == "limit" && taken != 0 {
					d.Error("sent before the time that HMRC named")
				}
				d.Continue(2)
				d.want(id, lifecycle.Accepted)
				if taken, accepted, _ := d.declarations(ours); taken != 1 || accepted != 1 {
					d.Errorf("%d declarations, %d outcomes", taken, accepted)
				}
			})
		})
	}
}

// A failed look at HMRC is repeated, after the time that HMRC names, and loses nothing.
func TestFailedPoll(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), declared)
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"600"}}, Path: ensapi.OutcomesPath})
		d.Must(d.submit(id, ""))
		d.Continue(2)
		before := d.lists.Load()
		d.sim.Inject(simulator.Fault{})
		d.Continue(5)
		if n := d.lists.Load(); before == 0 || n != before {
			d.Errorf("%d calls within the time that HMRC named, %d before", n-before, before)
		}
		d.want(id, lifecycle.Submitted)
		d.Continue(6)
		d.want(id, lifecycle.Accepted)
		for name, f := range map[string]simulator.Fault{
			"no XML": {Kind: simulator.Answer, Status: 200, Body: "<html>"}, "fails": {Kind: simulator.Answer, Status: 500}, "hangs up": {Kind: simulator.HangUp},
		} {
			f.Path = ensapi.NotificationsPath
			d.sim.Inject(f)
			id := d.Create(call(ours), declared)
			d.Must(d.submit(id, ""))
			d.Continue(3)
			d.sim.Inject(simulator.Fault{})
			d.Continue(3)
			if s := d.read(ours, id); s.Status != lifecycle.Accepted {
				d.Errorf("%s: %+v", name, s)
			}
		}
	})
}

// An outcome that HMRC cannot give does not keep others from being read. It is read later.
func TestOneOutcomeFails(t *testing.T) {
	each(t, func(d *harness) {
		one := d.Create(call(ours), declared)
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 500, Path: ensapi.OutcomesPath})
		d.Must(d.submit(one, ""))
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 500, Path: ensapi.OutcomesPath + d.Messages(ours, one)[0].Receipt.Correlation})
		other := d.Create(call(ours), declared)
		d.Must(d.submit(other, ""))
		d.Continue(3)
		d.want(other, lifecycle.Accepted)
		d.want(one, lifecycle.Submitted)
		d.sim.Inject(simulator.Fault{})
		d.Continue(1)
		d.want(one, lifecycle.Accepted)
	})
}

// A process may die before or after any transaction of a submission. The next one continues: HMRC accepts the
// declaration once, and nothing is stuck.
func TestCrash(t *testing.T) {
	for steps := range 6 {
		t.Run(string(rune('0'+steps)), func(t *testing.T) {
			each(t, func(d *harness) {
				id := d.Create(call(ours), declared)
				n := 0
				d.Crash = func() bool { n++; return n > steps }
				ctx, cancel := context.WithTimeout(d.Context(), 20*time.Second)
				defer cancel()
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					_, _, _ = d.Service.Act(ctx, outbox.Request{Call: call(ours)}, d.Kind, id, exchange.Action{By: lifecycle.Submit})
				}()
				for !d.IsDead() && d.read(ours, id).Status != lifecycle.Accepted {
					d.Advance(time.Second)
					d.Work()
				}
				cancel()
				<-ended
				d.Revive()
				d.Continue(90)
				if d.read(ours, id).Status == lifecycle.Draft { // the process died before it had stored the submission
					d.Must(d.submit(id, ""))
					d.Continue(3)
				}
				s := d.want(id, lifecycle.Accepted)
				if taken, _, waiting := d.declarations(ours); taken != 1 || waiting != 0 || s.Refusals != nil {
					d.Errorf("%d declarations, %d not acknowledged: %+v", taken, waiting, s)
				}
			})
		})
	}
}

// So it is with an amendment: the declaration is as it was amended, and HMRC has one.
func TestCrashOfAmendment(t *testing.T) {
	amended := strings.Replace(declared, `"totalPackages":420`, `"totalPackages":421`, 1)
	for steps := range 6 {
		t.Run(string(rune('0'+steps)), func(t *testing.T) {
			each(t, func(d *harness) {
				id := d.accepted()
				d.ActDying(id, steps, exchange.Action{By: lifecycle.Amend, Input: []byte(amended)})
				if d.read(ours, id).TotalPackages == 420 { // the process died before it had stored the amendment
					d.Must(d.amend(id, amended))
					d.Continue(3)
				}
				s := d.want(id, lifecycle.Accepted)
				if taken, _, waiting := d.declarations(ours); s.TotalPackages != 421 || taken != 1 || waiting != 0 || s.Refusals != nil {
					d.Errorf("%d declarations, %d not acknowledged: %+v", taken, waiting, s)
				}
			})
		})
	}
}

// Two organisations with the same declaration get an MRN each.
func TestTwoOrganisations(t *testing.T) {
	each(t, func(d *harness) {
		mine, yours := d.accepted(), d.Create(call(theirs), declared)
		done := make(chan error, 1)
		go func() {
			_, _, err := d.Service.Act(d.Context(), outbox.Request{Call: call(theirs)}, d.Kind, yours, exchange.Action{By: lifecycle.Submit})
			done <- err
		}()
		for len(d.Messages(theirs, yours)) == 0 {
			time.Sleep(time.Millisecond)
		}
		d.Work()
		d.Must(<-done)
		d.Continue(1)
		a, b := d.read(ours, mine), d.read(theirs, yours)
		if b.Status != lifecycle.Accepted || *a.MRN == *b.MRN || len(d.Messages(theirs, mine)) != 0 {
			d.Errorf("%+v and %+v", a, b)
		}
	})
}

// Messages have the same effect in whatever order they come, and however often.
func TestOrder(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), declared)
		d.Must(d.submit(id, "intervene"))
		d.Continue(1)
		d.Must(d.amend(id, strings.Replace(declared, `"totalPackages":420`, `"totalPackages":421`, 1)))
		d.Continue(1)
		d.want(id, lifecycle.Accepted)
		sent, came := []exchange.Message{}, []exchange.Message{}
		for _, m := range d.Messages(ours, id) {
			if m.Direction == exchange.In {
				came = append(came, m)
			} else {
				sent = append(sent, m)
			}
		}
		if len(came) != 3 {
			d.Fatalf("%d messages came", len(came))
		}
		a, r := d.Service.Of(d.Kind.Kind), d.Record(id)
		r.Status = lifecycle.Submitted
		first, err := a.Apply(r, slices.Concat(sent, came), d.Clock())
		d.Must(err)
		random := rand.New(rand.NewPCG(1, 1)) // #nosec G404 -- the same orders in each run
		for range 20 {
			other := slices.Concat(came, came)
			random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
			c, err := a.Apply(r, slices.Concat(sent, other), d.Clock())
			d.Must(err)
			if c.State != first.State || c.Reference != first.Reference || c.State != lifecycle.Accepted || len(c.Extras) != len(first.Extras) {
				d.Fatalf("%+v and %+v", first, c)
			}
		}
	})
}

// A message that is damaged, of an unknown version or of an unknown kind is kept and shown. It changes nothing, and what comes after it
// is applied.
func TestUnreadable(t *testing.T) {
	each(t, func(d *harness) {
		id := d.accepted()
		correlation := d.Messages(ours, id)[0].Receipt.Correlation
		for name, raw := range map[string]string{
			"malformed":           "<outcomeResponse><response>",
			"no XML":              "{}",
			"unknown version":     `<outcomeResponse><response><ie:CC328B xmlns:ie="http://ics.dgtaxud.ec/CC328B"><CorIdeMES25>` + correlation + `</CorIdeMES25></ie:CC328B></response></outcomeResponse>`,
			"unknown message":     `<outcomeResponse><response><a/></response></outcomeResponse>`,
			"a document type":     `<!DOCTYPE a [<!ENTITY b "c">]><outcomeResponse>&b;</outcomeResponse>`,
			"nothing in its body": "",
		} {
			ch := *d.channel
			d.channel.Poll = func(context.Context, exchange.Caller, exchange.Position) (exchange.Fetched, error) {
				return exchange.Fetched{Messages: []exchange.Received{document(name, correlation, raw)}}, nil
			}
			d.Advance(2 * time.Hour)
			d.Work()
			d.channel.Poll = ch.Poll
			s := d.want(id, lifecycle.Accepted)
			kept := slices.ContainsFunc(d.Messages(ours, id), func(m exchange.Message) bool { return m.ExternalID == name && string(m.Raw) == raw })
			if !kept || len(s.Problems) == 0 {
				d.Errorf("%s: kept %v, shown %q", name, kept, s.Problems)
			}
		}
		d.Must(d.amend(id, strings.Replace(declared, `"totalPackages":420`, `"totalPackages":421`, 1)))
		d.Continue(1)
		if s := d.want(id, lifecycle.Accepted); s.TotalPackages != 421 {
			d.Errorf("amended: %+v", s)
		}
	})
}

// A message about no known filing is kept and applied once a person has claimed it. Another organisation does not see it.
func TestUnknownFiling(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), declared)
		d.Must(d.submit(id, "silent"))
		d.Continue(1)
		d.want(id, lifecycle.Submitted)
		d.Receive(exchange.Received{ID: "outcome/AAAAAAAAAAAAAA", Kind: "CC328A", Correlation: "AAAAAAAAAAAAAA", Raw: []byte(
			`<outcomeResponse><response><cc3:CC328A xmlns:cc3="http://ics.dgtaxud.ec/CC328A"><CorIdeMES25>AAAAAAAAAAAAAA</CorIdeMES25><HEAHEA><RefNumHEA4>OTHER</RefNumHEA4>` +
				`<DocNumHEA5>26GB3TTI2CQ1C7FGR4</DocNumHEA5></HEAHEA></cc3:CC328A></response></outcomeResponse>`)})
		d.Continue(2)
		if s := d.want(id, lifecycle.Submitted); len(d.Unclaimed(ours)) != 1 || len(d.Unclaimed(theirs)) != 0 {
			d.Errorf("not claimed: %+v", s)
		}
		if err := d.Claim(theirs, exchangetest.MessageID, id); !apierr.Is(err, apierr.NotFound) {
			d.Errorf("another organisation: %v", err)
		}
		d.Must(d.Claim(ours, exchangetest.MessageID, id))
		d.Work()
		if s := d.want(id, lifecycle.Accepted); s.MRN == nil || *s.MRN != "26GB3TTI2CQ1C7FGR4" || len(d.Unclaimed(ours)) != 0 {
			d.Errorf("claimed: %+v", s)
		}
	})
}

// An outcome may be fetched before the answer to the submission is stored. It finds the filing by its LRN, and nothing is left over.
func TestOutcomeFirst(t *testing.T) {
	each(t, func(d *harness) {
		first := d.accepted() // so that the organisation is asked about
		id := d.Create(call(ours), declared)
		send := d.channel.Send
		d.channel.Send = func(ctx context.Context, c exchange.Caller, m *exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
			r := send(ctx, c, m, repeated)
			d.Advance(2 * time.Hour) // the next look for the first filing
			for _, p := range d.polls() {
				d.Must(d.Service.RunPoll(ctx, p))
			}
			return r
		}
		d.Must(d.submit(id, ""))
		d.Continue(2)
		d.want(first, lifecycle.Accepted)
		s := d.want(id, lifecycle.Accepted)
		came := slices.ContainsFunc(d.Messages(ours, id), func(m exchange.Message) bool { return m.Direction == exchange.In })
		if !came || s.MRN == nil || len(d.Unclaimed(ours)) != 0 {
			d.Errorf("%+v, %d messages without a filing", s, len(d.Unclaimed(ours)))
		}
	})
}
