package kafka_test

import (
	"context"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/kafka"
)

// handshake is the first byte of TLS.
const handshake = 0x16

// A broker that does not speak TLS is asked once: the connections of other endpoints to it start without, until a minute has passed.
func TestPlainBrokerIsAskedOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first := make(chan byte, 256)
	go closeAfterOneByte(l, first)

	now := time.Date(2026, time.November, 27, 12, 0, 0, 0, time.UTC)
	network := destination.Network{Guard: ssrf.New(ssrf.Settings{AllowPrivate: true}), Now: func() time.Time { return now }}
	kind := kafka.New()
	connect := func() {
		t.Helper()
		d, err := kind.Open(network, destination.Settings{URL: "kafka://" + l.Addr().String(), Config: destination.Config{Topic: "events"}})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		_ = d.Check(context.Background()) // fails: this broker closes every connection
	}
	connect()
	if got := drain(first); got[0] != handshake {
		t.Errorf("the first connections began with %v", got)
	}
	connect()
	if got := drain(first); len(got) == 0 || slices.Contains(got, handshake) {
		t.Errorf("connections of another endpoint began with %v", got)
	}
	now = now.Add(time.Minute + time.Second)
	connect()
	if got := drain(first); !slices.Contains(got, handshake) {
		t.Errorf("after a minute connections began with %v", got)
	}
}

// closeAfterOneByte accepts connections, passes on the first byte of each, and closes it.
func closeAfterOneByte(l net.Listener, first chan<- byte) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		one := make([]byte, 1)
		if _, err := conn.Read(one); err == nil {
			first <- one[0]
		}
		_ = conn.Close()
	}
}

func drain(first <-chan byte) (all []byte) {
	for {
		select {
		case b := <-first:
			all = append(all, b)
		default:
			return all
		}
	}
}
