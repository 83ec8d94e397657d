package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Kills of the program with its simulator while movements go from draft to receipt, and the callers that file them.
const exciseCallers = 3

var exciseKills = sized(exciseSteps, 150)

// exciseSteps are the steps of a movement after which a kill is placed: the instants from there on cover storing, sending, the answer, its application, and the call
// that fetches messages and the storing of its position.
const exciseSteps = 4

// exciseLoad files excise movements, one after the other for each caller, each from draft to receipt.
type exciseLoad struct {
	*client
	body    json.RawMessage
	entered [exciseSteps]chan struct{}

	mu       sync.Mutex
	filed    []string // ids of movements that were received
	problems []string
}

// However often the program is killed, no message is sent to EMCS twice, none is lost, and every movement reaches its end.
func TestKillWithExciseMovements(t *testing.T) {
	onBoth(t, testKillWithExciseMovements)
}

func testKillWithExciseMovements(t *testing.T, b storetest.Backend) {
	p := newHost(t, b)
	p.Settings["TIDEWAITER_EMCS_MODE"] = "simulator"
	running, c := p.withOrganisation(t)
	l := newExciseLoad(t, c)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan struct{})
	var callers sync.WaitGroup
	for i := range exciseCallers {
		callers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if !l.file(ctx, fmt.Sprintf("%d-%d", i, n)) {
					return
				}
			}
		})
	}
	random := randomSource(t)
	for round := range exciseKills {
		l.await(round%exciseSteps, random)
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	close(done)
	callers.Wait()
	if len(l.problems) > 0 || len(l.filed) < exciseCallers {
		t.Errorf("%d movements; problems: %q", len(l.filed), l.problems)
	}
	arcs := map[string]string{}
	for _, id := range l.filed {
		arcs[l.movement(t, id)] = id
	}
	running.Stop(t)
	l.sentOnce(t, filepath.Join(p.Data(), "simulator"), arcs)
	p.verifyAudit(t)
	t.Logf("%d kills, %d movements", exciseKills, len(l.filed))
}

func newExciseLoad(t *testing.T, c *client) *exciseLoad {
	t.Helper()
	var hub json.RawMessage
	c.must(t, http.MethodPost, "/api/hubs/emcs", nil, &hub)
	draft := emcstest.Draft(emcs.V323, time.Now())
	emcstest.Edit(draft.Body, "-EadEsadDraft/LocalReferenceNumber")
	content, err := draft.JSON()
	if err != nil {
		t.Fatal(err)
	}
	l := &exciseLoad{client: c, body: fmt.Appendf(nil, `{"message":%s}`, content)}
	for i := range l.entered {
		l.entered[i] = make(chan struct{}, 1)
	}
	return l
}

// await returns a random time after a caller has begun a step.
func (l *exciseLoad) await(step int, random *rand.Rand) {
	select {
	case <-l.entered[step]:
	default:
	}
	select {
	case <-l.entered[step]:
	case <-time.After(time.Minute): // on a busy machine; the kill then falls into another step
	}
	time.Sleep(time.Duration(random.Int64N(int64(longestDelay))))
}

func (l *exciseLoad) enter(step int) {
	select {
	case l.entered[step] <- struct{}{}:
	default:
	}
}

// file creates a movement, submits it, waits for its ARC, reports its receipt and waits for its end.
func (l *exciseLoad) file(ctx context.Context, mark string) bool {
	var made struct{ Movement struct{ ID string } }
	if !l.retry(ctx, "/api/emcs/movements", "create "+mark, l.body, &made) {
		return false
	}
	id := made.Movement.ID
	path, none := "/api/emcs/movements/"+id, new(json.RawMessage)
	l.enter(0)
	if !l.retry(ctx, path+"/submit", "submit "+mark, nil, none) {
		return false
	}
	l.enter(1)
	if !l.reaches(ctx, path, "IN_TRANSIT") {
		return false
	}
	l.enter(2)
	report := json.RawMessage(`{"conclusion":1,"arrivedOn":"` + time.Now().UTC().Format(time.DateOnly) + `"}`)
	if !l.retry(ctx, path+"/receipt", "receipt "+mark, report, none) {
		return false
	}
	l.enter(3)
	if !l.reaches(ctx, path, "DELIVERED") {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filed = append(l.filed, id)
	return true
}

func (l *exciseLoad) problem(format string, args ...any) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
	return false
}

