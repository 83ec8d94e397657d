package haulier_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms/haulier"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

// A record follows the simulator from its creation to the end of its crossing, by the clock.
func TestJourney(t *testing.T) {
	each(t, func(d *harness) {
		by := call(ours)
		by.Simulate = "inspect"
		id := d.Create(by, goods)
		if s := d.want(id, lifecycle.Draft); s.GMR != "" || s.ReferenceSource != nil {
			d.Errorf("before HMRC has answered: %+v", s)
		}
		if err := d.amend(id, goods); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("corrected before HMRC has answered: %v", err)
		}
		d.Work()
		s := d.want(id, gvms.Open)
		if s.GMR == "" || s.ReferenceSource == nil || *s.ReferenceSource != "simulator" || s.Inspect == nil || !*s.Inspect || len(s.ReportTo) != 1 {
			d.Errorf("opened as %+v", s)
		}
		d.Must(d.amend(id, strings.Replace(goods, `,"customsDeclarations":["26GB3TTI2CQ1C7FGR4"]`, "", 1)))
		if s := d.want(id, gvms.NotFinalisable); len(s.RuleFailures) != 1 {
			d.Errorf("without a declaration: %+v", s)
		}
		d.Must(d.amend(id, strings.Replace(goods, "AB24 CDE", "XY24 CDE", 1)))
		if s := d.want(id, gvms.Open); s.RuleFailures != nil || s.VehicleReg != "XY24 CDE" {
			d.Errorf("mended: %+v", s)
		}
		crossing := time.Date(2026, 11, 30, 6, 30, 0, 0, time.UTC)
		for _, stage := range []struct {
			after  time.Duration
			status lifecycle.State
		}{{-time.Hour, gvms.CheckedIn}, {0, gvms.Embarked}, {2 * time.Hour, gvms.Completed}} {
			d.SetClock(crossing.Add(stage.after))
			d.Work()
			d.want(id, stage.status)
			if stage.status == gvms.CheckedIn {
				if err := d.amend(id, goods); err != nil {
					d.Errorf("the engine has to refuse the correction: %v", err)
				}
			}
		}
		d.Advance(40 * 24 * time.Hour)
		if n := d.Work(); n > 1 {
			d.Errorf("%d jobs after the end", n)
		}
	})
}

// Time may jump over all stages: the record is where HMRC has it.
func TestCatchUp(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.want(id, gvms.Open)
		d.Advance(30 * 24 * time.Hour)
		d.Must(d.Service.CatchUp(d.Context(), ours))
		d.want(id, gvms.Completed)
	})
}

// A call that began before the clock was set may put a record off after it was set. It is asked about nevertheless.
func TestCatchUpAfterAnEarlierCall(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.want(id, gvms.Open)
		d.Advance(30 * 24 * time.Hour)
		later := d.Clock().Add(time.Hour)
		d.Must(d.Service.Store.UpdateAuthority(d.Context(), ours, func(tx exchange.Tx) error {
			polls, err := tx.AuthorityPolls(1)
			if err != nil {
				return err
			}
			due, err := tx.DueAuthorityRecords(polls[0], d.Clock(), 1)
			if err != nil {
				return err
			}
			due[0].Next = later
			return tx.PutAuthorityRecord(due[0])
		}))
		d.Must(d.Service.CatchUp(d.Context(), ours))
		d.want(id, gvms.Completed)
	})
}

// What is sent while a job finds that nothing is due is asked about soon.
func TestUpdateWhilePolling(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.want(id, gvms.Open)
		d.Update(ours, func(tx *store.Tx) error { return tx.RunQueueNow(exchange.PollQueue, 0) })
		leased, err := d.Store.LeaseJobs(d.Context(), exchange.PollQueue, 1, jobs.Lease)
		d.Must(err)
		d.Before = func() {
			without := strings.Replace(goods, `,"customsDeclarations":["26GB3TTI2CQ1C7FGR4"]`, "", 1)
			d.Must(d.Act(outbox.Request{Call: call(ours)}, id, exchange.Action{By: lifecycle.Amend, Input: json.RawMessage(without)}))
		}
		d.Must(d.Service.RunPoll(d.Context(), leased[0]))
		d.Advance(2 * time.Second)
		d.Work()
		d.want(id, gvms.NotFinalisable)
	})
}

