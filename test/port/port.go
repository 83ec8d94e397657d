// Package port finds free ports of the loopback address for servers that tests start, and waits until a server
// listens.
package port

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
	"time"
)

// Free chooses between these ports: Linux assigns 32768 and above to connections, other systems 49152 and above.
const first, last, tries = 20_000, 32_000, 100

// waitLimit is how long a server may take until it listens.
const waitLimit = 2 * time.Minute

// Free returns a port on which no process listens. It is below those that the system assigns to connections; one
// of those could be taken before the server starts.
func Free() (int, error) {
	var err error
	for range tries {
		at := first + rand.IntN(last-first+1)
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(at))); err == nil {
			return at, l.Close()
		}
	}
	return 0, err
}

// Accepts waits until something listens on a port.
func WaitUntilListening(port int) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("no process listens on %s after %s", address, waitLimit)
}

// For returns a free port for a test.
func For(t testing.TB) int {
	t.Helper()
	free, err := Free()
	if err != nil {
		t.Fatal(err)
	}
	return free
}