// retry repeats a call with its idempotency key until it is answered. The only permitted failures are a broken connection, and answers that the service or EMCS is
// temporarily unavailable.
func (l *exciseLoad) retry(ctx context.Context, path, once string, in json.RawMessage, out any) bool {
	var body any
	if in != nil {
		body = in
	}
	for give := time.Now().Add(2 * retryLimit); time.Now().Before(give); time.Sleep(retryPause) {
		a, err := l.do(ctx, http.MethodPost, path, once, body)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
		case a.read(out):
			return true
		case a.status < http.StatusInternalServerError && a.code() != "idempotency_in_progress" && a.code() != "request_in_progress":
			return l.problem("%s: %d %s", path, a.status, a.body)
		}
	}
	return l.problem("%s: not answered within %s", path, 2*retryLimit)
}

// reaches reads a movement until it has a status.
func (l *exciseLoad) reaches(ctx context.Context, path, status string) bool {
	var m struct{ Movement struct{ Status string } }
	for give := time.Now().Add(2 * retryLimit); time.Now().Before(give); time.Sleep(5 * retryPause) {
		a, err := l.do(ctx, http.MethodGet, path, "", nil)
		if ctx.Err() != nil {
			return false
		}
		if err == nil && a.read(&m) && m.Movement.Status == status {
			return true
		}
	}
	return l.problem("%s is stuck in %s instead of %s", path, m.Movement.Status, status)
}

// movement reads a movement that was received, checks that every message is there once, and returns its ARC.
func (l *exciseLoad) movement(t *testing.T, id string) string {
	t.Helper()
	var m struct{ Movement struct{ Status, ARC string } }
	l.must(t, http.MethodGet, "/api/emcs/movements/"+id, nil, &m)
	var list struct {
		Messages []struct{ Kind, Direction, State string }
	}
	l.must(t, http.MethodGet, "/api/emcs/movements/"+id+"/messages", nil, &list)
	count := map[string]int{}
	for _, one := range list.Messages {
		count[one.Kind+" "+one.Direction+" "+one.State]++
	}
	if got := fmt.Sprint(count); got != "map[IE801 in received:1 IE815 out sent:1 IE818 in received:1 IE818 out sent:1]" || m.Movement.Status != "DELIVERED" {
		t.Errorf("movement %s is %s with %s", id, m.Movement.Status, got)
	}
	return m.Movement.ARC
}

// sentOnce checks the journal of the simulator: each ARC is that of one record, and no movement was accepted or received twice.
func (l *exciseLoad) sentOnce(t *testing.T, folder string, arcs map[string]string) {
	t.Helper()
	if _, err := os.Stat(folder); err != nil {
		t.Fatal(err)
	}
	s, err := emcssim.NewServer(simulator.Options{Folder: folder, Clock: simulator.OneClock(time.Now), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var sim emcssim.Simulator
	sent := map[string]int{}
	for r := range s.Records() {
		sim.Apply(r.Call)
		m, err := emcs.Decode(r.Document)
		if err != nil {
			t.Fatal(err)
		}
		if m.Kind != emcs.Draft {
			sent[r.Movement+" "+string(m.Kind)]++
		}
	}
	for what, n := range sent {
		if n != 1 {
			t.Errorf("%s was sent %d times", what, n)
		}
	}
	told := map[string]int{}
	for _, d := range sim.Deliveries("", time.Time{}, emcstest.Consignor) {
		told[string(d.Message.Kind)]++
	}
	if len(arcs) != len(l.filed) || told["IE801"] != len(arcs) || told["IE818"] != len(arcs) || told["IE704"] != 0 {
		t.Errorf("EMCS has %v, and %d records have %d ARCs", told, len(l.filed), len(arcs))
	}
}
