package app_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// front stands in for HMRC's platform before a simulator: tokens are accepted until their consent has ended.
type front struct {
	*httptest.Server
	sim http.Handler

	mu       sync.Mutex
	ended    bool
	number   int // of tokens
	accepted int // POST requests with a token that works
	lists    int // of goods movement records
	endAfter bool
}

func newFront(t *testing.T, sim http.Handler) *front {
	t.Helper()
	g := &front{sim: sim}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/token", g.token)
	mux.HandleFunc("/", g.call)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(func() { g.CloseClientConnections(); g.Close() })
	return g
}

func (g *front) token(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.PostFormValue("grant_type") == "refresh_token" && g.ended {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"refresh_token is invalid"}`)
		return
	}
	g.ended = false
	g.number++
	_, _ = fmt.Fprintf(w, `{"access_token":"a%[1]d","refresh_token":"r%[1]d","token_type":"bearer","expires_in":14400}`, g.number)
}

func (g *front) call(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	ended := g.ended
	if !ended && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/movements") {
		g.lists++
	}
	if !ended && r.Method == http.MethodPost {
		g.accepted++
		g.ended, g.endAfter = g.endAfter, false
	}
	g.mu.Unlock()
	if ended {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"INVALID_CREDENTIALS","message":"Invalid Authentication information provided"}`)
		return
	}
	g.sim.ServeHTTP(w, r)
}

// end lets HMRC accept no token any more, until consent is given again.
func (g *front) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
}

// endAfterPost is end after the next request that is accepted.
func (g *front) endAfterPost() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.endAfter = true
}

// posted is the number of requests that were accepted.
func (g *front) posted() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.accepted
}

// polled is the number of lists of goods movement records.
func (g *front) polled() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lists
}

// fronted is an organisation whose Hub is connected to a front.
type fronted struct {
	*excise
	*front
	authority, path, kind string
}

func startFront(t *testing.T, b storetest.Backend, authority, hub, path, kind string, sim http.Handler, set func(*config.Config) *config.Authority) *fronted {
	t.Helper()
	return startFrontAt(t, b, nil, authority, hub, path, kind, sim, set)
}

// startFrontAt is startFront with a clock of the test; nil for the machine's.
func startFrontAt(t *testing.T, b storetest.Backend, now func() time.Time, authority, hub, path, kind string, sim http.Handler, set func(*config.Config) *config.Authority) *fronted {
	t.Helper()
	g := newFront(t, sim)
	e := &excise{instance: runAt(t, b, now, func(c *config.Config) {
		*set(c) = config.Authority{Mode: "hmrc-sandbox", URL: g.URL, ClientID: "app", ClientSecret: "secret", Scope: "write:all", Rate: 1000, PushSecret: pushSecret}
	})}
	made, err := e.CreateOrganisation(t.Context(), "Harbour Kitchens Ltd", "GB123456789000")
	if err != nil {
		t.Fatal(err)
	}
	e.org, e.key = made.Organisation.ID, made.Secret
	e.request(http.MethodPost, "/api/hubs/"+hub, "", http.StatusOK, nil)
	return &fronted{e, g, authority, path, kind}
}

// agree gives consent, as a person does in a browser.
func (d *fronted) agree() {
	d.t.Helper()
	consents, err := d.Exchange.ConsentsOf(d.authority)
	if err != nil {
		d.t.Fatal(err)
	}
	call := d.owner()
	address := ""
	err = d.Store.Update(d.t.Context(), d.org, func(tx *store.Tx) (err error) {
		address, _, err = consents.Begin(tx, call, "session")
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	at, err := url.Parse(address)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := consents.Complete(context.Background(), call, consent.Redirect{State: at.Query().Get("state"), Code: "code", SessionID: "session"}); err != nil {
		d.t.Fatal(err)
	}
}

// reaches waits until a record has a status.
func (d *fronted) reaches(id, status string) {
	d.t.Helper()
	d.eventually("is not "+status, func() bool { return string(d.stateOf(d.kind, id)) == status }, d.path+"/"+id, "/api/authorities")
}

// eventually waits until a condition holds; otherwise it shows what some paths have.
func (d *fronted) eventually(what string, holds func() bool, paths ...string) {
	d.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if holds() {
			return
		}
	}
	for _, p := range paths {
		what += "\n" + d.request(http.MethodGet, p, "", http.StatusOK, nil)
	}
	d.t.Fatal(what)
}

// waitsFor expects the only message of a record to be pending because a consent is missing.
func (d *fronted) waitsFor(id string) {
	d.t.Helper()
	var list struct {
		Messages []struct{ State, Problem string }
	}
	d.eventually("the message has no problem", func() bool {
		d.request(http.MethodGet, d.path+"/"+id+"/messages", "", http.StatusOK, &list)
		return len(list.Messages) == 1 && list.Messages[0].Problem != ""
	}, d.path+"/"+id+"/messages")
	if m := list.Messages[0]; m.State != "pending" || !strings.Contains(m.Problem, "waits for the organisation’s consent") && !strings.Contains(m.Problem, "waits for the organisation's consent") {
		d.t.Errorf("%+v", m)
	}
	if text := d.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil); !strings.Contains(text, `"REVOKED"`) {
		d.t.Error(text)
	}
}

