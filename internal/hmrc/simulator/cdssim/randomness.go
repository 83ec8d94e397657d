package cdssim

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const hexadecimal = "0123456789abcdef"

// randomness generates the identifiers and faults of one call. It depends on the seed and the number of the call only,
// so that concurrency and restarts do not change the results.
type randomness struct {
	*ident.Source
	random *rand.Rand
}

func newRandomness(seed uint64, realm string, number uint64, now func() time.Time) randomness {
	stream := rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d %s %d", seed, realm, number)))
	return randomness{Source: ident.NewSource(stream, now), random: rand.New(stream)} // #nosec G404 -- the same seed gives the same transcript
}

// conversationID returns a version 4 UUID, as CDS does.
func (d randomness) conversationID() string {
	h := d.Text(hexadecimal, 30)
	return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-" + d.Text("89ab", 1) + h[15:18] + "-" + h[18:]
}

func (d randomness) messageID() string { return d.Text(hexadecimal, 32) }

// chance returns true for the given percentage of calls.
func (d randomness) chance(percent int) bool { return d.random.IntN(100) < percent }

// upTo returns a duration from 0 to most.
func (d randomness) upTo(most time.Duration) time.Duration {
	return time.Duration(d.random.Int64N(int64(most) + 1))
}
