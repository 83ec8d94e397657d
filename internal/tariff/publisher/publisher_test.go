package publisher_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/publisher"
)

var text = strings.Repeat("0101210000,some row of a table\n", 4000)

// server serves the two tables as a test requires; requests are the requested ranges.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
}

func serve(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Header.Get("Range"))
		n := len(s.requests)
		s.mu.Unlock()
		answer(n, w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func whole(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", `"1"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
}

// hangUp sends some bytes of an answer and closes the connection.
func hangUp(w http.ResponseWriter, etag string, some int) {
	w.Header().Set("ETag", etag)
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = io.WriteString(w, map[bool]string{true: text, false: strings.ToUpper(text)}[etag == `"1"`][:some])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func fetch(t *testing.T, address string) (texts []string, err error) {
	t.Helper()
	folder := t.TempDir()
	tables, err := publisher.Publisher{Address: address, Folder: folder, Progress: func(string) {}}.Fetch(t.Context())
	for _, table := range tables {
		if err == nil {
			all, err := io.ReadAll(table)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(all))
			if err := table.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
	return texts, err
}

// Both tables are downloaded by their names, and no files are left.
func TestFetch(t *testing.T) {
	t.Parallel()
	var paths []string
	s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.String())
		whole(w, r)
	})
	got, err := fetch(t, s.URL+"/tables/")
	if err != nil || len(got) != 2 || got[0] != text || got[1] != text {
		t.Fatalf("%v, %d tables", err, len(got))
	}
	if paths[0] != "/tables/commodities-report/data?format=csv" || paths[1] != "/tables/measures-on-declarable-commodities/data?format=csv" {
		t.Error(paths)
	}
}

// An interrupted download continues where it stopped; if the table has changed, it starts
// again.
func TestResume(t *testing.T) {
	t.Parallel()
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			hangUp(w, `"1"`, 50_000)
		case 3:
			hangUp(w, `"0"`, 70_000)
		}
		whole(w, r)
	})
	got, err := fetch(t, s.URL)
	if err != nil || got[0] != text || got[1] != text {
		t.Fatalf("%v", err)
	}
	if len(s.requests) != 4 || s.requests[0] != "" || !strings.HasPrefix(s.requests[1], "bytes=") || s.requests[1] == "bytes=0-" || s.requests[2] != "" || !strings.HasPrefix(s.requests[3], "bytes=") {
		t.Errorf("asked for %q", s.requests)
	}
}

// A part with another start than requested is not appended.
func TestOtherPart(t *testing.T) {
	t.Parallel()
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			hangUp(w, `"1"`, 50_000)
		case 2:
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 100-%d/%d", len(text)-1, len(text)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, text[100:])
		default:
			whole(w, r)
		}
	})
	if got, err := fetch(t, s.URL); err != nil || got[0] != text || got[1] != text {
		t.Errorf("%v", err)
	}
}

// A temporary error is followed by another attempt.
func TestRetries(t *testing.T) {
	t.Parallel()
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		whole(w, r)
	})
	if got, err := fetch(t, s.URL); err != nil || len(got) != 2 {
		t.Errorf("%v", err)
	}
}

// Permanent errors are returned at once.
func TestRefused(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"not there":  http.NotFound,
		"forbidden":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"too long":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "9000000000") },
		"no content": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"other scheme": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/x", http.StatusFound)
		},
		"no length": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = io.WriteString(c, "HTTP/1.0 200 OK\r\nContent-Type: text/csv\r\n\r\na,b\n1,2\n")
				c.Close()
			}
		},
	} {
		s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { answer(w, r) })
		_, err := fetch(t, s.URL)
		if err == nil || len(s.requests) != 1 {
			t.Errorf("%s: asked %d times: %v", name, len(s.requests), err)
		}
	}
}

// A cancelled download ends at once.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for {
			s.mu.Lock()
			asked := len(s.requests)
			s.mu.Unlock()
			if asked > 0 {
				stop()
				return
			}
			runtime.Gosched()
		}
	}()
	p := publisher.Publisher{Address: s.URL, Folder: t.TempDir(), Progress: func(string) {}}
	if _, err := p.Fetch(ctx); !errors.Is(err, context.Canceled) || len(s.requests) != 1 {
		t.Errorf("asked %d times: %v", len(s.requests), err)
	}
}

// The two tables must have the same edition.
func TestEditions(t *testing.T) {
	t.Parallel()
	for second, fits := range map[string]bool{"v4.0.1": true, "v4.0.2": false} {
		s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
			edition := map[bool]string{true: "v4.0.1", false: second}[strings.Contains(r.URL.Path, "commodities-report")]
			if strings.HasPrefix(r.URL.Path, "/latest/") {
				http.Redirect(w, r, "/"+edition+strings.TrimPrefix(r.URL.Path, "/latest"), http.StatusFound)
				return
			}
			whole(w, r)
		})
		if _, err := fetch(t, s.URL+"/latest"); (err == nil) != fits {
			t.Errorf("%s: %v", second, err)
		}
	}
}

// Plain HTTP is only allowed to this machine.
func TestAddress(t *testing.T) {
	for _, address := range []string{"http://192.0.2.1/tables", "ftp://data.example/tables", "/tables", "", "https://", "http://127.0.0.1.example/tables"} {
		if _, err := fetch(t, address); err == nil {
			t.Errorf("%q was asked", address)
		}
	}
}