// A repeat that has looked for its answer before the first call was accepted, such as one after a crash, sends nothing again. Another
// call, and one after the time for which keys are kept, does.
func TestRepeatSendsNothingAgain(t *testing.T) {
	each(t, func(d *harness) {
		later := strings.Replace(goods, "2026-11-30", "2026-12-20", 1)
		id := d.Create(call(ours), later)
		d.Work()
		d.want(id, gvms.Open)
		update := exchange.Action{By: lifecycle.Amend, Input: json.RawMessage(strings.Replace(later, "AB24 CDE", "AB25 CDE", 1))}
		for _, step := range []struct {
			key  string
			wait time.Duration
			want int
		}{{"one", 0, 1}, {"one", 0, 1}, {"two", 0, 2}, {"one", idempotency.TTL, 3}} {
			d.Advance(step.wait)
			d.Must(d.Act(outbox.Request{Call: call(ours), Key: step.key, Digest: "of the body"}, id, update))
			if got := d.updates(id); got != step.want {
				d.Errorf("%d updates were sent after the call with key %s, not %d", got, step.key, step.want)
			}
		}
	})
}

// A notification lets the record be read at once, and once. One that comes while the record is read may be about what was not read yet, so it is read
// again; so it is after a failed call. A notification about an unknown record is accepted, and a simulator sends none.
func TestNotifications(t *testing.T) {
	each(t, func(d *harness) {
		if _, err := d.Service.Notified(d.Context(), haulier.ID, []byte(`{"gmrId":"GMRA00KW8LTT"}`)); !errors.Is(err, exchange.ErrNoNotices) {
			d.Errorf("a simulator sends notifications: %v", err)
		}
		d.channel.Mode = exchange.Sandbox
		d.Must(d.Service.Prepare(d.Context(), d.channel))
		id := d.Create(call(ours), goods)
		d.Work()
		d.Continue(11) // until HMRC shows what was sent
		gmr := d.want(id, gvms.Open).GMR
		notify := func(gmr string, want int) {
			d.Helper()
			n, err := d.Service.Notified(d.Context(), haulier.ID, []byte(`{"gmrId":"`+gmr+`"}`))
			if err != nil || n != want {
				d.Errorf("%d organisations, %v", n, err)
			}
		}
		reads := func(want int64) {
			d.Helper()
			before := d.lists.Load()
			d.Advance(time.Second)
			d.Work()
			if n := d.lists.Load() - before; n != want {
				d.Errorf("read %d times, not %d", n, want)
			}
		}
		reads(0)
		notify("GMRA00KW8LTT", 0)
		reads(0)
		notify(gmr, 1)
		notify(gmr, 1)
		reads(1)
		reads(0)
		again := func() { notify(gmr, 1) }
		d.during.Store(&again)
		notify(gmr, 1)
		reads(2)
		reads(0)
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 500, Path: api.MovementsPath, Calls: 1})
		notify(gmr, 1)
		reads(1)
		d.Advance(time.Minute)
		reads(1)
		reads(0)
	})
}

// A record is deleted at HMRC before it is cancelled here, and not once the vehicle has checked in.
func TestCancel(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.Must(d.act(id, exchange.Action{By: lifecycle.Cancel}))
		d.want(id, lifecycle.Cancelled)
		if n := d.records(ours); n != 0 {
			d.Errorf("HMRC still has %d records", n)
		}
		late := d.Create(call(ours), goods)
		d.Work()
		d.SetClock(time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)) // checked in, which is not known here yet
		if err := d.act(late, exchange.Action{By: lifecycle.Cancel}); !apierr.Is(err, apierr.AuthorityRefused) && !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("cancelled after check-in: %v", err)
		}
		d.Work()
		d.want(late, gvms.CheckedIn)
	})
}

