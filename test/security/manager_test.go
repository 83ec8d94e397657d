package security

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manager stands in for systemd: it receives the program's notifications.
type manager struct {
	path   string
	socket *net.UnixConn
}

func newManager(t *testing.T) *manager {
	t.Helper()
	folder, err := os.MkdirTemp("", "tw") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	m := &manager{path: filepath.Join(folder, "notify")}
	if m.socket, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: m.path, Net: "unixgram"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.socket.Close() })
	return m
}

// expect waits for the next notification, which begins with a text.
func (m *manager) expect(t *testing.T, text string) {
	t.Helper()
	var b [1024]byte
	_ = m.socket.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := m.socket.Read(b[:])
	if err != nil {
		t.Fatalf("no notification %s: %v", text, err)
	}
	if got := string(b[:n]); !strings.HasPrefix(got, text) {
		t.Errorf("notified %q, want %q", got, text)
	}
}
