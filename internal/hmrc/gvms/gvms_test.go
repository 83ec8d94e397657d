package gvms_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// lorry is a complete record.
func lorry() gvms.Record {
	return gvms.Record{
		Direction: gvms.Inbound, VehicleRegNum: "AB24 CDE", PlannedCrossing: &gvms.Crossing{RouteID: "107", Departure: "2026-12-01T06:30"},
		Customs: []gvms.Customs{{ID: "26GB3TTI2CQ1C7FGR4"}},
	}
}

// What the schema forbids is found at its field, before anything is sent.
func TestCheck(t *testing.T) {
	for field, change := range map[string]func(*gvms.Record){
		"":                        func(*gvms.Record) {},
		"direction":               func(r *gvms.Record) { r.Direction = "SIDEWAYS" },
		"vehicleRegNum":           func(r *gvms.Record) { r.VehicleRegNum = "ab24cde" },
		"trailerRegistrationNums": func(r *gvms.Record) { r.Trailers = []string{"C1", "C2", "C3"} },
		"sAndSMasterRefNums":      func(r *gvms.Record) { r.SafetyRefs = slices.Repeat([]gvms.SafetyRef{{MRN: "M"}}, 2501) },
		"plannedCrossing.routeId": func(r *gvms.Record) { r.PlannedCrossing.RouteID = "" },
		"plannedCrossing.localDateTimeOfDeparture":    func(r *gvms.Record) { r.PlannedCrossing.Departure = "2026-12-01T06:30:00Z" },
		"customsDeclarations[0].customsDeclarationId": func(r *gvms.Record) { r.Customs[0].ID = "invoice 7" },
		"transitDeclarations[1].transitDeclarationId": func(r *gvms.Record) {
			r.Transit = []gvms.Transit{{MRN: "26GB3TTI2CQ1C7FGR4"}, {MRN: "T1"}}
		},
		"ataDeclarations[0].ataCarnetId":                func(r *gvms.Record) { r.ATA = []gvms.ATA{{}} },
		"tirDeclarations[0].tirCarnetId":                func(r *gvms.Record) { r.TIR = []gvms.TIR{{Carnet: strings.Repeat("X", 201)}} },
		"eidrDeclarations[0].traderEORI":                func(r *gvms.Record) { r.EIDR = []gvms.EIDR{{EORI: "205672212000"}} },
		"indirectExportDeclarations[0].eadMasterRefNum": func(r *gvms.Record) { r.IndirectExports = []gvms.IndirectExport{{EAD: "short"}} },
		"customsDeclarations[0].sAndSMasterRefNum":      func(r *gvms.Record) { r.Customs[0].SafetyMRN = "é" },
		"sAndSMasterRefNums[0].masterRefNum":            func(r *gvms.Record) { r.SafetyRefs = []gvms.SafetyRef{{}} },
	} {
		r := lorry()
		change(&r)
		var fields []string
		for _, f := range r.Check() {
			fields = append(fields, f.Field)
		}
		if got := strings.Join(fields, " "); got != field {
			t.Errorf("faults at %q, want %q", got, field)
		}
	}
}

// Only the id is taken from a notification: the names of its other members are not public. What is about no record is an
// error.
func TestNotification(t *testing.T) {
	for message, want := range map[string]string{
		`{"gmrId":"GMRA00KW8LTT","state":"OPEN"}`: "GMRA00KW8LTT", `{"gmrId":"GMRA00KW8LTT","unheardOf":[1]}`: "GMRA00KW8LTT",
		`{"gmrId":"../../etc"}`: "", `{}`: "", `[]`: "", `{`: "",
	} {
		if got, err := gvms.NotifiedID([]byte(message)); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", message, got, err)
		}
	}
}