// Whatever happens to an answer, HMRC gets each record once.
func TestLostAnswers(t *testing.T) {
	for name, f := range map[string]simulator.Fault{
		"the creation is stored and not answered": {Kind: simulator.HangUpAfter, Calls: 1, Path: api.MovementsPath},
		"the creation is not read":                {Kind: simulator.HangUp, Calls: 1, Path: api.MovementsPath},
		"HMRC fails":                              {Kind: simulator.Answer, Status: 500, Calls: 1, Path: api.MovementsPath},
		"maintenance":                             {Kind: simulator.Answer, Status: 503, Body: `{"code":"SCHEDULED_MAINTENANCE","message":"x"}`, Calls: 1, Path: api.MovementsPath},
		"a gateway's page":                        {Kind: simulator.Answer, Status: 502, Body: "<html>busy", Calls: 1, Path: api.MovementsPath},
		"HMRC's limit":                            {Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"30"}}, Calls: 1, Path: api.MovementsPath},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(d *harness) {
				d.sim.Inject(f)
				id := d.Create(call(ours), goods)
				d.Work()
				d.want(id, lifecycle.Draft)
				d.Continue(8)
				d.want(id, gvms.Open)
				if n := d.records(ours); n != 1 {
					d.Errorf("HMRC has %d records", n)
				}
			})
		})
	}
}

// A call about other records may bring the record of a creation that had no answer. It is the one that is looked for, and is not created
// again.
func TestLostCreationIsListedFirst(t *testing.T) {
	each(t, func(d *harness) {
		d.Create(call(ours), strings.Replace(goods, "26GB3TTI2CQ1C7FGR4", "26GB9TTI2CQ1C7FGR0", 1))
		d.Work()
		d.sim.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1, Path: api.MovementsPath})
		id := d.Create(call(ours), goods)
		d.WorkOn(exchange.SendQueue)
		d.Must(d.Service.CatchUp(d.Context(), ours))
		d.want(id, gvms.Open)
		d.Continue(8)
		d.want(id, gvms.Open)
		if n := d.records(ours); n != 2 {
			d.Errorf("HMRC has %d records, not 2", n)
		}
	})
}

// Another process may take over a creation whose request is still on its way. It does not create the record again.
func TestCreationOnItsWay(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		send, first := d.channel.Send, true
		d.channel.Send = func(ctx context.Context, c exchange.Caller, m *exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
			if first {
				first = false
				d.Advance(jobs.Lease + time.Second) // this process has lost the job
				d.Work()
				d.Advance(15 * time.Second)
				d.Work()
			}
			return send(ctx, c, m, repeated)
		}
		d.Work()
		d.Continue(5)
		d.want(id, gvms.Open)
		if n := d.records(ours); n != 1 {
			d.Errorf("HMRC has %d records", n)
		}
	})
}

// A process may die before or after any transaction. The next one continues: HMRC gets the record once, and nothing is stuck.
func TestCrash(t *testing.T) {
	for steps := range 6 {
		t.Run(string(rune('0'+steps)), func(t *testing.T) {
			each(t, func(d *harness) {
				id := d.Create(call(ours), goods)
				n := 0
				d.Crash = func() bool { n++; return n > steps }
				d.Work()
				d.Revive()
				d.Continue(8)
				d.want(id, gvms.Open)
				if n := d.records(ours); n != 1 {
					d.Errorf("HMRC has %d records", n)
				}
			})
		})
	}
}

// So it is with a correction and a cancellation: HMRC has the record as it was corrected, and then has none.
func TestCrashOfCorrection(t *testing.T) {
	corrected := strings.Replace(goods, "AB24 CDE", "XY24 CDE", 1)
	for steps := range 5 {
		t.Run(string(rune('0'+steps)), func(t *testing.T) {
			each(t, func(d *harness) {
				id := d.Create(call(ours), goods)
				d.Work()
				d.ActDying(id, steps, exchange.Action{By: lifecycle.Amend, Input: json.RawMessage(corrected)})
				if d.want(id, gvms.Open).VehicleReg != "XY24 CDE" { // the process died before it had stored the correction
					d.Must(d.amend(id, corrected))
				}
				if s := d.want(id, gvms.Open); s.VehicleReg != "XY24 CDE" || s.Refusal != nil || d.records(ours) != 1 {
					d.Errorf("%d records: %+v", d.records(ours), s)
				}
				d.ActDying(id, steps, exchange.Action{By: lifecycle.Cancel})
				if d.read(ours, id).Status != lifecycle.Cancelled {
					d.Must(d.act(id, exchange.Action{By: lifecycle.Cancel}))
				}
				if d.want(id, lifecycle.Cancelled); d.records(ours) != 0 {
					d.Errorf("%d records", d.records(ours))
				}
			})
		})
	}
}

