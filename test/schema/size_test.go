package schema_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// maxProgram is the maximum size in bytes of the stripped program: 70.5 MB. It had 70.1 MB on linux/amd64 when this was
// set: 48.2 MB, and what batches, search, event streams, compression, the data sets of declarations, calculations of duties with
// all tables, what-ifs, rules of origin, documents beside the form, PDF, approvals and inboxes added; the libraries of Kafka (4.1 MB),
// NATS (0.9 MB) and AMQP (0.5 MB), the rules of entry summary declarations, the portal of webhooks, and the connections and simulators of three authorities
// (2.0 MB) are the newest.
const maxProgram = 70_500_000

// The program stays small. If this fails, `go version -m` and `go tool nm -size` of a build without -s -w show
// which library was added or has grown.
func TestProgramIsSmall(t *testing.T) {
	about, err := os.Stat(program.Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if about.Size() > maxProgram {
		t.Errorf("the program has %.1f MB, more than %.0f MB", float64(about.Size())/1e6, maxProgram/1e6)
	}
}
