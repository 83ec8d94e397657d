package api_test

import (
	"bufio"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// raw sends a request without the compression that net/http adds by itself, and returns the response
// with its body as it was sent.
func (f *fixture) raw(path string, headers ...string) (*http.Response, []byte) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), "GET", f.url+path, nil)
	f.must(err)
	r.Header.Set("Authorization", "Bearer "+f.key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	plain := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{}}
	defer plain.CloseIdleConnections()
	response, err := plain.RoundTrip(r)
	f.must(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	f.must(err)
	return response, body
}

// decoded returns a body without its coding.
func decoded(t *testing.T, coding string, body []byte) string {
	t.Helper()
	var source io.Reader = strings.NewReader(string(body))
	var err error
	switch coding {
	case "gzip":
		source, err = gzip.NewReader(source)
	case "zstd":
		source, err = zstd.NewReader(source)
	case "br":
		source = brotli.NewReader(source)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Responses are compressed with what the client accepts, zstd before gzip, if they are large enough;
// the text is the same.
func TestCompression(t *testing.T) {
	f := newFixture(t, nil)
	for n := range 30 {
		f.send("POST", "/api/clients", fmt.Sprintf(`{"name":"Client %d","eori":"GB123456789000"}`, n))
	}
	_, plain := f.raw("/api/clients")
	for accept, coding := range map[string]string{
		"": "", "br": "", "gzip": "gzip", "gzip, zstd;q=0.5": "zstd", "zstd;q=0, gzip": "gzip", "gzip;q=0": "", "identity": "",
	} {
		r, body := f.raw("/api/clients", "Accept-Encoding", accept)
		if got := r.Header.Get("Content-Encoding"); got != coding || decoded(t, coding, body) != string(plain) || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: coding %q, %v", accept, got, r.Header)
		}
		if coding != "" && len(body) > len(plain)/3 {
			t.Errorf("%q: %d of %d bytes", accept, len(body), len(plain))
		}
	}
	if r, body := f.raw("/api/me", "Accept-Encoding", "gzip"); r.Header.Get("Content-Encoding") != "" || body[0] != '{' {
		t.Error("a small response is compressed")
	}
}

// The OpenAPI document is sent compressed, and not at all to clients that have it.
func TestDocumentIsCompressed(t *testing.T) {
	f := newFixture(t, nil)
	_, plain := f.raw("/api/openapi.json")
	for _, coding := range []string{"br", "gzip", "zstd"} {
		r, body := f.raw("/api/openapi.json", "Accept-Encoding", coding)
		if r.Header.Get("Content-Encoding") != coding || len(body) > len(plain)/4 || decoded(t, coding, body) != string(plain) {
			t.Errorf("%s: %d bytes with %v", coding, len(body), r.Header)
		}
		again, none := f.raw("/api/openapi.json", "Accept-Encoding", coding, "If-None-Match", r.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified || len(none) > 0 {
			t.Errorf("%s: the known document is %d with %d bytes", coding, again.StatusCode, len(none))
		}
	}
}

// The interactive page can be opened any number of times without a key, and reads the whole document.
func TestDocsPageHasNoBudget(t *testing.T) {
	f := newFixture(t, func(o *api.Options) {
		o.Budgets.Public = ratelimit.Budget{Name: "public", Requests: 1, Window: time.Hour}
	})
	for range 12 {
		for _, path := range []string{"/api/docs", "/api/docs/page.js", "/api/docs/openapi.json"} {
			if r, _ := f.raw(path, "Authorization", ""); r.StatusCode != 200 || strings.Contains(r.Header.Get("Content-Security-Policy"), "unsafe") {
				t.Fatalf("%s: %d", path, r.StatusCode)
			}
		}
	}
	_, page := f.raw("/api/docs/openapi.json", "Authorization", "")
	if string(page) != string(f.server.Document()) {
		t.Error("the page reads another document")
	}
}

// Headers are written on the wire as they are documented.
func TestHeaderSpelling(t *testing.T) {
	f := newFixture(t, func(o *api.Options) {
		o.Budgets.Standard = ratelimit.Budget{Name: "standard", Requests: 100, Window: time.Minute}
	})
	c, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	f.must(err)
	defer c.Close()
	fmt.Fprintf(c, "GET /api/tariff/commodities/61 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", f.key)
	head := &strings.Builder{}
	for lines := bufio.NewScanner(c); lines.Scan() && lines.Text() != ""; {
		fmt.Fprintln(head, lines.Text())
	}
	for _, name := range []string{"X-RateLimit-Limit: ", "X-RateLimit-Remaining: ", "X-RateLimit-Reset: ", "X-Request-Id: ", "ETag: "} {
		if !strings.Contains(head.String(), "\n"+name) {
			t.Errorf("no header %q in %s", name, head)
		}
	}
}

// An operation without a body accepts none, or an empty object; anything else is an error.
func TestUnexpectedBody(t *testing.T) {
	f := newFixture(t, nil)
	for body, want := range map[string]int{"": 200, "{}": 200, `{"x":1}`: 400, "[]": 400, "text": 400} {
		if a := f.send("DELETE", "/api/hubs/tss", body); a.status != want {
			t.Errorf("%q: %d %s", body, a.status, a.text)
		}
	}
	if a := f.send("DELETE", "/api/hubs/tss", `{"x":1}`); len(a.Details) != 1 || a.Details[0].Field != "x" {
		t.Errorf("details %v", a.Details)
	}
}
