package security

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A service that is stopped under load answers every request on an accepted connection; clients only see that
// connections are refused at the end. Meanwhile /readyz says that the instance is stopping.
func TestStopUnderLoad(t *testing.T) {
	stops := 2
	if long() {
		stops = 10
	}
	s := newTarget(t, "TIDEWAITER_STOP_DELAY=1s", "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LOG_LEVEL=warn")
	for n := range stops {
		if n > 0 {
			s.proc = s.Start(t, "serve")
			s.base = s.proc.Address
		}
		s.stopUnderLoad()
	}
}

func (s *target) stopUnderLoad() {
	const clients, before = 16, 400
	var answered, sawStopping atomic.Int64
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for {
				ready, err := s.once(client, n)
				switch {
				case errors.Is(err, syscall.ECONNREFUSED):
					return
				case err != nil:
					s.t.Errorf("client %d: %v", n, err)
					return
				}
				answered.Add(1)
				if !ready {
					sawStopping.Add(1)
				}
			}
		})
	}
	for answered.Load() < before {
		time.Sleep(time.Millisecond)
	}
	s.proc.Stop(s.t)
	all.Wait()
	if sawStopping.Load() == 0 {
		s.t.Error("/readyz never said that the service is stopping")
	}
	s.t.Logf("%d requests answered", answered.Load())
}

// once makes one request and reads its answer: the first client calls /readyz, the others create records and read
// lists.
func (s *target) once(client *http.Client, n int) (ready bool, err error) {
	method, path, body, want := "GET", "/api/declarations", "", 200
	switch {
	case n == 0:
		path = "/readyz"
	case n%2 == 1:
		method, path, body, want = "POST", "/api/clients", `{"name": "Under Load Ltd"}`, 201
	}
	request, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != want && !(n == 0 && response.StatusCode == 503) {
		err = errors.New(method + " " + path + ": " + response.Status + " " + string(text))
	}
	return response.StatusCode != 503, err
}
