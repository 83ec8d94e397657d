package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Open pages that follow a record.
const (
	openPages = 200
	ofReader  = 20 // the limit for one user
	maxOpen   = 50 // MB for all of them
	settling  = 10 * time.Second
)

// holdOpen is how many MB more the server uses with many open pages than before.
func (b *bench) holdOpen(ctx context.Context, p *server.Process, office server.Office, data, path string, settings []string) (above float64, err error) {
	var cookies []string
	for n := range openPages / ofReader {
		cookie, err := office.Session(ctx, b.program, data, p.Address, fmt.Sprintf("reader%d@example.com", n), settings...)
		if err != nil {
			return 0, err
		}
		cookies = append(cookies, cookie)
	}
	idle, err := idleMemory(ctx, p)
	if err != nil {
		return 0, err
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for n := range openPages {
		answer, err := follow(ctx, client, "http://"+p.Address+path, cookies[n/ofReader])
		if err != nil {
			return 0, err
		}
		defer answer.Body.Close()
	}
	open, err := idleMemory(ctx, p)
	return float64(open-idle) / 1e6, err
}

// idleMemory is the memory of the server after a while without requests.
func idleMemory(ctx context.Context, p *server.Process) (bytes int64, err error) {
	select {
	case <-time.After(settling):
		return p.Resident()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// follow opens a stream and reads its first line.
func follow(ctx context.Context, client *http.Client, address, cookie string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Cookie", cookie)
	request.Header.Set("Accept", "text/event-stream")
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if _, err = bufio.NewReaderSize(answer.Body, 64).ReadString('\n'); err != nil || answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("follow %s: %s: %w", address, answer.Status, err)
	}
	return answer, nil
}
