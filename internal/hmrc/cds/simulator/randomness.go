package simulator

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const hexadecimal = "0123456789abcdef"

// randomness is where everything comes from that customs would make up for one call.
// Each call has its own, thrown from the seed and the number of the call, so that
// neither concurrency nor a restart changes what the next one gets.
type randomness struct {
	*ident.Source
	random *rand.Rand
}

func newRandomness(seed uint64, realm string, number uint64, now func() time.Time) randomness {
	stream := rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%d %s %d", seed, realm, number)))
	return randomness{Source: ident.NewSource(stream, now), random: rand.New(stream)} // #nosec G404 -- the same seed gives the same transcript
}

// conversationID is a version 4 UUID, as customs' are.
func (d randomness) conversationID() string {
	h := d.Text(hexadecimal, 30)
	return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-" + d.Text("89ab", 1) + h[15:18] + "-" + h[18:]
}

func (d randomness) messageID() string { return d.Text(hexadecimal, 32) }

// hits is true in so many of a hundred cases.
func (d randomness) hits(percent int) bool { return d.random.IntN(100) < percent }

// upTo is a duration from nought to most.
func (d randomness) upTo(most time.Duration) time.Duration {
	return time.Duration(d.random.Int64N(int64(most) + 1))
}
