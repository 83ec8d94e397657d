package faults_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Number of kills, and of concurrent callers.
const (
	kills     = 9
	killsLong = 500
	callers   = 16
)

// seedVariable repeats the random instants of an earlier run.
const seedVariable = "TIDEWAITER_FAULTS_SEED"

// dice returns a random source, and logs the seed that repeats it.
func randomSource(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
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
	rounds, pause := kills, 80*time.Millisecond
	if long() {
		rounds, pause = killsLong, 250*time.Millisecond
	}
	l := newLoad(c, c.shipment(t), pause)
	finish := l.run(t.Context(), callers)
	random := randomSource(t)
	for round := range rounds {
		l.await(phase(round%int(phases)), random)
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	finish()
	repeated := l.end(t, p, p, running)
	p.sentOnce(t)
	t.Logf("%d kills in %s; %d declarations were sent to CDS again", rounds, time.Since(began).Round(time.Second), repeated)
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
