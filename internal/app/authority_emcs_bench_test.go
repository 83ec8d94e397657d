package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/customstest"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Sizes of the benchmark: movements of a round, movements of a page, and workers that apply, as many as the service has.
const (
	benchMovements = 100
	benchPage      = 50
	benchWorkers   = 4
)

// mailbox is a channel that has two messages, an acceptance and a receipt, of each of its movements.
type mailbox struct {
	movements []string
	messages  []exchange.Received
}

func (m *mailbox) channel() *exchange.Channel {
	send := func(context.Context, exchange.Caller, *exchange.Message, bool) outbox.Result[exchange.Receipt] {
		return outbox.Result[exchange.Receipt]{State: outbox.Sent}
	}
	return &exchange.Channel{Mode: exchange.Simulator, Send: send, Poll: func(context.Context, exchange.Caller, exchange.Position) (exchange.Fetched, error) {
		page := m.messages[:min(2*benchPage, len(m.messages))]
		m.messages = m.messages[len(page):]
		return exchange.Fetched{Messages: page, More: len(m.messages) > 0}, nil
	}}
}

// BenchmarkExciseMessages fetches, stores and applies messages of EMCS on SQLite, each message about a movement of its own or the one before.
func BenchmarkExciseMessages(b *testing.B) {
	c := apptest.Simulated(b)
	c.Data = storetest.SQLite(b).Folder
	a, err := app.Open(b.Context(), c, app.Deps{Log: slog.New(slog.DiscardHandler), Version: "v1.2.3"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = a.Close() })
	made, err := a.CreateOrganisation(b.Context(), "Speyside Bonded Stores Ltd", "GB123456789000")
	if err != nil {
		b.Fatal(err)
	}
	box, org := &mailbox{}, made.Organisation.ID
	a.Exchange.Of(hub.Movements.Kind).Channel = box.channel()
	applied, took, worked := 0, time.Duration(0), time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		box.fill(b, a, org)
		n := len(box.messages)
		b.StartTimer()
		began, used := time.Now(), customstest.ProcessorTime()
		drain(b, a)
		took, worked, applied = took+time.Since(began), worked+customstest.ProcessorTime()-used, applied+n
	}
	box.check(b, a, org)
	b.ReportMetric(float64(took.Microseconds())/1000/float64(applied), "ms/message")
	b.ReportMetric(float64(worked.Microseconds())/1000/float64(applied), "cpu-ms/message")
}

// fill makes the movements of a round, which EMCS has, and their messages.
func (m *mailbox) fill(b *testing.B, a *app.App, org tenant.ID) {
	b.Helper()
	t := a.Filings.Types[hub.Movements.Kind]
	body := []byte(`{"category":"ALCOHOL","movementType":"DOMESTIC","dispatcherName":"Speyside","dispatcherExciseNumber":"` + emcstest.Consignor + `","consigneeName":"Thames","productCode":"S200","productDescription":"Whisky"}`)
	for range benchMovements {
		n := len(m.movements)
		err := a.Store.Update(b.Context(), org, func(tx *store.Tx) error {
			in, err := t.Parse(body, tx.Now())
			if err != nil {
				return err
			}
			f, err := a.Filings.Create(tx, tenant.Call{Principal: tenant.System(org)}, t, in)
			if err != nil {
				return err
			}
			m.movements = append(m.movements, f.ID)
			reg := exchange.Registration{FilingID: f.ID, Authority: "emcs", Mode: exchange.Simulator, Identifier: emcstest.Consignor, Next: tx.Now()}
			if err := tx.PutAuthorityRecord(reg); err != nil {
				return err
			}
			_, err = tx.AddAuthorityName("emcs", exchange.Simulator, fmt.Sprint("movement:", n), f.ID)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, message := range []emcs.Message{emcstest.Acceptance(time.Now(), 1, "2026-11-20"), emcstest.Receipt(emcs.V323, time.Now(), "1")} {
			text, err := emcs.Encode(message)
			if err != nil {
				b.Fatal(err)
			}
			text = []byte(strings.ReplaceAll(string(text), emcstest.ARC, fmt.Sprintf("26GB%016d1", n)))
			m.messages = append(m.messages, exchange.Received{ID: fmt.Sprint(n, "/", message.Kind), Kind: string(message.Kind), Correlation: fmt.Sprint(n), MediaType: "application/xml", Raw: text, At: time.Now()})
		}
	}
	poll := exchange.Poll{ID: "01939c50-7b00-7c3e-8f00-00000000000d", Authority: "emcs", Mode: exchange.Simulator, Identifier: emcstest.Consignor}
	err := a.Store.Update(b.Context(), org, func(tx *store.Tx) error {
		if err := tx.PutAuthorityPoll(poll); err != nil {
			return err
		}
		found, err := tx.RunJobNow(exchange.PollQueue, poll.ID)
		if err != nil || found {
			return err
		}
		return tx.Enqueue(jobs.Job{ID: a.IDs.UUID(), Queue: exchange.PollQueue, Subject: poll.ID})
	})
	if err != nil {
		b.Fatal(err)
	}
}

// drain runs the job that fetches, and those that apply.
func drain(b *testing.B, a *app.App) {
	b.Helper()
	work(b, a, exchange.PollQueue, 1, a.Exchange.RunPoll)
	for work(b, a, exchange.ApplyQueue, benchWorkers, a.Exchange.Apply) > 0 {
	}
}

// work runs the due jobs of a queue with some workers, and returns their number.
func work(b *testing.B, a *app.App, queue string, workers int, do func(context.Context, jobs.Job) error) int {
	b.Helper()
	due, err := a.Store.LeaseJobs(b.Context(), queue, 200, time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	next := make(chan jobs.Job)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for j := range next {
				if err := do(b.Context(), j); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, j := range due {
		next <- j
	}
	close(next)
	all.Wait()
	return len(due)
}

// check expects every movement to be received.
func (m *mailbox) check(b *testing.B, a *app.App, org tenant.ID) {
	b.Helper()
	for _, id := range m.movements {
		err := a.Store.View(b.Context(), org, func(tx *store.Tx) error {
			f, err := tx.Filing(hub.Movements.Kind, id)
			if err == nil && f.Status != hub.Delivered {
				err = fmt.Errorf("movement %s is %s", id, f.Status)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
