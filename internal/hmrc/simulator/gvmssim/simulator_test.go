package gvmssim_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
)

var ctx = context.Background()

const token = hmrctest.Bearer("t")

// harness is a client of a simulator, with a clock.
type harness struct {
	*testing.T
	*gvms.Client
	sim    *gvmssim.Simulator
	clock  *hmrctest.Clock
	folder string
}

func start(t *testing.T) *harness {
	h := &harness{T: t, clock: hmrctest.NewClock(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)), folder: t.TempDir()}
	h.restart()
	var err error
	address := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) { h.sim.ServeHTTP(w, r) })
	if h.Client, err = gvms.New(client.Settings{BaseURL: address}, hmrctest.NoLimit{}, h.clock.Now); err != nil {
		t.Fatal(err)
	}
	return h
}

// restart makes a new simulator from the journal, as after a crash: the old one is not closed.
func (h *harness) restart() {
	h.Helper()
	var err error
	if h.sim, err = gvmssim.New(simulator.Options{Folder: h.folder, Clock: simulator.OneClock(h.clock.Now), Log: slog.New(slog.DiscardHandler)}); err != nil {
		h.Fatal(err)
	}
}

// lorry is a record that is OPEN; it leaves Calais at 05:30 UTC.
func lorry(mrn string) gvms.Record {
	return gvms.Record{
		Direction: gvms.Inbound, VehicleRegNum: "AB24 CDE", PlannedCrossing: &gvms.Crossing{RouteID: "SIM-1", Departure: "2026-12-01T06:30"},
		Customs: []gvms.Customs{{ID: mrn}},
	}
}

func by(org, simulate string) simulator.Request {
	return simulator.Request{Organisation: org, Simulate: simulate}
}

func (h *harness) create(r gvms.Record, asked simulator.Request) {
	h.Helper()
	if o, ok := h.Create(ctx, token, r, asked).(gvms.Accepted); !ok {
		h.Fatalf("created: %#v", o)
	}
}

// pulled pulls and acknowledges all notifications, and returns the ids of their records.
func (h *harness) pulled() (gmrs []string) {
	h.Helper()
	all, failure := h.Pull(ctx, token, gvmssim.Box)
	if failure != nil {
		h.Fatal(failure)
	}
	var ids []string
	for _, n := range all {
		gmr, err := gvms.NotifiedID([]byte(n.Message))
		if err != nil {
			h.Fatal(err)
		}
		gmrs, ids = append(gmrs, gmr), append(ids, n.ID)
	}
	if _, ok := h.Acknowledge(ctx, token, gvmssim.Box, ids).(gvms.Accepted); !ok {
		h.Fatal("not acknowledged")
	}
	return gmrs
}

func (h *harness) movement(id string, asked simulator.Request) gvms.Movement {
	h.Helper()
	m, failure := h.Movement(ctx, token, id, asked)
	if failure != nil {
		h.Fatal(failure)
	}
	return m
}

// A record goes through its life by the clock: checked in an hour before the crossing, embarked at the crossing, completed
// two hours after. Each state has its notification, and a crash of the simulator at any point loses none.
func TestLife(t *testing.T) {
	h := start(t)
	h.create(lorry("26GB3TTI2CQ1C7FGR4"), by("a", ""))
	gmr := h.pulled()[0]
	for _, step := range []struct {
		until time.Duration
		state gvms.State
		news  int
	}{
		{4*time.Hour + 29*time.Minute, gvms.Open, 0}, {time.Minute, gvms.CheckedIn, 1}, {59 * time.Minute, gvms.CheckedIn, 0},
		{time.Minute, gvms.Embarked, 1}, {2 * time.Hour, gvms.Completed, 1}, {24 * time.Hour, gvms.Completed, 0},
	} {
		h.clock.Advance(step.until)
		before := h.movement(gmr, by("a", ""))
		h.restart()
		m := h.movement(gmr, by("a", ""))
		if m.Metadata.State != step.state || m.Metadata.Version != before.Metadata.Version || m.Metadata.Inspect != nil {
			t.Errorf("after %s: %+v, before the crash %+v", step.until, m.Metadata, before.Metadata)
		}
		if got := h.pulled(); len(got) != step.news {
			t.Errorf("after %s: notifications %v", step.until, got)
		}
	}
	if m := h.movement(gmr, by("a", "")); m.ActualCrossing == nil || m.CheckedInCrossing == nil || m.VehicleRegNum != "AB24 CDE" {
		t.Errorf("%+v", m)
	}
}

