package sdnotify_test

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/sdnotify"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// systemd receives each state on its socket.
func TestStates(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	n := sdnotify.New(environment("NOTIFY_SOCKET", socket), 1)
	for want, send := range map[string]func() error{
		"READY=1": n.Ready, "STOPPING=1": n.Stopping, "WATCHDOG=1": n.Alive,
		"RELOADING=1\nMONOTONIC_USEC=1500000": func() error { return n.Reloading(1500 * time.Millisecond) },
	} {
		if err := send(); err != nil {
			t.Fatal(err)
		}
		var b [256]byte
		size, err := manager.Read(b[:])
		if err != nil || string(b[:size]) != want {
			t.Errorf("told %q, %v, want %q", b[:size], err, want)
		}
	}
}

// Without systemd nothing is sent. The watchdog is for the process that it names.
func TestEnvironment(t *testing.T) {
	if err := sdnotify.New(environment(), 1).Ready(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		pairs []string
		want  time.Duration
	}{
		{[]string{"NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "30000000"}, 30 * time.Second},
		{[]string{"NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "7"}, 30 * time.Second},
		{[]string{"NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "8"}, 0},
		{[]string{"WATCHDOG_USEC", "30000000"}, 0},
		{[]string{"NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "soon"}, 0},
	} {
		if got := sdnotify.New(environment(c.pairs...), 7).Watchdog; got != c.want {
			t.Errorf("%v: %s", c.pairs, got)
		}
	}
}