// A client that never got an answer does not know the outcome; an answer of HMRC is certain.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   func(client.Outcome) bool
	}{
		{"accepted", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }, func(o client.Outcome) bool { _, ok := o.(gvms.Accepted); return ok }},
		{"too many", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}, func(o client.Outcome) bool { r, ok := o.(client.Refused); return ok && r.RetryAfter == 7*time.Second }},
		{"refused", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"code":"NOT_AUTHORISED"}`))
		}, func(o client.Outcome) bool { r, ok := o.(client.Refused); return ok && r.Code == "NOT_AUTHORISED" }},
		{"lost", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, func(o client.Outcome) bool { _, ok := o.(client.Unknown); return ok }},
		{"failed", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, func(o client.Outcome) bool { _, ok := o.(client.Unknown); return ok }},
	} {
		g, err := gvms.New(client.Settings{BaseURL: hmrctest.Serve(t, c.answer)}, hmrctest.NoLimit{}, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if o := g.Create(context.Background(), hmrctest.Bearer("t"), lorry(), simulator.Request{}); !c.want(o) {
			t.Errorf("%s: %#v", c.name, o)
		}
		g.Close()
	}
}

// A record that the schema does not allow is refused without a request, with each fault at its field.
func TestMalformedRecordIsNotSent(t *testing.T) {
	address := hmrctest.Serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })
	g, err := gvms.New(client.Settings{BaseURL: address}, hmrctest.NoLimit{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := g.Create(context.Background(), hmrctest.Bearer("t"), gvms.Record{VehicleRegNum: "?"}, simulator.Request{}).(client.Refused)
	if len(r.Details) != 2 || r.Details[0].Path != "direction" || r.Details[1].Path != "vehicleRegNum" {
		t.Errorf("%+v", r)
	}
}

// Routes are offered in their direction and within their dates, both included. Their times are those of the port of
// departure, also across the change of the clocks.
func TestRoutes(t *testing.T) {
	all := gvms.Reference{
		Routes: []gvms.Route{
			{ID: "1", Direction: gvms.Inbound, Departure: 2, From: "2026-01-01", To: "2026-06-30"}, {ID: "2", Direction: gvms.Inbound, Departure: 2, From: "2026-06-30"},
			{ID: "3", Direction: gvms.Outbound, Departure: 1, From: "2026-01-01"}, {ID: "4", Departure: 9},
		},
		Ports: []gvms.Port{{ID: 1, Zone: "Europe/London"}, {ID: 2, Zone: "Europe/Paris"}},
	}
	for day, want := range map[string]string{"2025-12-31": "", "2026-01-01": "1", "2026-06-30": "12", "2026-07-01": "2"} {
		var got string
		for _, r := range all.Offered(gvms.Inbound, day) {
			got += r.ID
		}
		if got != want {
			t.Errorf("%s: routes %q, want %q", day, got, want)
		}
	}
	for _, c := range []struct {
		route       int
		local, want string
	}{{0, "2026-07-01T06:30", "2026-07-01T04:30:00Z"}, {0, "2026-12-01T06:30", "2026-12-01T05:30:00Z"}, {2, "2026-07-01T06:30", "2026-07-01T05:30:00Z"}} {
		at, err := all.DepartureTime(all.Routes[c.route], c.local)
		if err != nil || at.UTC().Format(time.RFC3339) != c.want {
			t.Errorf("%s: %v %v", c.local, at, err)
		}
		if back, err := all.LocalDeparture(all.Routes[c.route], at.UTC()); err != nil || back != c.local {
			t.Errorf("%s came back as %s, %v", c.local, back, err)
		}
	}
	if _, err := all.DepartureTime(all.Routes[3], "2026-07-01T06:30"); err == nil {
		t.Error("a route from an unknown port has a time")
	}
}

// largest is a record with as many declarations as a movement of the service can have.
func largest() gvms.Movement {
	m := gvms.Movement{ID: "GMRA2AMKTC1B", Record: lorry(), Metadata: gvms.Metadata{State: gvms.Open, Version: 3, Created: "2026-11-27T09:00:00.000Z", Updated: "2026-11-27T09:00:02.000Z"}}
	for n := range 199 {
		m.Customs = append(m.Customs, gvms.Customs{ID: fmt.Sprintf("26GB3TTI2CQ1C7F%03d", n)})
	}
	return m
}

func BenchmarkEncode(b *testing.B) {
	m := largest()
	for b.Loop() {
		if found := m.Check(); len(found) > 0 {
			b.Fatal(found)
		}
		if _, err := json.Marshal(m.Record); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data, err := json.Marshal(largest())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var m gvms.Movement
		if err := json.Unmarshal(data, &m); err != nil || len(m.Customs) != 200 {
			b.Fatal(err)
		}
	}
}