// A failed look at HMRC is repeated, after the time that HMRC names, and loses nothing.
func TestFailedPoll(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.want(id, gvms.Open)
		d.SetClock(time.Date(2026, 11, 30, 5, 30, 0, 0, time.UTC)) // the vehicle checks in
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"600"}}, Path: api.MovementsPath})
		d.Work()
		d.sim.Inject(simulator.Fault{})
		d.Continue(9)
		d.want(id, gvms.Open)
		d.Continue(2)
		d.want(id, gvms.CheckedIn)
		for i, f := range []simulator.Fault{{Kind: simulator.Answer, Status: 200, Body: "{"}, {Kind: simulator.Answer, Status: 500}, {Kind: simulator.HangUp}} {
			f.Path = api.MovementsPath
			d.SetClock(time.Date(2026, 11, 30, 6, 30+i, 0, 0, time.UTC))
			d.sim.Inject(f)
			d.Work()
			d.want(id, gvms.CheckedIn)
		}
		d.sim.Inject(simulator.Fault{})
		d.Continue(2)
		d.want(id, gvms.Embarked)
	})
}

// A record that is not in HMRC's form, or in an unknown state, is kept and changes nothing. Other records of the account go on, and
// it is read again.
func TestUnreadable(t *testing.T) {
	for name, body := range map[string]string{
		"no JSON": "<html>", "half of it": `{"gmrId":"GMR`, "another form": `{"gmrId":7}`, "another record": `{"gmrId":"GMRZ00000001"}`, "nothing": "",
		"an unknown state": `{"gmrId":"GMRA00000001","metadata":{"state":"FINALISED","gmrStatusVersion":2}}`,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(d *harness) {
				id := d.Create(call(ours), goods)
				d.Work()
				gmr := d.want(id, gvms.Open).GMR
				d.garbled.Store(&garbled{api.MovementsPath + "/" + gmr, body})
				d.Must(d.amend(id, strings.Replace(goods, "AB24 CDE", "XY24 CDE", 1)))
				other := d.Create(call(ours), strings.NewReplacer("AB24", "CD24", "FGR4", "FGR5").Replace(goods))
				d.Continue(2)
				d.want(id, gvms.Open)
				d.want(other, gvms.Open)
				if !slices.ContainsFunc(d.Messages(ours, id), func(m exchange.Message) bool { return m.Direction == exchange.In && string(m.Raw) == body }) {
					d.Error("the record as it came is not kept")
				}
				d.garbled.Store(nil)
				if name == "an unknown state" { // which is a version of the record
					d.Must(d.amend(id, strings.Replace(goods, "AB24 CDE", "XY24 CD", 1)))
				}
				d.Continue(3)
				if !slices.ContainsFunc(d.Messages(ours, id), func(m exchange.Message) bool {
					return m.Direction == exchange.In && strings.Contains(string(m.Raw), "XY24 CD")
				}) {
					d.Error("the record is not read again")
				}
			})
		})
	}
}

// What HMRC refuses stays a draft that says why, and is sent again when it is corrected.
func TestRefusal(t *testing.T) {
	each(t, func(d *harness) {
		d.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 400, Body: `{"code":"SCHEMA_VALIDATION_ERROR","message":"no"}`, Calls: 1, Path: api.MovementsPath})
		id := d.Create(call(ours), goods)
		d.Work()
		if s := d.want(id, lifecycle.Draft); s.Refusal == nil || !strings.Contains(s.Refusal.Message, "no") {
			d.Errorf("refused: %+v", s)
		}
		d.Advance(time.Second)
		d.Update(ours, func(tx *store.Tx) error {
			in, err := d.Kind.Parse([]byte(strings.Replace(goods, "AB24", "CD24", 1)), tx.Now())
			if err == nil {
				_, err = d.Filings.Transition(tx, call(ours), d.Kind, id, lifecycle.Amend, amended(in))
			}
			return err
		})
		d.Work()
		if s := d.want(id, gvms.Open); s.Refusal != nil {
			d.Errorf("corrected: %+v", s)
		}
	})
}

