package haulier_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms/haulier"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

const (
	ours   = exchangetest.Ours
	theirs = exchangetest.Theirs
)

// harness is the service with the simulator.
type harness struct {
	*exchangetest.Harness
	sim     *gvmssim.Simulator
	channel *exchange.Channel
	garbled atomic.Pointer[garbled]
	lists   atomic.Int64           // calls of the list of records
	during  atomic.Pointer[func()] // runs once, before the next answer to such a call
}

// garbled is what is answered to each look at a record, instead of the record.
type garbled struct{ path, body string }

// ServeHTTP serves the simulator.
func (d *harness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g := d.garbled.Load(); g != nil && r.Method == http.MethodGet && r.URL.Path == g.path {
		_, _ = io.WriteString(w, g.body)
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == api.MovementsPath {
		d.lists.Add(1)
		if do := d.during.Swap(nil); do != nil {
			(*do)()
		}
	}
	d.sim.ServeHTTP(w, r)
}

func each(t *testing.T, run func(d *harness)) {
	exchangetest.Each(t, func(h *exchangetest.Harness) {
		d := &harness{Harness: h}
		d.open()
		run(d)
	})
}

func (d *harness) open() {
	d.Helper()
	var err error
	d.sim, err = gvmssim.New(simulator.Options{Folder: d.TempDir(), Clock: simulator.OneClock(d.Clock), Log: slog.New(slog.DiscardHandler)})
	d.Must(err)
	d.Cleanup(func() { _ = d.sim.Close() })
	c, err := api.New(client.Settings{BaseURL: d.Serve(d), Deadline: exchangetest.Deadline}, client.NewLimiter(1e6), d.Clock)
	d.Must(err)
	d.Cleanup(c.Close)
	h := haulier.New(gvms.Movements.Type(), d.Clock)
	d.channel = h.Channel(exchange.Simulator, c)
	d.Connect(h.Authority(), d.channel)
}

func call(org tenant.ID) tenant.Call { return exchangetest.Call(org) }

const goods = `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"AB24 CDE","crossingDate":"2026-11-30T06:30:00Z","customsDeclarations":["26GB3TTI2CQ1C7FGR4"]}`

// act makes an action that HMRC has to accept first.
func (d *harness) act(id string, a exchange.Action) error {
	d.Helper()
	err := d.Act(outbox.Request{Call: call(ours)}, id, a)
	d.Advance(2 * time.Second) // until HMRC is asked again
	d.Work()
	return err
}

func (d *harness) amend(id, body string) error {
	d.Helper()
	return d.act(id, exchange.Action{By: lifecycle.Amend, Input: json.RawMessage(body)})
}

// shown is a record as the test looks at it.
type shown struct {
	Status          lifecycle.State
	GMR             string              `json:"gmrId"`
	ReferenceSource *string             `json:"referenceSource"`
	RuleFailures    []api.RuleFailure   `json:"ruleFailures"`
	Inspect         *bool               `json:"inspectionRequired"`
	ReportTo        []api.ReportTo      `json:"reportToLocations"`
	Refusal         *gvms.RecordRefusal `json:"refusal"`
	VehicleReg      string              `json:"vehicleReg"`
}

func (d *harness) read(org tenant.ID, id string) (s shown) {
	d.Helper()
	d.Read(org, id, &s)
	return s
}

func (d *harness) want(id string, status lifecycle.State) shown {
	d.Helper()
	s := d.read(ours, id)
	if s.Status != status {
		d.Fatalf("the record is %s, not %s: %+v; refused: %+v", s.Status, status, s, s.Refusal)
	}
	return s
}

// records counts the goods movement records that the simulator has of an organisation.
func (d *harness) records(org tenant.ID) (n int) {
	for r := range d.sim.Records() {
		if r.Organisation == string(org) && !r.Deleted {
			n++
		}
	}
	return n
}

// updates counts the corrections of a record that were sent.
func (d *harness) updates(id string) (n int) {
	d.Helper()
	d.Must(d.Service.Store.ViewAuthority(d.Context(), ours, func(tx exchange.Tx) error {
		all, err := tx.AuthorityMessages(id, exchange.MaxMessages)
		for _, m := range all {
			if m.Direction == exchange.Out && m.Change.Action == lifecycle.Amend {
				n++
			}
		}
		return err
	}))
	return n
}

func amended(in filing.Input) filing.TransitionData { return filing.TransitionData{Input: &in} }