// A record that looks at its crossing late goes through all states at once, in order.
func TestLate(t *testing.T) {
	h := start(t)
	h.clock.Advance(48 * time.Hour)
	h.create(lorry("26GB3TTI2CQ1C7FGR4"), by("a", ""))
	gmrs := h.pulled()
	if m := h.movement(gmrs[0], by("a", "")); len(gmrs) != 4 || m.Metadata.State != gvms.Completed || m.Metadata.Version != 4 {
		t.Errorf("%v %+v", gmrs, m.Metadata)
	}
}

// What is missing or wrong makes a record NOT_FINALISABLE, with the rules that it breaks. An empty vehicle alone is fine.
func TestRules(t *testing.T) {
	h := start(t)
	h.create(lorry("26GB3TTI2CQ1C7FGR4"), by("a", ""))
	_ = h.pulled()
	for i, c := range []struct {
		want   string
		change func(*gvms.Record)
	}{
		{"", func(*gvms.Record) {}},
		{"SIM_NO_DECLARATION", func(r *gvms.Record) { r.Customs = nil }},
		{"", func(r *gvms.Record) { r.Customs, r.EmptyVehicle = nil, &gvms.EmptyVehicle{Own: true} }},
		{"SIM_NOT_EMPTY", func(r *gvms.Record) { r.EmptyVehicle = &gvms.EmptyVehicle{} }},
		{"SIM_NO_VEHICLE", func(r *gvms.Record) { r.VehicleRegNum = "" }},
		{"SIM_NO_TRAILER", func(r *gvms.Record) { r.Unaccompanied = true }},
		{"", func(r *gvms.Record) {
			r.Unaccompanied, r.VehicleRegNum, r.Containers = true, "", []string{"MSKU1234565"}
		}},
		{"SIM_NO_CROSSING", func(r *gvms.Record) { r.PlannedCrossing = nil }},
		{"SIM_NO_CROSSING", func(r *gvms.Record) { r.PlannedCrossing.RouteID = "107" }},
		{"SIM_WRONG_ROUTE", func(r *gvms.Record) { r.PlannedCrossing.RouteID = "SIM-2" }},
		{"001_1", func(r *gvms.Record) { r.IndirectExports = []gvms.IndirectExport{{EAD: "26FR3TTI2CQ1C7FGR4"}} }},
		{"BR011", func(r *gvms.Record) { r.Customs[0].ID = "26GB3TTI2CQ1C7FGR4" }},
		{"", func(r *gvms.Record) { r.Customs, r.ATA = nil, []gvms.ATA{{Carnet: "GB/0001"}} }},
		{"", func(r *gvms.Record) { r.Customs, r.EIDR = nil, []gvms.EIDR{{EORI: "GB205672212000"}} }},
	} {
		r := lorry(fmt.Sprintf("26GB3TTI2CQ1C7FG%02d", i))
		c.change(&r)
		h.create(r, by("a", ""))
		m := h.movement(h.pulled()[0], by("a", ""))
		var codes []string
		for _, f := range m.Metadata.Failures {
			codes = append(codes, f.Code)
		}
		if got := strings.Join(codes, " "); got != c.want || (m.Metadata.State == gvms.Open) != (c.want == "") {
			t.Errorf("case %d: %s with %q, want %q", i, m.Metadata.State, got, c.want)
		}
	}
}

