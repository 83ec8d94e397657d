package app

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// A VAT return is overdue only if HMRC was asked about its period. Otherwise it may have been submitted elsewhere, and
// the deadline lapses.
func TestVATPeriodsLapse(t *testing.T) {
	now := time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
	settings := config.Config{
		Addr: "127.0.0.1:0", Data: t.TempDir(), Customs: config.Customs{Mode: "simulator", Inbound: "signed", Issuer: "i", Audience: "a", Version: "1.0"},
	}
	a, err := Open(t.Context(), settings, Deps{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	overdue := func(looked bool) (all []deadline.Deadline) {
		t.Helper()
		now = time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
		founded, err := a.CreateOrganisation(t.Context(), "Quay Ltd", "GB123456789000")
		if err != nil {
			t.Fatal(err)
		}
		org := founded.Organisation.ID
		err = a.Store.Update(t.Context(), org, func(tx *store.Tx) error {
			call := tenant.OperatorCall(org, founded.UserID)
			if _, err := a.Access.EnableHub(tx, call, "tax"); err != nil || !looked {
				return err
			}
			service := a.statements()
			return service.CreateMissing(tx, call, service.CalendarRecords[0])
		})
		if err != nil {
			t.Fatal(err)
		}
		now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		service := deadline.Service{Calendars: calendars}
		err = a.Store.View(t.Context(), org, func(tx *store.Tx) error {
			page, _, err := service.List(tx, access.Hubs{tax.HubID: now}, deadline.ListQuery{Window: 30, Limit: 10})
			for _, d := range page {
				if d.Status == deadline.Overdue {
					all = append(all, d)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if all := overdue(false); len(all) != 0 {
		t.Errorf("overdue without a request to HMRC: %+v", all)
	}
	if all := overdue(true); len(all) != 1 || all[0].Kind != "vat_period" || all[0].ResourceID == "" {
		t.Errorf("overdue: %+v", all)
	}
}
