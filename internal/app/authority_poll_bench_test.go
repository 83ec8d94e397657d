package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/customstest"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// polledOrgs are the organisations that are asked about in a round, by as many workers as the service has.
const (
	polledOrgs  = 10_000
	pollWorkers = 2
)

// BenchmarkPolling asks about each of 10,000 organisations once, on SQLite. HMRC's budget is three calls a second; the service itself must take less than the 333 ms
// that each call may last.
func BenchmarkPolling(b *testing.B) {
	c := apptest.Simulated(b)
	c.Data = storetest.SQLite(b).Folder
	a, err := app.Open(b.Context(), c, app.Deps{Log: slog.New(slog.DiscardHandler), Version: "v1.2.3"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = a.Close() })
	var mu sync.Mutex
	asked, rounds := map[tenant.ID]int{}, 0
	a.Exchange.Of(hub.Movements.Kind).Channel = &exchange.Channel{Mode: exchange.Simulator, Poll: func(_ context.Context, by exchange.Caller, _ exchange.Position) (exchange.Fetched, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[by.Org]++
		return exchange.Fetched{}, nil
	}}
	took, worked := time.Duration(0), time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		expectCalls(b, a, rounds == 0)
		b.StartTimer()
		began, used := time.Now(), customstest.ProcessorTime()
		for work(b, a, exchange.PollQueue, pollWorkers, a.Exchange.RunPoll) > 0 {
		}
		took, worked, rounds = took+time.Since(began), worked+customstest.ProcessorTime()-used, rounds+1
	}
	for org, n := range asked {
		if n != rounds {
			b.Fatalf("%s was asked about %d times in %d rounds", org, n, rounds)
		}
	}
	if len(asked) != polledOrgs {
		b.Fatalf("%d organisations were asked about", len(asked))
	}
	calls := float64(rounds * polledOrgs)
	b.ReportMetric(float64(took.Microseconds())/1000/calls, "ms/call")
	b.ReportMetric(float64(worked.Microseconds())/1000/calls, "cpu-ms/call")
}

// expectCalls makes something outstanding for each organisation, with the job that asks about it.
func expectCalls(b *testing.B, a *app.App, fresh bool) {
	b.Helper()
	next := make(chan int)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for n := range next {
				org := tenant.ID(fmt.Sprintf("01900000-0000-7000-8000-%012d", n))
				if err := a.Store.Update(b.Context(), org, func(tx *store.Tx) error { return expectCall(tx, n, fresh) }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for n := range polledOrgs {
		next <- n
	}
	close(next)
	all.Wait()
}

func expectCall(tx *store.Tx, n int, fresh bool) error {
	poll := exchange.Poll{ID: fmt.Sprintf("01900000-0000-7000-8001-%012d", n), Authority: "emcs", Mode: exchange.Simulator, Identifier: fmt.Sprintf("GBWK%09d", n)}
	if fresh {
		if err := tx.AddOrganisation(access.Organisation{ID: tx.Org(), Name: "o", Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		if err := tx.PutAuthorityPoll(poll); err != nil {
			return err
		}
	}
	err := tx.PutAuthorityRecord(exchange.Registration{
		FilingID: fmt.Sprintf("01900000-0000-7000-8002-%012d", n), Authority: poll.Authority, Mode: poll.Mode, Identifier: poll.Identifier, Next: tx.Now(),
	})
	if err != nil {
		return err
	}
	return tx.Enqueue(jobs.Job{ID: fmt.Sprintf("01900000-0000-7000-8003-%012d", n), Queue: exchange.PollQueue, Subject: poll.ID})
}
