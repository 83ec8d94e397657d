package faults_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A crowd, and what it may cost.
const (
	idlers       = 2_000
	idlersLong   = 10_000
	dawdlers     = 200              // who send a byte a second
	headerLimit  = 20 * time.Second // the service waits ten for headers
	bodyLimit    = 90 * time.Second // and a minute for a body
	connected    = 64 << 10         // bytes that an open connection may cost
	settledBytes = 48 << 20         // more than before, when the crowd has gone
	settledTasks = 50               // goroutines
)

// Thousands of connections that stay open, and hundreds that dribble their requests,
// keep nobody else waiting; the slow are shown the door, and what the crowd took is
// given back when it has gone.
func TestCrowd(t *testing.T) {
	p := newPlace(t, storetest.SQLite(t))
	p.EnableMetrics(t)
	running, c := p.opened(t)
	shipment, host := c.shipment(t), strings.TrimPrefix(running.Address, "http://")
	before := p.figures(t)
	crowd := idle(t, host)
	headers := dawdle(t, host, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	bodies := dawdle(t, host, "POST /api/declarations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+c.key+"\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
	during := p.figures(t)
	if cost := (during.bytes - before.bytes) / float64(len(crowd)); cost > connected {
		t.Errorf("an open connection costs %.0f bytes", cost)
	}
	told := make([]filed, 50)
	began := time.Now()
	for n := range told {
		mark := fmt.Sprintf("Shirts of lot %d", n)
		var made struct{ ID string }
		c.must(t, http.MethodPost, "/api/declarations", input(shipment, mark), &made)
		told[n] = filed{mark: mark, id: made.ID}
	}
	t.Logf("%d declarations in %s beside %d open connections of %.0f bytes each", len(told), time.Since(began).Round(time.Millisecond), len(crowd), (during.bytes-before.bytes)/float64(len(crowd)))
	headers.shown(t, "slow headers", headerLimit)
	if long() {
		bodies.shown(t, "slow bodies", bodyLimit)
	}
	bodies.leave()
	for _, conn := range crowd {
		_ = conn.Close()
	}
	c.keeps(t, told, shipment)
	c.settled(t, p, before)
}

// figures are what the program says of itself.
type figures struct{ bytes, tasks float64 }

func (p place) figures(t *testing.T) figures {
	t.Helper()
	read := p.Metrics(t, "go_memstats_heap_inuse_bytes", "go_memstats_stack_inuse_bytes", "go_goroutines")
	return figures{read[0] + read[1], read[2]}
}

// settled goes on asking until the program is about as large as it was before: it
// collects its garbage when it has work.
func (c *client) settled(t *testing.T, p place, before figures) {
	t.Helper()
	var now figures
	eventually(t, settleLimit, "the memory is given back", func() bool {
		for range 50 {
			c.declarations(t, "")
		}
		now = p.figures(t)
		return now.bytes < before.bytes+settledBytes && now.tasks < before.tasks+settledTasks
	})
	t.Logf("%.1f MB in use and %.0f goroutines before, %.1f MB and %.0f after", before.bytes/(1<<20), before.tasks, now.bytes/(1<<20), now.tasks)
}

// idle opens connections, asks one thing on each, and leaves them open.
func idle(t *testing.T, host string) (crowd []net.Conn) {
	t.Helper()
	idlers := idlers
	if long() {
		idlers = idlersLong
	}
	opened := make([]net.Conn, idlers)
	var failed atomic.Int64
	var all sync.WaitGroup
	for worker := range 50 {
		all.Go(func() {
			for n := worker; n < idlers; n += 50 {
				conn, err := net.Dial("tcp", host)
				if err == nil {
					opened[n] = conn
					err = alive(conn)
				}
				if err != nil {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	t.Cleanup(func() {
		for _, conn := range opened {
			if conn != nil {
				_ = conn.Close()
			}
		}
	})
	if n := failed.Load(); n > 0 {
		t.Fatalf("%d of %d connections were not answered", n, idlers)
	}
	return opened
}

func alive(conn net.Conn) error {
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// slow are connections that send a byte a second.
type slow struct {
	stop func()
	gone *atomic.Int64 // that the service has closed or answered
}

func dawdle(t *testing.T, host, opening string) slow {
	t.Helper()
	ended := make(chan struct{})
	s := slow{sync.OnceFunc(func() { close(ended) }), &atomic.Int64{}}
	t.Cleanup(s.stop)
	for range dawdlers {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, opening); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = conn.Read(make([]byte, 1))
			s.gone.Add(1)
			_ = conn.Close()
		}()
		go func() {
			defer conn.Close()
			for {
				select {
				case <-ended:
					return
				case <-time.After(time.Second):
				}
				if _, err := io.WriteString(conn, "x"); err != nil {
					return
				}
			}
		}()
	}
	return s
}

func (s slow) shown(t *testing.T, what string, limit time.Duration) {
	t.Helper()
	eventually(t, limit, what+" are shown the door", func() bool { return s.gone.Load() == dawdlers })
}

func (s slow) leave() { s.stop() }

// Requests of a burst, and the connections that they come by.
const (
	burst       = 2_000
	burstLong   = 100_000
	burstDoors  = 512
	burstShares = 4 // every so many'th request creates a declaration
)

// A burst of requests is answered to the last one: done, or told to come back. Nothing
// that was acknowledged is lost or doubled, and the memory is given back.
func TestBurst(t *testing.T) {
	p := newPlace(t, storetest.SQLite(t))
	p.EnableMetrics(t)
	c := newClient(p.organisation(t))
	c.http.Transport = &http.Transport{MaxIdleConnsPerHost: burstDoors}
	c.turn(p.serve(t))
	shipment, before := c.shipment(t), p.figures(t)
	requests := burst
	if long() {
		requests = burstLong
	}
	var mu sync.Mutex
	var told []filed
	answers, next := map[string]int{}, atomic.Int64{}
	began := time.Now()
	var all sync.WaitGroup
	for range burstDoors {
		all.Go(func() {
			for n := next.Add(1); n <= int64(requests); n = next.Add(1) {
				f, said := c.inBurst(t, shipment, n)
				mu.Lock()
				answers[said]++
				if f.id != "" {
					told = append(told, f)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	for said := range answers {
		if said != "200" && said != "201" && !strings.HasPrefix(said, "503 store_unavailable, again after ") {
			t.Errorf("%d times %s", answers[said], said)
		}
	}
	c.keeps(t, told, shipment)
	c.http.CloseIdleConnections()
	c.settled(t, p, before)
	p.verifyAudit(t)
	t.Logf("%d requests by %d connections in %s: %v", requests, burstDoors, took.Round(time.Millisecond), answers)
}

// inBurst makes one request, and tells in a word how it was answered.
func (c *client) inBurst(t *testing.T, shipment string, n int64) (f filed, said string) {
	mark := fmt.Sprintf("Shirts of lot %d", n)
	method, path, once, in := http.MethodGet, "/api/declarations?"+url.Values{"limit": {"20"}}.Encode(), "", any(nil)
	if n%burstShares == 0 {
		method, path, once, in = http.MethodPost, "/api/declarations", mark, input(shipment, mark)
	}
	a, err := c.do(t.Context(), method, path, once, in)
	switch {
	case err != nil:
		return f, err.Error()
	case !a.ok():
		return f, fmt.Sprintf("%d %s, again after %s", a.status, a.code(), a.retry)
	case method == http.MethodPost:
		var made struct{ ID string }
		if err := json.NewDecoder(bytes.NewReader(a.body)).Decode(&made); err != nil {
			return f, err.Error()
		}
		f = filed{mark: mark, id: made.ID}
	}
	return f, strconv.Itoa(a.status)
}
