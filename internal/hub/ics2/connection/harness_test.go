package connection_test

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2/connection"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/exchangetest"
)

const (
	ours   = exchangetest.Ours
	theirs = exchangetest.Theirs
)

// declared is a declaration for goods by sea.
const declared = `{"regime":"GB","filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star Lines","carrierEori":"GB345678912000",
	"consignorName":"Busan Kitchenware","consigneeName":"Harbour Kitchens Ltd","consigneeEori":"GB205672212000","transportDocNumber":"NSLU260411987",
	"portOfLoading":"KRPUS","portOfUnloading":"GBFXT","estimatedArrival":"2026-12-20T04:30:00Z","totalPackages":420,"totalGrossMassKg":3150.5,
	"goodsDescription":"Electric espresso machines","commodityCodes":["851671"],
	"message":{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"9431408","conRefNumHEA":"NS0412W"},
	"tRACONCO1":{"strAndNumCO122":"12 Haeyang-ro","posCodCO123":"49112","citCO124":"Busan","couCO125":"KR"},
	"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HK 1-420"}]}],
	"iTI":[{"couOfRouCodITI1":"KR"},{"couOfRouCodITI1":"GB"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000051"}}}`

// harness is the service with the simulator.
type harness struct {
	*exchangetest.Harness
	sim     *enssim.Simulator
	channel *exchange.Channel
	lists   atomic.Int64 // calls of the lists of outcomes
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
	d.sim, err = enssim.New(simulator.Options{Folder: d.TempDir(), Clock: simulator.OneClock(d.Clock), Log: slog.New(slog.DiscardHandler)})
	d.Must(err)
	d.Cleanup(func() { _ = d.sim.Close() })
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == ensapi.OutcomesPath {
			d.lists.Add(1)
		}
		d.sim.ServeHTTP(w, r)
	})
	c, err := ensapi.New(client.Settings{BaseURL: d.Serve(counted), Deadline: exchangetest.Deadline}, client.NewLimiter(1e6), d.Clock)
	d.Must(err)
	d.Cleanup(c.Close)
	a := connection.Authority(ics2.Filings.Type())
	d.channel = connection.Channel(a, exchange.Simulator, c)
	d.Connect(a, d.channel)
}

func call(org tenant.ID) tenant.Call { return exchangetest.Call(org) }

// submit submits a filing with a wish to the simulator.
func (d *harness) submit(id, wish string) error {
	d.Helper()
	return d.Act(outbox.Request{Call: call(ours), Simulate: wish}, id, exchange.Action{By: lifecycle.Submit})
}

// send submits a filing, and runs no other job than that of its message.
func (d *harness) send(id string) {
	d.Helper()
	ended := make(chan error, 1)
	go func() {
		_, _, err := d.Service.Act(d.Context(), outbox.Request{Call: call(ours)}, d.Kind, id, exchange.Action{By: lifecycle.Submit})
		ended <- err
	}()
	for len(d.Messages(ours, id)) == 0 {
		time.Sleep(time.Millisecond)
	}
	d.WorkOn(exchange.SendQueue)
	d.Must(<-ended)
}

func (d *harness) amend(id, body string) error {
	d.Helper()
	return d.Act(outbox.Request{Call: call(ours)}, id, exchange.Action{By: lifecycle.Amend, Input: []byte(body)})
}

// accepted creates and submits a filing, and returns it once HMRC has accepted it.
func (d *harness) accepted() (id string) {
	d.Helper()
	id = d.Create(call(ours), declared)
	d.Must(d.submit(id, ""))
	d.Continue(1)
	d.want(id, lifecycle.Accepted)
	return id
}

// shown is a filing as the test looks at it.
type shown struct {
	Status          lifecycle.State
	MRN             *string                `json:"mrn"`
	ReferenceSource *string                `json:"referenceSource"`
	TotalPackages   int                    `json:"totalPackages"`
	Refusals        []ics2.RefusedDetail   `json:"refusals"`
	Amendment       *ics2.AmendmentOutcome `json:"amendment"`
	Interventions   []ics2.Intervention    `json:"interventions"`
	Problems        []string               `json:"messageProblems"`
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
		d.Fatalf("the filing is %s, not %s: %+v", s.Status, status, s)
	}
	return s
}

// declarations counts the declarations and outcomes that the simulator has taken for an organisation.
func (d *harness) declarations(org tenant.ID) (taken, accepted, waiting int) {
	for e := range d.sim.Records() {
		switch {
		case e.Organisation != string(org):
		case e.Kind == "declaration":
			taken++
		case e.Kind == "outcome":
			if e.MRN != "" {
				accepted++
			}
			if !e.Acknowledged {
				waiting++
			}
		}
	}
	return taken, accepted, waiting
}

// polls leases the jobs that look at HMRC.
func (d *harness) polls() []jobs.Job {
	d.Helper()
	leased, err := d.Store.LeaseJobs(d.Context(), exchange.PollQueue, 10, jobs.Lease)
	d.Must(err)
	return leased
}

// document is a document about the declaration with a correlation id.
func document(id, correlation, raw string) exchange.Received {
	return exchange.Received{ID: id, Kind: "unreadable", Correlation: correlation, MediaType: "application/xml", Raw: []byte(raw)}
}
