package faults_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// receiverDelay is how long a receiver takes for a delivery: long enough for a kill between its arrival and the answer.
const receiverDelay = 2 * time.Millisecond

// receiver receives the webhooks of one endpoint. While it is down, connections are refused.
type receiver struct {
	address  string
	timeless bool // signatures may have any time

	mu       sync.Mutex
	server   *http.Server
	verifier *standardwebhooks.Webhook
	arrivals []arrival // in the order of their arrival
	problems []string
}

// arrival is one received delivery.
type arrival struct {
	ID, Type string
	Data     struct {
		Object         struct{ ID, Status string }
		PreviousStatus *string
	}
	digest [sha256.Size]byte
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t)))}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.goDown)
	return r
}

// open starts listening, at the same address each time.
func (r *receiver) open() error {
	listener, err := net.Listen("tcp", r.address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: r, ReadHeaderTimeout: requestLimit}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.address, r.server = listener.Addr().String(), server
	go func() { _ = server.Serve(listener) }()
	return nil
}

// goDown drops every connection, and refuses new ones.
func (r *receiver) goDown() {
	r.mu.Lock()
	server := r.server
	r.mu.Unlock()
	_ = server.Close()
}

// acceptSecret accepts signatures of this secret only.
func (r *receiver) acceptSecret(t *testing.T, secret string) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verifier = verifier
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender was killed, or the receiver is down
	}
	r.take(body, request.Header)
	time.Sleep(receiverDelay)
}

func (r *receiver) take(body []byte, header http.Header) {
	a := arrival{digest: sha256.Sum256(body)}
	err := json.Unmarshal(body, &a)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		err = r.verify(body, header)
	}
	if err != nil || a.ID != header.Get("Webhook-Id") || a.Type != header.Get("X-Service-Event") {
		r.problems = append(r.problems, fmt.Sprintf("headers %v do not fit %s: %v", header, body, err))
	}
	r.arrivals = append(r.arrivals, a)
}

func (r *receiver) verify(body []byte, header http.Header) error {
	if r.timeless {
		return r.verifier.VerifyIgnoringTimestamp(body, header)
	}
	return r.verifier.Verify(body, header)
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.arrivals)
}

// received is everything that has arrived, and what was wrong with it.
func (r *receiver) received() ([]arrival, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]arrival(nil), r.arrivals...), append([]string(nil), r.problems...)
}
