package app_test

import (
	"context"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// The demo is created once for a data folder, through the services: records of every kind in several states, users, a
// webhook, and statements.
func TestDemo(t *testing.T) {
	a, err := app.Open(t.Context(), apptest.Simulated(t), app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	var met []demo.Demo
	var problems []error
	err = a.Serve(ctx, func(string) {
		defer stop()
		for range 2 {
			problems = append(problems, a.Demo(ctx, func(d demo.Demo) { met = append(met, d) }))
		}
		problems = append(problems, a.Store.View(ctx, met[0].OrganisationID, func(tx *store.Tx) error { return holds(t, tx) }))
	})
	for _, problem := range append(problems, err) {
		if problem != nil {
			t.Fatal(problem)
		}
	}
	if met[0].Key == "" || met[0].Key != met[1].Key || len(met[1].Colleagues) != 3 || met[0].DeclarationID == "" {
		t.Errorf("got the demo %+v, then %+v", met[0], met[1])
	}
	users, err := a.Users(t.Context())
	if err != nil || len(users) != 4 {
		t.Fatalf("%d people, %v", len(users), err)
	}
	for _, u := range users {
		if u.Email == met[0].Email && len(u.Memberships) != 2 {
			t.Errorf("%s belongs to %d organisations", u.Email, len(u.Memberships))
		}
	}
}

// holds returns an error if the organisation lacks a part of the demo.
func holds(t *testing.T, tx *store.Tx) error {
	for _, want := range []struct {
		kind, status string
		least        int
	}{
		{"client", "ACTIVE", 9}, {"declaration", "CLEARED", 11}, {"declaration", "REJECTED", 2}, {"declaration", "DRAFT", 2}, {"declaration", "ACCEPTED", 4},
		{"gvms.movement", "OPEN", 3}, {"emcs.movement", "IN_TRANSIT", 1}, {"tss.declaration", "REJECTED", 1}, {"trade.licence", "APPROVED", 1},
		{"corporate.filing", "ACCEPTED", 1}, {"ics2.filing", "SUBMITTED", 1}, {"cbam.import", "RECORDED", 8}, {"cbam.report", "DRAFT", 1},
		{"tax.period", "OPEN", 1}, {"tax.return", "DRAFT", 1},
	} {
		found, err := tx.Filings(filing.Query{Kind: want.kind, Limit: 100})
		if err != nil {
			return err
		}
		n := 0
		for _, f := range found {
			if string(f.Status) == want.status {
				n++
			}
		}
		if n < want.least {
			t.Errorf("%d %s are %s, %d wanted", n, want.kind, want.status, want.least)
		}
	}
	endpoints, err := tx.Endpoints()
	if err != nil || len(endpoints) != 2 || endpoints[0].Active == endpoints[1].Active {
		t.Errorf("webhooks: %+v, %v", endpoints, err)
	}
	keys, err := tx.Keys()
	if err != nil || len(keys) != 4 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	return nil
}

// A demo sends declarations only to its own simulator.
func TestDemoStaysHome(t *testing.T) {
	for _, change := range []func(*config.Customs){
		func(c *config.Customs) { c.Mode, c.URL = "hmrc", "https://customs.example" },
		func(c *config.Customs) { c.URL = "http://127.0.0.1:1" },
	} {
		c := apptest.Simulated(t)
		change(&c.Customs)
		a, err := app.Open(t.Context(), c, app.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		if a.CheckDemo() == nil {
			t.Errorf("the demo accepts %s", c.Customs.URL)
		}
		a.Close()
	}
}