// asksForConsent expects that the authority is not asked about records, and that the organisation can read why.
func (d *fronted) asksForConsent() {
	d.t.Helper()
	d.eventually("nothing says that consent is missing", func() bool {
		return strings.Contains(d.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil), "needs the organisation's consent")
	}, "/api/authorities")
}

func oneClock() simulator.Options {
	return simulator.Options{Clock: simulator.OneClock(time.Now), Log: slog.New(slog.DiscardHandler)}
}

// Entry summary declarations wait for the organisation's consent: before it was given, after HMRC has refused the token while one is sent or its outcome is awaited,
// and after the organisation has withdrawn it. Each says so, and goes on by itself once there is consent; nothing is sent twice.
func TestConsentForEntrySummaries(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		sim, err := enssim.New(oneClock())
		if err != nil {
			t.Fatal(err)
		}
		d := startFront(t, b, "ens", "ics2", "/api/ics2/filings", "ics2.filing", sim, func(c *config.Config) *config.Authority { return &c.ENS })
		d.refusedWithout(d.newEntry())
		d.agree()
		first := d.newEntry()
		d.request(http.MethodPost, d.path+"/"+first+"/submit", "", http.StatusOK, nil)
		d.reaches(first, "ACCEPTED")

		d.end() // while it is sent
		second, before := d.newEntry(), d.posted()
		d.refusedWithout(second)
		d.waitsFor(second)
		d.agree()
		d.reaches(second, "ACCEPTED")

		third := d.newEntry()
		d.endAfterPost() // while its outcome is awaited
		d.request(http.MethodPost, d.path+"/"+third+"/submit", "", http.StatusOK, nil)
		d.asksForConsent()
		d.reaches(third, "SUBMITTED")
		d.agree()
		d.reaches(third, "ACCEPTED")

		d.request(http.MethodDelete, "/api/authorities/ens/consent", "", http.StatusOK, nil)
		d.refusedWithout(d.newEntry())
		if n := d.posted() - before; n != 2 {
			t.Errorf("%d declarations were sent, not 2", n)
		}
	})
}

// newEntry makes a draft of an entry summary declaration.
func (d *fronted) newEntry() string {
	d.t.Helper()
	var made struct{ Filing struct{ ID string } }
	d.request(http.MethodPost, d.path, entryBody(time.Now()), http.StatusOK, &made)
	return made.Filing.ID
}

// entryBody is an entry summary declaration for Great Britain.
func entryBody(now time.Time) string {
	return `{"regime":"GB","filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star Lines","carrierEori":"GB345678912000",
	"consignorName":"Busan Kitchenware","consigneeName":"Harbour Kitchens Ltd","consigneeEori":"GB205672212000","transportDocNumber":"NSLU260411987",
	"portOfLoading":"KRPUS","portOfUnloading":"GBFXT","estimatedArrival":"` + now.AddDate(0, 0, 20).UTC().Format(time.RFC3339) + `","totalPackages":420,"totalGrossMassKg":3150.5,
	"goodsDescription":"Electric espresso machines","commodityCodes":["851671"],
	"message":{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"9431408","conRefNumHEA":"NS0412W"},
	"tRACONCO1":{"strAndNumCO122":"12 Haeyang-ro","posCodCO123":"49112","citCO124":"Busan","couCO125":"KR"},
	"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HK 1-420"}]}],
	"iTI":[{"couOfRouCodITI1":"KR"},{"couOfRouCodITI1":"GB"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000051"}}}`
}

// refusedWithout expects that a draft cannot be submitted without consent.
func (d *fronted) refusedWithout(id string) {
	d.t.Helper()
	if text := d.request(http.MethodPost, d.path+"/"+id+"/submit", "", http.StatusConflict, nil); !strings.Contains(text, `"customs_consent_required"`) {
		d.t.Error(text)
	}
	if got := d.stateOf(d.kind, id); got != "DRAFT" {
		d.t.Errorf("the draft is %s", got)
	}
}