// A record can be mended, changed and deleted until its vehicle checks in. Its declarations are free once it is deleted.
func TestChanges(t *testing.T) {
	h := start(t)
	r := lorry("26GB3TTI2CQ1C7FGR4")
	whole := r
	r.Customs = nil
	h.create(r, by("a", ""))
	gmr := h.pulled()[0]
	refusedWith := func(what string, o client.Outcome, status int) {
		t.Helper()
		if r, ok := o.(client.Refused); !ok || r.Status != status {
			t.Errorf("%s: %#v", what, o)
		}
	}
	if _, ok := h.Update(ctx, token, gmr, whole, by("a", "")).(gvms.Accepted); !ok || h.movement(gmr, by("a", "")).Metadata.State != gvms.Open {
		t.Error("the mended record is not OPEN")
	}
	turned := whole
	turned.Direction = gvms.Outbound
	refusedWith("another direction", h.Update(ctx, token, gmr, turned, by("a", "")), 400)
	refusedWith("another organisation", h.Update(ctx, token, gmr, whole, by("b", "")), 404)
	refusedWith("another organisation", h.Delete(ctx, token, gmr, by("b", "")), 404)
	if _, ok := h.Delete(ctx, token, gmr, by("a", "")).(gvms.Accepted); !ok {
		t.Error("not deleted")
	}
	refusedWith("deleted already", h.Delete(ctx, token, gmr, by("a", "")), 404)
	h.create(whole, by("a", ""))
	all, failure := h.List(ctx, token, by("a", ""))
	if failure != nil || len(all) != 1 || all[0].State != gvms.Open || all[0].ID == gmr {
		t.Fatalf("%+v %v", all, failure)
	}
	h.clock.Advance(5 * time.Hour)
	refusedWith("checked in", h.Update(ctx, token, all[0].ID, whole, by("a", "")), 403)
	refusedWith("checked in", h.Delete(ctx, token, all[0].ID, by("a", "")), 403)
	refusedWith("an unknown outcome", h.Create(ctx, token, whole, by("a", "explode")), 400)
}

// An inspection is asked for by X-Simulate; the record says where to report.
func TestInspection(t *testing.T) {
	h := start(t)
	h.create(lorry("26GB3TTI2CQ1C7FGR4"), by("a", gvmssim.Inspect))
	m := h.movement(h.pulled()[0], by("a", "")).Metadata
	if m.Inspect == nil || !*m.Inspect || len(m.ReportTo) != 1 || len(m.ReportTo[0].Locations) != 1 || m.State != gvms.Open {
		t.Errorf("%+v", m)
	}
}

// An answer that is lost after the record was stored leaves a record in the list, so that its sender can find it and does
// not create another. Notifications come again until they are acknowledged.
func TestFaults(t *testing.T) {
	h := start(t)
	h.sim.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
	if o, ok := h.Create(ctx, token, lorry("26GB3TTI2CQ1C7FGR4"), by("a", "")).(client.Unknown); !ok {
		t.Errorf("a lost answer: %#v", o)
	}
	if all, failure := h.List(ctx, token, by("a", "")); failure != nil || len(all) != 1 {
		t.Errorf("%v %v", all, failure)
	}
	h.sim.Inject(simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"3"}}, Calls: 1})
	if r, ok := h.Create(ctx, token, lorry("26GB3TTI2CQ1C7FG01"), by("a", "")).(client.Refused); !ok || r.RetryAfter != 3*time.Second {
		t.Errorf("429: %#v", r)
	}
	for range 2 {
		if all, failure := h.Pull(ctx, token, gvmssim.Box); failure != nil || len(all) != 1 {
			t.Errorf("%v %v", all, failure)
		}
		h.restart()
	}
	if len(h.pulled()) != 1 || len(h.pulled()) != 0 {
		t.Error("an acknowledged notification came again")
	}
}
