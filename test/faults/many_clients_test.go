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

// Number of clients, and their permitted cost.
const (
	openClients         = 2_000
	openClientsLong     = 10_000
	slowClients         = 200              // clients that send one byte a second
	headerLimit         = 20 * time.Second // the service waits ten seconds for headers
	bodyLimit           = 90 * time.Second // and a minute for a body
	connectionBytes     = 64 << 10         // bytes for each open connection
	remainingBytes      = 48 << 20         // bytes above the initial memory when all clients have gone
	remainingGoroutines = 50               // goroutines
)

// Thousands of open connections and hundreds of clients that send their requests slowly do not delay other
// clients. The slow ones are disconnected, and all memory is released when the clients have gone.
func TestManyClients(t *testing.T) {
	p := newHost(t, storetest.SQLite(t))
	p.EnableMetrics(t)
	running, c := p.withOrganisation(t)
	shipment, host := c.shipment(t), strings.TrimPrefix(running.Address, "http://")
	before := p.figures(t)
	connections := idle(t, host)
	headers := sendSlowly(t, host, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	bodies := sendSlowly(t, host, "POST /api/declarations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+c.key+"\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
	during := p.figures(t)
	if cost := (during.bytes - before.bytes) / float64(len(connections)); cost > connectionBytes {
		t.Errorf("an open connection costs %.0f bytes", cost)
	}
	filings := make([]filed, 50)
	began := time.Now()
	for n := range filings {
		mark := fmt.Sprintf("Shirts of lot %d", n)
		var made struct{ ID string }
		c.must(t, http.MethodPost, "/api/declarations", input(shipment, mark), &made)
		filings[n] = filed{mark: mark, id: made.ID}
	}
	t.Logf("%d declarations in %s beside %d open connections of %.0f bytes each", len(filings), time.Since(began).Round(time.Millisecond), len(connections), (during.bytes-before.bytes)/float64(len(connections)))
	headers.disconnected(t, "slow headers", headerLimit)
	if long() {
		bodies.disconnected(t, "slow bodies", bodyLimit)
	}
	bodies.close()
	for _, conn := range connections {
		_ = conn.Close()
	}
	c.checkAcknowledged(t, filings, shipment)
	c.waitForInitialSize(t, p, before)
}

// figures are metrics of the program.
type figures struct{ bytes, tasks float64 }

func (p host) figures(t *testing.T) figures {
	t.Helper()
	read := p.Metrics(t, "go_memstats_heap_inuse_bytes", "go_memstats_stack_inuse_bytes", "go_goroutines")
	return figures{read[0] + read[1], read[2]}
}

// waitForInitialSize makes requests until the program uses about as much memory as before: it collects garbage only
// while it works.
func (c *client) waitForInitialSize(t *testing.T, p host, before figures) {
	t.Helper()
	var now figures
	eventually(t, finishLimit, "the memory is given back", func() bool {
		for range 50 {
			c.declarations(t, "")
		}
		now = p.figures(t)
		return now.bytes < before.bytes+remainingBytes && now.tasks < before.tasks+remainingGoroutines
	})
	t.Logf("%.1f MB in use and %.0f goroutines before, %.1f MB and %.0f after", before.bytes/(1<<20), before.tasks, now.bytes/(1<<20), now.tasks)
}

// idle opens connections, makes one request on each, and leaves them open.
func idle(t *testing.T, host string) (connections []net.Conn) {
	t.Helper()
	idlers := openClients
	if long() {
		idlers = openClientsLong
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

// slow are connections that send one byte a second.
type slowConnections struct {
	stop func()
	gone *atomic.Int64 // connections that the service has closed or answered
}

func sendSlowly(t *testing.T, host, opening string) slowConnections {
	t.Helper()
	ended := make(chan struct{})
	s := slowConnections{sync.OnceFunc(func() { close(ended) }), &atomic.Int64{}}
	t.Cleanup(s.stop)
	for range slowClients {
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

func (s slowConnections) disconnected(t *testing.T, what string, limit time.Duration) {
	t.Helper()
	eventually(t, limit, what+" are disconnected", func() bool { return s.gone.Load() == slowClients })
}

func (s slowConnections) close() { s.stop() }

// Number of requests of a burst, and of the connections that carry them.
const (
	burst            = 1_000
	burstLong        = 100_000
	burstConnections = 512
	burstShares      = 4 // one request in this many creates a declaration
)

// Every request of a burst is answered: done, or asked to retry. Nothing acknowledged is lost or duplicated, and
// the memory is released.
func TestBurst(t *testing.T) {
	p := newHost(t, storetest.SQLite(t))
	p.EnableMetrics(t)
	c := newClient(p.organisation(t))
	c.http.Transport = &http.Transport{MaxIdleConnsPerHost: burstConnections}
	c.turn(p.serve(t))
	shipment, before := c.shipment(t), p.figures(t)
	requests := burst
	if long() {
		requests = burstLong
	}
	var mu sync.Mutex
	var filings []filed
	answers, next := map[string]int{}, atomic.Int64{}
	began := time.Now()
	var all sync.WaitGroup
	for range burstConnections {
		all.Go(func() {
			for n := next.Add(1); n <= int64(requests); n = next.Add(1) {
				f, output := c.inBurst(t, shipment, n)
				mu.Lock()
				answers[output]++
				if f.id != "" {
					filings = append(filings, f)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	for output := range answers {
		if output != "200" && output != "201" && !strings.HasPrefix(output, "503 store_unavailable, again after ") {
			t.Errorf("%d times %s", answers[output], output)
		}
	}
	c.checkAcknowledged(t, filings, shipment)
	c.http.CloseIdleConnections()
	c.waitForInitialSize(t, p, before)
	p.verifyAudit(t)
	t.Logf("%d requests by %d connections in %s: %v", requests, burstConnections, took.Round(time.Millisecond), answers)
}

// inBurst makes one request, and classifies its answer.
func (c *client) inBurst(t *testing.T, shipment string, n int64) (f filed, output string) {
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
