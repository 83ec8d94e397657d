// Package port finds ports of the loopback address for servers that tests start, and
// waits for whoever is to listen there.
package port

import (
	"fmt"
	"net"
	"strconv"
	"testing"
	"time"
)

// patience is how long a server may take until it listens.
const patience = 30 * time.Second

// Free is a port that nobody listens on.
func Free() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Accepts waits until something listens on a port.
func Accepts(port int) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("nothing listens on %s after %s", address, patience)
}

// For is a free port for a test.
func For(t testing.TB) int {
	t.Helper()
	free, err := Free()
	if err != nil {
		t.Fatal(err)
	}
	return free
}
