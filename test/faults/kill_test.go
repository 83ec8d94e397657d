package faults_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Number of kills, in the short run one in each phase, and of concurrent callers.
var (
	kills   = sized(int(phases), 500)
	callers = sized(5, 16)
)

// seedVariable repeats the random instants of an earlier run.
const seedVariable = "TIDEWAITER_FAULTS_SEED"

// randomSource returns a random source, and logs the seed that repeats it. The seed of the short run is always the same.
func randomSource(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if long() {
		seed = rand.Uint64()
	}
	if text := os.Getenv(seedVariable); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = given
	}
	t.Logf("%s=%d", seedVariable, seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// However often the program is killed, acknowledged data is kept, nothing is declared twice, and started work is
// completed.
func TestKill(t *testing.T) {
	onBoth(t, testKill)
}

func testKill(t *testing.T, b storetest.Backend) {
	began, p := time.Now(), newHost(t, b)
	running, c := p.withOrganisation(t)
	pause := time.Duration(sized(80, 250)) * time.Millisecond
	l := newLoad(c, c.shipment(t), pause)
	finish := l.run(t.Context(), callers)
	random := randomSource(t)
	for round := range kills {
		l.await(phase(round%int(phases)), random)
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	finish()
	repeated := l.end(t, p, p, running)
	p.sentOnce(t)
	t.Logf("%d kills in %s; %d declarations were sent to CDS again", kills, time.Since(began).Round(time.Second), repeated)
}

// Times of a kill.
const (
	longestCalm  = 400 * time.Millisecond // before a kill is prepared
	longestDelay = 40 * time.Millisecond  // between the prepared moment and the kill
)

// await returns a random time after a caller has entered a phase.
func (l *load) await(p phase, random *rand.Rand) {
	time.Sleep(time.Duration(random.Int64N(int64(longestCalm))))
	select {
	case <-l.phaseEntered[p]:
	case <-time.After(longestCalm):
	}
	delay := longestDelay
	if p == notified {
		delay *= 4
	}
	time.Sleep(time.Duration(random.Int64N(int64(delay))))
}
