package kafka_test

import (
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/kafka"
	"github.com/tidewaiter/tidewaiter/test/broker"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// listener passes connections on to a broker, and keeps what clients say.
type listener struct {
	net.Listener
	said  logbuffer.Buffer
	known int          // bytes that the last call of heard has looked at
	open  atomic.Int64 // connections
}

// heard reports which texts clients have said since the last call, when their connections have ended.
func (l *listener) heard(texts ...string) (all []bool) {
	for l.open.Load() > 0 {
		runtime.Gosched()
	}
	said := l.said.String()
	for _, text := range texts {
		all = append(all, strings.Contains(said[l.known:], text))
	}
	l.known = len(said)
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
		l.open.Add(1)
		go func() {
			defer l.open.Add(-1)
			_, _ = io.Copy(server, io.TeeReader(client, &l.said))
			_ = server.Close()
		}()
		go func() {
			_, _ = io.Copy(client, server)
			_ = client.Close()
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