// Goods movement records wait for the organisation's consent in the same way. One that is new when HMRC refuses the token is kept, says that it waits, and
// is sent once there is consent.
func TestConsentForGoodsMovements(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		sim, err := gvmssim.New(oneClock())
		if err != nil {
			t.Fatal(err)
		}
		d := startFront(t, b, "gvms", "gvms", "/api/gvms/movements", "gvms.movement", sim, func(c *config.Config) *config.Authority { return &c.GVMS })
		if text := d.request(http.MethodPost, d.path, movementBody("AB24 AAA"), http.StatusConflict, nil); !strings.Contains(text, `"customs_consent_required"`) {
			t.Error(text)
		}
		d.agree()
		d.reaches(d.newMovement("AB24 BBB"), "OPEN")

		d.refusesSimulated()
		d.refusesSimulatedExport()

		d.end() // while it is sent
		before := d.posted()
		second := d.newMovement("AB24 CCC")
		d.waitsFor(second)
		d.reaches(second, "DRAFT")
		d.agree()
		d.reaches(second, "OPEN")

		d.endAfterPost() // while its id is awaited
		third := d.newMovement("AB24 DDD")
		d.asksForConsent()
		d.reaches(third, "DRAFT")
		d.agree()
		d.reaches(third, "OPEN")

		d.request(http.MethodDelete, "/api/authorities/gvms/consent", "", http.StatusOK, nil)
		for method, body := range map[string]string{http.MethodPatch: `{"routeTo":"Dover"}`, http.MethodDelete: ""} {
			if text := d.request(method, d.path+"/"+third, body, http.StatusConflict, nil); !strings.Contains(text, `"customs_consent_required"`) {
				t.Error(text)
			}
		}
		if n := d.posted() - before; n != 2 {
			t.Errorf("%d records were sent, not 2", n)
		}
	})
}

// refusesSimulated expects that HMRC does not get the MRN that this service has made for another record.
func (d *fronted) refusesSimulated() {
	d.t.Helper()
	d.request(http.MethodPost, "/api/hubs/ics2", "", http.StatusOK, nil)
	var made struct{ Filing struct{ ID, MRN string } }
	d.request(http.MethodPost, "/api/ics2/filings", `{"filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star Lines","consignorName":"Busan","consigneeName":"Harbour","transportDocNumber":"NSLU260411987","portOfLoading":"KRPUS","portOfUnloading":"IEDUB"}`, http.StatusOK, &made)
	d.request(http.MethodPost, "/api/ics2/filings/"+made.Filing.ID+"/submit", "", http.StatusOK, &made)
	body := strings.Replace(movementBody("AB24 EEE"), `"26GB3TTI2CQ1C7FGE4"`, `"26GB3TTI2CQ1C7FGE4","`+made.Filing.MRN+`"`, 1)
	text := d.request(http.MethodPost, d.path, body, http.StatusUnprocessableEntity, nil)
	if !strings.Contains(text, `"customsDeclarations[1]"`) || !strings.Contains(text, made.Filing.MRN+" is a simulated reference") {
		d.t.Error(text)
	}
}

