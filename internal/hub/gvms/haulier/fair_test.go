package haulier_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

const (
	pollers  = 25
	perPoll  = time.Minute // so that all are due again before the last one's turn, as at HMRC's budget of an application
	atOnce   = 2           // workers of the queue
	manyOfUs = 12          // records of one of the organisations
)

// Organisations share HMRC's budget fairly: each is asked about once before any of them is asked about again, and one with many records takes no more of it. Calls are
// as many as the budget allows, and none is passed over.
func TestPollingIsFair(t *testing.T) {
	each(t, func(d *harness) {
		orgs := []tenant.ID{ours}
		for n := range manyOfUs {
			d.Create(call(ours), ofVehicle(n))
		}
		for n := 1; n < pollers; n++ {
			org := tenant.ID(fmt.Sprintf("01900000-0000-7000-8000-%012d", 100+n))
			d.Update(org, func(tx *store.Tx) error {
				err := tx.AddOrganisation(access.Organisation{ID: org, Profile: access.Profile{EORI: "GB123456789000"}, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
				if err != nil {
					return err
				}
				return tx.AddMember(exchangetest.Call(org).Principal.UserID, tenant.Owner)
			})
			d.Create(call(org), ofVehicle(0))
			orgs = append(orgs, org)
		}
		d.Continue(3)
		for _, org := range orgs {
			d.idle(org)
		}
		d.SetClock(time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)) // around the crossing
		asked, turns := map[tenant.ID]int{}, 0
		poll := d.channel.Poll
		d.channel.Poll = func(ctx context.Context, by exchange.Caller, from exchange.Position) (exchange.Fetched, error) {
			asked[by.Org]++
			turns++
			d.Advance(perPoll)
			return poll(ctx, by, from)
		}
		for turns < 3*pollers {
			if d.turn() == 0 {
				d.Advance(time.Second)
			}
			least, most := turns, 0
			for _, org := range orgs {
				least, most = min(least, asked[org]), max(most, asked[org])
			}
			if most-least > 2 || turns >= 2*pollers && least == 0 {
				d.Fatalf("after %d calls, one organisation was asked about %d times, and another %d times", turns, most, least)
			}
		}
	})
}

// ofVehicle is a record of a vehicle of its own.
func ofVehicle(n int) string {
	return strings.NewReplacer("AB24 CDE", fmt.Sprintf("AB24 C%c%c", 'A'+n/26, 'A'+n%26), "FGR4", fmt.Sprintf("F%02d4", n)).Replace(goods)
}

// idle expects all records of an organisation to be open.
func (d *harness) idle(org tenant.ID) {
	d.Helper()
	d.Update(org, func(tx *store.Tx) error {
		left, err := tx.SubjectsOf(exchange.SendQueue, 10)
		if err == nil && len(left) > 0 {
			d.Errorf("%s has messages to send", org)
		}
		return err
	})
}

// turn runs as many due calls as there are workers, and returns how many.
func (d *harness) turn() int {
	d.Helper()
	leased, err := d.Store.LeaseJobs(d.Context(), exchange.PollQueue, atOnce, jobs.Lease)
	d.Must(err)
	for _, j := range leased {
		d.Must(d.Service.RunPoll(d.Context(), j))
	}
	return len(leased)
}
