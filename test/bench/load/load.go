// Package load creates load on an HTTP server: a fixed number of clients, each on a persistent connection, each
// sending the same bytes again as soon as the last answer has arrived. It does as little as possible, because it
// shares the machine with what it measures.
package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Target is one request to one server, and the expected status.
type Target struct {
	Address string
	Request []byte
	Status  int
}

// Get is a target that reads a path.
func Get(address, secret, path string) Target {
	return Target{address, request("GET", address, secret, path, nil), 200}
}

// Page is a target that a browser reads with a session's cookie.
func Page(address, cookie, path string) Target {
	return Target{address, fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nCookie: %s\r\n\r\n", path, address, cookie), 200}
}

// Post is a target that creates a record from a JSON body.
func Post(address, secret, path string, body []byte) Target {
	return Target{address, request("POST", address, secret, path, body), 201}
}

func request(method, address, secret, path string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, path, address, secret)
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// Run loads a target from a number of clients for some time. Any answer but the expected one is an error: a fast
// refusal must not count as speed.
func Run(t Target, clients int, length time.Duration) (Figures, error) {
	return RunEach(func(int, int) Target { return t }, clients, length)
}

// RunEach is Run with a target for each client and each of its requests, both numbered from 0. A client stays with
// the server of its first.
func RunEach(target func(client, n int) Target, clients int, length time.Duration) (Figures, error) {
	return Drive(func(client int) (func(int) error, func(), error) {
		c, err := dial(target(client, 0).Address)
		if err != nil {
			return nil, nil, err
		}
		return func(n int) error { return c.answered(target(client, n)) }, func() { c.Close() }, nil
	}, clients, length)
}

// RunPaced sends a fixed number of requests a second for some time, from several clients. A client that is late sends at once.
func RunPaced(t Target, clients, perSecond int, length time.Duration) (Figures, error) {
	began, between := time.Now(), time.Second/time.Duration(perSecond)
	return Drive(func(client int) (func(int) error, func(), error) {
		c, err := dial(t.Address)
		if err != nil {
			return nil, nil, err
		}
		return func(n int) error {
			time.Sleep(time.Until(began.Add(time.Duration(n*clients+client) * between)))
			return c.answered(t)
		}, func() { c.Close() }, nil
	}, clients, length)
}

// Drive lets a number of clients, each of which begins and ends by itself, repeat an action for some time.
func Drive(begin func(client int) (do func(n int) error, end func(), err error), clients int, length time.Duration) (Figures, error) {
	all, failed := make([][]time.Duration, clients), make([]error, clients)
	began := time.Now()
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			do, end, err := begin(i)
			if err != nil {
				failed[i] = err
				return
			}
			defer end()
			all[i], failed[i] = repeat(do, began.Add(length))
		})
	}
	running.Wait()
	took := time.Since(began)
	for _, err := range failed {
		if err != nil {
			return Figures{}, fmt.Errorf("load: %w", err)
		}
	}
	return figures(slices.Concat(all...), took), nil
}

func repeat(do func(n int) error, until time.Time) (latencies []time.Duration, err error) {
	for sent := time.Now(); sent.Before(until); {
		if err := do(len(latencies)); err != nil {
			return nil, err
		}
		now := time.Now()
		latencies = append(latencies, now.Sub(sent))
		sent = now
	}
	return latencies, nil
}

// Send sends a target's request a number of times, from several clients.
func Send(t Target, clients, count int) error {
	return SendEach(func(int) Target { return t }, clients, count)
}

// SendEach sends a number of requests to one server, numbered from 0.
func SendEach(target func(n int) Target, clients, count int) error {
	var sent atomic.Int64
	failed := make([]error, clients)
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() { failed[i] = several(target, &sent, count) })
	}
	running.Wait()
	return errors.Join(failed...)
}

func several(target func(n int) Target, sent *atomic.Int64, count int) error {
	c, err := dial(target(0).Address)
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		n := int(sent.Add(1)) - 1
		if n >= count {
			return nil
		}
		if err := c.answered(target(n)); err != nil {
			return fmt.Errorf("load: %w", err)
		}
	}
}

// Lines reads a whole answer as it arrives, and counts its lines.
func Lines(t Target) (lines int, took time.Duration, err error) {
	c, err := dial(t.Address)
	if err != nil {
		return 0, 0, fmt.Errorf("load: %w", err)
	}
	defer c.Close()
	began := time.Now()
	if _, err := c.Write(t.Request); err != nil {
		return 0, 0, fmt.Errorf("load: %w", err)
	}
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, 0, fmt.Errorf("load: %w", err)
	}
	defer r.Body.Close()
	if r.StatusCode != t.Status {
		return 0, 0, fmt.Errorf("load: answered %d, want %d", r.StatusCode, t.Status)
	}
	part := make([]byte, answerBuffer)
	for {
		n, err := r.Body.Read(part)
		lines += bytes.Count(part[:n], []byte{'\n'})
		if errors.Is(err, io.EOF) {
			return lines, time.Since(began), nil
		}
		if err != nil {
			return lines, 0, fmt.Errorf("load: %w", err)
		}
	}
}

// Alike checks that two targets answer with the same status and bytes, so that the same work is compared.
func Alike(a, b Target) error {
	one, err := a.answer()
	if err != nil {
		return err
	}
	other, err := b.answer()
	if err != nil {
		return err
	}
	if !bytes.Equal(one, other) {
		return fmt.Errorf("load: the answers differ: %d bytes ending in %.200s, and %d in %.200s", len(one), one[max(0, len(one)-200):], len(other), other[max(0, len(other)-200):])
	}
	return nil
}

func (t Target) answer() ([]byte, error) {
	c, err := dial(t.Address)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	defer c.Close()
	if _, err := c.Write(t.Request); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	defer r.Body.Close()
	if r.StatusCode != t.Status {
		return nil, fmt.Errorf("load: answered %d, want %d", r.StatusCode, t.Status)
	}
	return io.ReadAll(r.Body)
}

// answered sends a target's request and checks the answer's status.
func (c *connection) answered(t Target) error {
	status, err := c.exchange(t.Request)
	if err == nil && status != t.Status {
		err = fmt.Errorf("answered %d, want %d, to %.80q", status, t.Status, t.Request)
	}
	return err
}
