package graceful_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/graceful"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := graceful.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A running request is answered, and its answer asks the client to close the connection.
func TestRequestUnderWay(t *testing.T) {
	began, goOn := make(chan bool), make(chan bool)
	s := graceful.New(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		began <- true
		<-goOn
		w.WriteHeader(http.StatusTeapot)
	})})
	l := listen(t)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	answered := make(chan *http.Response, 1)
	go func() {
		r, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			t.Error(err)
		}
		answered <- r
	}()
	<-began
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(t.Context()) }()
	for !s.Stopping() {
		time.Sleep(time.Millisecond)
	}
	close(goOn)
	if r := <-answered; r == nil || r.StatusCode != http.StatusTeapot || !r.Close {
		t.Errorf("answered %+v", r)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// A request that does not end is cancelled at the timeout.
func TestTimeIsOver(t *testing.T) {
	began := make(chan bool, 1)
	s := graceful.New(&http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- true
		<-r.Context().Done()
	})})
	l := listen(t)
	go func() { _ = s.Serve(l) }()
	failed := make(chan error, 1)
	go func() {
		_, err := http.Get("http://" + l.Addr().String())
		failed <- err
	}()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(ctx) }()
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if <-failed == nil {
		t.Error("the request was answered")
	}
}

// Stopping under load fails no request, with HTTP/1.1 and HTTP/2: clients only see that the service no longer listens.
func TestStopUnderLoad(t *testing.T) {
	for name, secure := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stopUnderLoad(t, secure)
		})
	}
}

func stopUnderLoad(t *testing.T, secure bool) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Millisecond)
		_, _ = w.Write([]byte("ok"))
	})
	server, scheme := &http.Server{Handler: handler}, "http"
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	if secure {
		scheme = "https"
		with := httptest.NewUnstartedServer(nil) // for its certificate
		with.EnableHTTP2 = true
		with.StartTLS()
		defer with.Close()
		server.TLSConfig = with.TLS.Clone()
		transport.TLSClientConfig, transport.ForceAttemptHTTP2 = &tls.Config{InsecureSkipVerify: true}, true
	}
	defer transport.CloseIdleConnections()
	s, l := graceful.New(server), listen(t)
	s.Delay = time.Second
	go func() { _ = s.Serve(l) }()
	var answered [16]atomic.Int64 // requests of each client
	client := &http.Client{Transport: transport}
	var all sync.WaitGroup
	for n := range answered {
		all.Go(func() {
			for {
				// The client does not repeat a POST with a body.
				r, err := client.Post(scheme+"://"+l.Addr().String(), "text/plain", http.NoBody)
				switch {
				case errors.Is(err, syscall.ECONNREFUSED):
					return
				case err != nil:
					t.Error(err)
					return
				}
				_ = r.Body.Close()
				answered[n].Add(1)
			}
		})
	}
	answersOfEach(&answered, 10)
	// A client that is slow to send would find its connection closed: each is asked to close it, by the second answer from
	// now at the latest.
	s.Announce()
	answersOfEach(&answered, 2)
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	all.Wait()
}

// answersOfEach waits until each client has got some more answers.
func answersOfEach(answered *[16]atomic.Int64, more int64) {
	for n := range answered {
		for want := answered[n].Load() + more; answered[n].Load() < want; {
			time.Sleep(time.Millisecond)
		}
	}
}
