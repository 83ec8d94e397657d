package kafka_test

import (
	"bytes"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/kafka"
	"github.com/tidewaiter/tidewaiter/test/broker"
)

// listener passes connections on to a broker, and keeps what clients say.
type listener struct {
	net.Listener
	mu   sync.Mutex
	said bytes.Buffer
}

func (l *listener) Write(some []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.Write(some)
}

// heard reports whether clients have said something since the last call for it.
func (l *listener) heard(each ...string) (all []bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, text := range each {
		all = append(all, bytes.Contains(l.said.Bytes(), []byte(text)))
	}
	l.said.Reset()
	return all
}

func (l *listener) passOn(to string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			_ = client.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(client, server)
			_ = client.Close()
		}()
		go func() {
			_, _ = io.Copy(server, io.TeeReader(client, l))
			_ = server.Close()
		}()
	}
}

// A connection begins with the mechanism that the broker has accepted from another endpoint of the same user. If the broker refuses it
// for another user, the others are tried as before.
func TestAcceptedMechanismIsTriedFirst(t *testing.T) {
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	at := front.Addr().(*net.TCPAddr).Port
	s := broker.StartBehind(t, "kafka", at)
	l := &listener{Listener: front}
	go l.passOn("127.0.0.1:" + strconv.Itoa(s.Port))

	network := destination.Network{Guard: ssrf.New(ssrf.Settings{AllowPrivate: true}), Now: time.Now}
	kind, in := kafka.New(), s.InputAt(at)
	connect := func(user string) error {
		t.Helper()
		credentials := *in.Broker
		credentials.Username = user
		d, err := kind.Open(network, destination.Settings{URL: in.URL, Config: *in.Config, Credentials: credentials})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		_, err = d.Send(t.Context(), []destination.Message{{ID: "1", RecordID: "1", Body: "{}", CreatedAt: time.Now()}})
		return err
	}
	for _, each := range []struct {
		user   string
		takes  bool
		sha512 bool
		who    string
	}{
		{broker.User, true, true, "the first endpoint"},
		{broker.User, true, false, "another endpoint of the user"},
		{"another", false, true, "another user"},
		{broker.User, true, false, "the user again"},
	} {
		err := connect(each.user)
		said := l.heard("SCRAM-SHA-512", "SCRAM-SHA-256")
		if (err == nil) != each.takes || said[0] != each.sha512 || !said[1] {
			t.Errorf("%s: %v; began with the mechanisms %v", each.who, err, said)
		}
	}
}