// refusesSimulatedExport expects that HMRC does not get the DUCR of an export that only the simulator of customs has accepted, however the movement names the
// export.
func (d *fronted) refusesSimulatedExport() {
	d.t.Helper()
	created := func(path, body string) string {
		var record struct{ ID string }
		d.request(http.MethodPost, path, body, http.StatusCreated, &record)
		return record.ID
	}
	client := created("/api/clients", `{"name":"Harbour Kitchens Ltd","eori":"GB205672212000"}`)
	shipment := created("/api/shipments", `{"clientId":"`+client+`","portOfEntry":"GBDVR","transportMode":"ROAD","vesselName":"AB24 EEE"}`)
	export := created("/api/declarations", `{"shipmentId":"`+shipment+`","declarationType":"EXPORT","location":{"country":"GB","type":"A","qualifier":"U","name":"FXTFXTFXT"},
		"items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"customsValueGbp":1850.00,"grossMassKg":131,
		"countryOfOrigin":"GB","quantity":600,"packageCount":25,"packageType":"CT"}],"documents":[{"type":"N935","reference":"BDX/26/1133"}]}`)
	d.request(http.MethodPost, "/api/cds/submit", `{"declarationId":"`+export+`"}`, http.StatusOK, nil)
	var shown struct {
		Declaration struct{ Status, MRN, DUCR, ReferenceSource string }
	}
	d.eventually("the export is not cleared", func() bool {
		d.request(http.MethodGet, "/api/declarations/"+export, "", http.StatusOK, &shown)
		return shown.Declaration.Status == "CLEARED"
	}, "/api/declarations/"+export)
	ducr := shown.Declaration.DUCR
	if ducr == "" || shown.Declaration.ReferenceSource != "simulator" {
		d.t.Fatalf("%+v", shown)
	}
	outbound := func(named string) string {
		return `{"routeFrom":"Dover","routeTo":"Calais","vehicleReg":"AB24 FFF","crossingDate":"` + time.Now().AddDate(0, 0, 2).UTC().Format(time.RFC3339) + `","customsDeclarations":["6GB123456789000-OTHER1","` + named + `"]}`
	}
	before := d.posted()
	for _, named := range []string{ducr, strings.ToLower(ducr), export} {
		text := d.request(http.MethodPost, d.path, outbound(named), http.StatusUnprocessableEntity, nil)
		if !strings.Contains(text, `"customsDeclarations[1]"`) || !strings.Contains(text, ducr+" names a declaration that only a simulator has accepted") || strings.Contains(text, `"customsDeclarations[0]"`) {
			d.t.Error(text)
		}
	}
	if n := d.posted() - before; n != 0 {
		d.t.Errorf("%d records were sent, not 0", n)
	}
	var made struct{ ID string }
	d.request(http.MethodPost, d.path, outbound("6GB123456789000-OTHER2"), http.StatusCreated, &made) // of an export that was declared elsewhere
	d.reaches(made.ID, "OPEN")
}

func movementBody(vehicle string) string {
	return `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"` + vehicle + `","crossingDate":"` + time.Now().AddDate(0, 0, 2).UTC().Format(time.RFC3339) + `","customsDeclarations":["26GB3TTI2CQ1C7FG` + vehicle[len(vehicle)-1:] + `4"]}`
}

func (d *fronted) newMovement(vehicle string) string {
	d.t.Helper()
	var made struct{ ID string }
	d.request(http.MethodPost, d.path, movementBody(vehicle), http.StatusCreated, &made)
	return made.ID
}

// Every simulator is steered by X-Simulate in the same way: a value that it does not have is refused with the values that it has, before anything is
// stored, and one that it has gives the outcome.
func TestSteeringOfSimulators(t *testing.T) {
	e := &excise{instance: run(t, storetest.SQLite(t), func(c *config.Config) { c.EMCS.Mode, c.ENS.Mode, c.GVMS.Mode = "simulator", "simulator", "simulator" })}
	made, err := e.CreateOrganisation(t.Context(), "Harbour Kitchens Ltd", "GB123456789000")
	if err != nil {
		t.Fatal(err)
	}
	e.org, e.key = made.Organisation.ID, made.Secret
	for _, hub := range []string{"emcs", "ics2", "gvms"} {
		e.request(http.MethodPost, "/api/hubs/"+hub, "", http.StatusOK, nil)
	}
	entries := &fronted{excise: e, path: "/api/ics2/filings", kind: "ics2.filing"}
	movements := &fronted{excise: e, path: "/api/gvms/movements", kind: "gvms.movement"}
	entry, excise := entries.newEntry(), e.create()
	submissions := map[string]string{"/api/ics2/filings/" + entry + "/submit": "", "/api/emcs/movements/" + excise + "/submit": "", "/api/gvms/movements": movementBody("AB24 AAA")}
	e.simulate = "nonsense"
	for path, body := range submissions {
		if text := e.request(http.MethodPost, path, body, http.StatusBadRequest, nil); !strings.Contains(text, `"field":"X-Simulate"`) || !strings.Contains(text, "must be one of: ") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if text := e.request(http.MethodGet, "/api/gvms/movements", "", http.StatusOK, nil); strings.Contains(text, "AB24 AAA") {
		t.Errorf("a record was stored: %s", text)
	}
	e.simulate = "reject"
	e.request(http.MethodPost, "/api/ics2/filings/"+entry+"/submit", "", http.StatusOK, nil)
	e.request(http.MethodPost, "/api/emcs/movements/"+excise+"/submit", "", http.StatusOK, nil)
	e.simulate = "inspect"
	movement := movements.newMovement("AB24 AAA")
	e.simulate = ""
	entries.reaches(entry, "REJECTED")
	e.await(excise, "REJECTED")
	movements.reaches(movement, "OPEN")
}
