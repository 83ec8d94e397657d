// Package sdnotify tells systemd about the state of the service: the protocol of sd_notify(3).
package sdnotify

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Notifier sends to the service manager. The zero value sends nothing.
type Notifier struct {
	socket string
	// Watchdog is how often Alive must be sent at least; 0 if systemd does not watch.
	Watchdog time.Duration
}

// New reads NOTIFY_SOCKET and WATCHDOG_USEC from an environment. WATCHDOG_PID, if set, must
// be this process.
func New(getenv func(string) string, pid int) Notifier {
	n := Notifier{socket: getenv("NOTIFY_SOCKET")}
	if strings.HasPrefix(n.socket, "@") {
		n.socket = "\x00" + n.socket[1:] // an abstract socket
	}
	us, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64)
	mine := getenv("WATCHDOG_PID")
	if n.socket != "" && err == nil && us > 0 && (mine == "" || mine == strconv.Itoa(pid)) {
		n.Watchdog = time.Duration(us) * time.Microsecond
	}
	return n
}

// Ready says that the service answers requests, or that it has reloaded.
func (n Notifier) Ready() error { return n.send("READY=1") }

// Reloading says that a reload began; monotonic is the machine's monotonic clock. Ready ends it.
func (n Notifier) Reloading(monotonic time.Duration) error {
	return n.send(fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", monotonic.Microseconds()))
}

// Stopping says that the service is shutting down.
func (n Notifier) Stopping() error { return n.send("STOPPING=1") }

// Alive keeps systemd from restarting the service; to be sent twice in each Watchdog.
func (n Notifier) Alive() error { return n.send("WATCHDOG=1") }

func (n Notifier) send(state string) error {
	if n.socket == "" {
		return nil
	}
	connection, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: n.socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("sdnotify: %w", err)
	}
	defer connection.Close()
	if _, err := connection.Write([]byte(state)); err != nil {
		return fmt.Errorf("sdnotify: %w", err)
	}
	return nil
}
