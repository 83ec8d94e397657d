package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// authorityCallers is the number of concurrent callers.
const authorityCallers = 4

// entrySummary is a declaration for Great Britain with a mark.
func entrySummary(mark string) map[string]any {
	return map[string]any{
		"regime": "GB", "filingType": "ENS_SEA", "modeOfTransport": "1", "carrierName": "Northern Star Lines", "carrierEori": "GB345678912000",
		"consignorName": "Busan Kitchenware", "consigneeName": "Harbour Kitchens Ltd", "consigneeEori": "GB205672212000", "transportDocNumber": mark,
		"portOfLoading": "KRPUS", "portOfUnloading": "GBFXT", "estimatedArrival": time.Now().AddDate(0, 0, 20).UTC().Format(time.RFC3339),
		"totalPackages": 420, "totalGrossMassKg": 3150.5, "goodsDescription": "Electric espresso machines", "commodityCodes": []string{"851671"},
		"message": json.RawMessage(`{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"9431408","conRefNumHEA":"NS0412W"},
			"tRACONCO1":{"strAndNumCO122":"12 Haeyang-ro","posCodCO123":"49112","citCO124":"Busan","couCO125":"KR"},
			"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HK 1-420"}]}],
			"iTI":[{"couOfRouCodITI1":"KR"},{"couOfRouCodITI1":"GB"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000051"}}`),
	}
}

// crossing is a goods movement of a vehicle of its own.
func crossing(vehicle string) map[string]any {
	return map[string]any{
		"routeFrom": "Calais", "routeTo": "Dover", "vehicleReg": vehicle, "message": json.RawMessage(`{"emptyVehicle":{"isOwnVehicle":true}}`),
		"crossingDate": time.Now().AddDate(0, 0, 5).UTC().Format(time.RFC3339),
	}
}

// However often the program is killed, before or after a simulator has received a message, HMRC gets each entry summary declaration
// and each goods movement once, nothing that was acknowledged is lost, and nothing is stuck.
func TestAuthoritiesUnderKill(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		p := newHost(t, b)
		p.Settings["TIDEWAITER_ENS_MODE"], p.Settings["TIDEWAITER_GVMS_MODE"] = "simulator", "simulator"
		running, c := p.withOrganisation(t)
		for _, hub := range []string{"ics2", "gvms"} {
			c.must(t, http.MethodPost, "/api/hubs/"+hub, nil, &struct{}{})
		}
		l := newAuthorityLoad(c)
		finish := l.run(t)
		random := randomSource(t)
		for round := range sized(2, 200) {
			time.Sleep(time.Duration(random.Int64N(int64(longestCalm))))
			if round%2 == 0 {
				awaitGrowth(filepath.Join(p.Data(), "simulator"))
			}
			time.Sleep(time.Duration(random.Int64N(int64(longestDelay))))
			running.Kill()
			running = p.serve(t)
			c.turn(running)
		}
		finish()
		l.settled(t)
		running.Stop(t)
		l.compare(t, filepath.Join(p.Data(), "simulator"))
		p.verifyAudit(t)
	})
}

// awaitGrowth returns when a simulator has stored something, or after a moment in which none has.
func awaitGrowth(folder string) {
	size := func() (total int64) {
		for _, name := range []string{"ens.jsonl", "gvms.jsonl"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
				total += info.Size()
			}
		}
		return total
	}
	before := size()
	for give := time.Now().Add(2 * longestCalm); size() == before && time.Now().Before(give); {
		time.Sleep(time.Millisecond)
	}
}

// authorityLoad is a set of callers that file until each call was answered.
type authorityLoad struct {
	*load
	entries, movements map[string]string // mark and id of what was acknowledged
}

func newAuthorityLoad(c *client) *authorityLoad {
	return &authorityLoad{load: newLoad(c, "", 100*time.Millisecond), entries: map[string]string{}, movements: map[string]string{}}
}

// run starts the callers. The end of finish is the end of all of them.
func (l *authorityLoad) run(t *testing.T) (finish func()) {
	var all sync.WaitGroup
	stop := make(chan struct{})
	for caller := range authorityCallers {
		all.Go(func() {
			pause := rand.New(rand.NewPCG(uint64(caller), 1)) // #nosec G404 -- the same pauses in each run
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(callerPause(l.pause) + time.Duration(pause.Int64N(int64(l.pause)))):
				}
				if !l.fileOne(t, fmt.Sprintf("K%dN%d", caller, n)) {
					return
				}
			}
		})
	}
	return func() {
		close(stop)
		all.Wait()
	}
}

