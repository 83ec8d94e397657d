package faults_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Kills in a row, and the callers meanwhile.
const (
	kills     = 9
	killsLong = 500
	callers   = 16
)

// seedVariable repeats the random instants of an earlier run.
const seedVariable = "TIDEWAITER_FAULTS_SEED"

// dice gives random instants, and logs how to have the same ones again.
func dice(t *testing.T) *rand.Rand {
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

// However often the program is killed, it keeps what it has acknowledged, declares
// nothing twice, and finishes what it has begun.
func TestKill(t *testing.T) {
	onBoth(t, testKill)
}

func testKill(t *testing.T, b storetest.Backend) {
	began, p := time.Now(), newPlace(t, b)
	running, c := p.opened(t)
	rounds, pause := kills, 80*time.Millisecond
	if long() {
		rounds, pause = killsLong, 250*time.Millisecond
	}
	l := newLoad(c, c.shipment(t), pause)
	finish := l.run(t.Context(), callers)
	random := dice(t)
	for round := range rounds {
		l.await(phase(round%int(phases)), random)
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	finish()
	repeated := l.end(t, p, p, running)
	p.sentInOneGo(t)
	t.Logf("%d kills in %s; customs was sent a declaration again %d times", rounds, time.Since(began).Round(time.Second), repeated)
}

// Instants of a kill.
const (
	longestCalm  = 400 * time.Millisecond // before a kill is prepared
	longestDelay = 40 * time.Millisecond  // of the kill after the moment it is prepared for
)

// await returns a random while after a caller has entered a phase.
func (l *load) await(p phase, random *rand.Rand) {
	time.Sleep(time.Duration(random.Int64N(int64(longestCalm))))
	select {
	case <-l.moments[p]:
	case <-time.After(longestCalm):
	}
	delay := longestDelay
	if p == notified {
		delay *= 4
	}
	time.Sleep(time.Duration(random.Int64N(int64(delay))))
}