// A message about no known record is kept, and applied once a person has claimed it. Another organisation does not see it.
func TestUnknownRecord(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.Receive(exchange.Received{ID: "GMRZ00000001/9", Kind: "COMPLETED", Raw: []byte(`{"gmrId":"GMRZ00000001","metadata":{"state":"COMPLETED","gmrStatusVersion":9}}`)})
		for _, org := range []struct {
			id   any
			call func() error
			want apierr.Code
		}{
			{"another organisation", func() error { return d.Claim(theirs, exchangetest.MessageID, id) }, apierr.NotFound},
			{"no record", func() error { return d.Claim(ours, exchangetest.MessageID, exchangetest.MessageID) }, apierr.InvalidRequest},
		} {
			if err := org.call(); !apierr.Is(err, org.want) {
				d.Errorf("%v: %v", org.id, err)
			}
		}
		d.Must(d.Claim(ours, exchangetest.MessageID, id))
		if err := d.Claim(ours, exchangetest.MessageID, id); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("claimed twice: %v", err)
		}
		d.Work()
		d.want(id, gvms.Completed)
		if n := len(d.Messages(theirs, id)); n != 0 {
			d.Errorf("they see %d messages", n)
		}
	})
}

// Messages have the same effect in whatever order they come, and however often.
func TestOrder(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.SetClock(time.Date(2026, 11, 30, 6, 45, 0, 0, time.UTC))
		d.Work()
		d.want(id, gvms.Embarked)
		all := d.Messages(ours, id)
		r, a := d.Record(id), d.Service.Of(d.Kind.Kind)
		first, err := a.Apply(r, all, d.Clock())
		d.Must(err)
		slices.Reverse(all)
		all = append(all, all...)
		second, err := a.Apply(r, all, d.Clock())
		d.Must(err)
		if first.State != second.State || first.Reference != second.Reference || first.State != gvms.Embarked {
			d.Errorf("%s and %s", first.State, second.State)
		}
	})
}

// A version that was read just before an update, and stored after it, is no answer to the update: HMRC is asked again soon.
func TestVersionBeforeUpdate(t *testing.T) {
	each(t, func(d *harness) {
		id := d.Create(call(ours), goods)
		d.Work()
		d.Must(d.amend(id, strings.Replace(goods, "AB24 CDE", "XY24 CDE", 1)))
		before := d.Messages(ours, id)
		updated := slices.IndexFunc(before, func(m exchange.Message) bool { return m.Purpose == "update" })
		versions := slices.DeleteFunc(slices.Clone(before), func(m exchange.Message) bool {
			return m.Direction == exchange.In && strings.Contains(string(m.Raw), "XY24 CDE")
		})
		for i := range versions {
			if versions[i].Direction == exchange.In {
				versions[i].CreatedAt = before[updated].CompletedAt.Add(time.Second)
			}
		}
		for _, c := range []struct {
			messages []exchange.Message
			soon     bool
		}{{versions, true}, {before, false}} {
			course, err := d.Service.Of(d.Kind.Kind).Apply(d.Record(id), c.messages, before[updated].CompletedAt.Add(2*time.Second))
			d.Must(err)
			if got := course.Next.Sub(d.Clock()) < time.Minute; got != c.soon {
				d.Errorf("HMRC is asked again at %s", course.Next)
			}
		}
	})
}

// Two organisations with the same goods get a record each.
func TestTwoOrganisations(t *testing.T) {
	each(t, func(d *harness) {
		mine, yours := d.Create(call(ours), goods), d.Create(call(theirs), goods)
		d.Work()
		a, b := d.read(ours, mine), d.read(theirs, yours)
		if a.Status != gvms.Open || b.Status != gvms.Open || a.GMR == b.GMR || a.GMR == "" || b.GMR == "" {
			d.Errorf("%+v and %+v", a, b)
		}
	})
}