// fileOne makes a goods movement, and an entry summary declaration that it submits.
func (l *authorityLoad) fileOne(t *testing.T, mark string) bool {
	var moved struct{ ID string }
	var made struct{ Filing struct{ ID string } }
	if !l.retry(t.Context(), creating, "/api/gvms/movements", "move "+mark, crossing(mark), &moved) {
		return false
	}
	l.note(func() { l.movements[mark] = moved.ID })
	if !l.retry(t.Context(), creating, "/api/ics2/filings", "enter "+mark, entrySummary(mark), &made) {
		return false
	}
	if !l.retry(t.Context(), submitting, "/api/ics2/filings/"+made.Filing.ID+"/submit", "submit "+mark, nil, &struct{}{}) {
		return false
	}
	l.note(func() { l.entries[mark] = made.Filing.ID })
	return true
}

// settled waits until each declaration is accepted and each movement has its number, all of them different.
func (l *authorityLoad) settled(t *testing.T) {
	t.Helper()
	for _, problem := range l.problems {
		t.Error(problem)
	}
	t.Logf("%d declarations and %d movements; calls cut off: %d; other answers: %v", len(l.entries), len(l.movements), l.cut[creating]+l.cut[submitting], l.answers)
	if len(l.entries) == 0 {
		t.Error("nothing was filed")
	}
	seen := map[string]string{}
	for mark, id := range l.entries {
		var found struct {
			Filing struct {
				Status   string
				MRN      *string
				Refusals []any
			}
		}
		eventually(t, 2*time.Minute, "acceptance of "+mark, func() bool {
			l.client.must(t, http.MethodGet, "/api/ics2/filings/"+id, nil, &found)
			return found.Filing.Status == "ACCEPTED"
		})
		if f := found.Filing; f.MRN == nil || seen[*f.MRN] != "" || f.Refusals != nil {
			t.Errorf("%s is %+v", mark, f)
		} else {
			seen[*f.MRN] = mark
		}
	}
	for mark, id := range l.movements {
		var found struct {
			Movement struct{ Status, GMRID string }
		}
		eventually(t, 2*time.Minute, "number of "+mark, func() bool {
			l.client.must(t, http.MethodGet, "/api/gvms/movements/"+id, nil, &found)
			return found.Movement.Status == "OPEN"
		})
		if seen[found.Movement.GMRID] != "" || found.Movement.GMRID == "" {
			t.Errorf("%s is %+v", mark, found.Movement)
		}
		seen[found.Movement.GMRID] = mark
	}
	var unclaimed struct{ Messages []json.RawMessage }
	l.client.must(t, http.MethodGet, "/api/authorities/messages", nil, &unclaimed)
	if len(unclaimed.Messages) > 0 {
		t.Errorf("%d messages belong to no record: %s", len(unclaimed.Messages), unclaimed.Messages[0])
	}
	for kind, n := range map[string]int{"ics2.filing.accepted": len(l.entries), "ics2.filing.submitted": len(l.entries), "ics2.filing.rejected": 0, "gvms.movement.created": len(l.movements)} {
		if events := l.client.events(t, kind); len(events) != n {
			t.Errorf("%d events %s, want %d", len(events), kind, n)
		}
	}
}

// compare compares what the simulators have with what was filed.
func (l *authorityLoad) compare(t *testing.T, folder string) {
	t.Helper()
	vehicles := map[string]int{}
	for id, r := range lastOf(t, filepath.Join(folder, "gvms.jsonl"), func(r simulated) string { return r.Movement.GMRID }) {
		if vehicles[r.Movement.VehicleRegNum]++; id == "" {
			t.Error("a record without a number")
		}
	}
	for vehicle, n := range vehicles {
		if n != 1 {
			t.Errorf("HMRC has %d records of %s", n, vehicle)
		}
	}
	if len(vehicles) != len(l.movements) {
		t.Errorf("HMRC has %d movements, and %d were created", len(vehicles), len(l.movements))
	}
	accepted, rejected, waiting := 0, 0, 0
	for _, r := range lastOf(t, filepath.Join(folder, "ens.jsonl"), func(r simulated) string { return r.Kind + r.ID }) {
		switch {
		case r.Kind == "declaration":
			accepted++
		case r.Kind == "outcome" && r.MRN == "":
			rejected++
		}
		if r.Kind == "outcome" && !r.Acknowledged {
			waiting++
		}
	}
	if accepted != len(l.entries) || waiting > 0 {
		t.Errorf("HMRC accepted %d declarations of %d, and %d outcomes are not acknowledged", accepted, len(l.entries), waiting)
	}
	t.Logf("%d declarations were sent again and rejected as repeats", rejected)
}

// simulated is a record of a simulator's journal.
type simulated struct {
	Kind, ID, MRN string
	Acknowledged  bool
	Movement      struct{ GMRID, VehicleRegNum string }
}

// lastOf returns the latest record of each key in a journal.
func lastOf(t *testing.T, name string, key func(simulated) string) map[string]simulated {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]simulated{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r simulated
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v in %s", name, err, lines.Bytes())
		}
		all[key(r)] = r
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
