package security

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// public are the operations that need no key; each has its own test.
var public = []string{"GET /api/openapi.json", "GET /api/docs", "POST /api/cds/webhook", "GET /api/audit/key", "POST /api/sandboxes"}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// Every operation of the document refuses a caller without a key, with a forged key, with a key in the URL and
// with one in a cookie. Guessing keys is soon rate limited.
func TestEveryOperationNeedsAKey(t *testing.T) {
	s := newTarget(t, "TIDEWAITER_LIMIT_PUBLIC=0")
	var document struct {
		Paths map[string]map[string]struct {
			Security *[]map[string][]string
		}
	}
	if err := json.Unmarshal([]byte(s.call("GET", "/api/openapi.json", "").text), &document); err != nil {
		t.Fatal(err)
	}
	forged := s.key[:len(s.key)-1] + string('A'+(s.key[len(s.key)-1]+1)%26)
	tried := 0
	for path, operations := range document.Paths {
		for method, operation := range operations {
			method = strings.ToUpper(method)
			open := operation.Security != nil && len(*operation.Security) == 0
			if open || slices.Contains(public, method+" "+path) {
				continue
			}
			at := parameter.ReplaceAllString(path, "01a20718-e76b-77a2-bf85-aca2af2d50d4")
			for what, headers := range map[string][]string{
				"no key":           nil,
				"a forged key":     {"Authorization: Bearer " + forged},
				"another scheme":   {"Authorization: Basic " + s.key},
				"a key as cookie":  {"Cookie: Authorization=" + s.key + "; session=" + s.key},
				"a key in another": {"X-Api-Key: " + s.key, "X-Forwarded-Authorization: Bearer " + s.key},
			} {
				tried++
				if a := s.call(method, at+"?key="+s.key+"&access_token="+s.key, "", headers...); a.status != http.StatusUnauthorized && a.status != http.StatusTooManyRequests {
					t.Errorf("%s %s with %s: %d %.200s", method, path, what, a.status, a.text)
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d requests", tried)
	}
}

// raw sends bytes on a connection of their own, and returns the statuses that come back until the program closes
// it. It keeps its own side open, because the program cancels the requests of a caller that closes it.
func (s *target) raw(t *testing.T, text string) (statuses []int) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, text); err != nil {
		return nil
	}
	for answers := bufio.NewReader(c); ; {
		a, err := http.ReadResponse(answers, nil)
		if err != nil {
			return statuses
		}
		_, _ = io.Copy(io.Discard, a.Body)
		a.Body.Close()
		statuses = append(statuses, a.StatusCode)
	}
}

// A request whose length is ambiguous is refused, and a second request hidden in it is never answered.
func TestSmuggledRequests(t *testing.T) {
	s := newTarget(t)
	hidden := "GET /api/organisation HTTP/1.1\r\nHost: h\r\n" + s.bearer() + "\r\nConnection: close\r\n\r\n"
	head := "POST /api/clients HTTP/1.1\r\nHost: h\r\n" + s.bearer() + "\r\nContent-Type: application/json\r\n"
	if got := s.raw(t, hidden); len(got) != 1 || got[0] != http.StatusOK {
		t.Fatalf("the hidden request is not answered even on its own: %v", got)
	}
	for what, text := range map[string]string{
		"two lengths":              head + "Content-Length: 2\r\nContent-Length: 1\r\n\r\n{}" + hidden,
		"a length with a sign":     head + "Content-Length: +2\r\n\r\n{}" + hidden,
		"a negative length":        head + "Content-Length: -1\r\n\r\n" + hidden,
		"an unknown coding":        head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
		"two codings":              head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + hidden,
		"two lines of codings":     head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		"a space before the colon": head + "Content-Length : 2\r\n\r\n{}" + hidden,
		"a header with NUL":        head + "X-A: a\x00b\r\n\r\n" + hidden,
		"two hosts":                strings.Replace(head, "Host: h\r\n", "Host: h\r\nHost: i\r\n", 1) + "\r\n" + hidden,
		"no host":                  strings.Replace(head, "Host: h\r\n", "", 1) + "\r\n" + hidden,
		"a size that is too large": head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n" + hidden,
	} {
		got := s.raw(t, text)
		if slices.Contains(got, http.StatusOK) || len(got) > 1 || len(got) == 1 && (got[0] < 400 || got[0] > 501) {
			t.Errorf("%s: answered %v", what, got)
		}
	}
}

// Paths that try to leave the assets, methods that echo, and headers that override the method or path have no
// effect.
func TestPathsAndMethods(t *testing.T) {
	s := newTarget(t)
	for _, path := range []string{
		"/assets/../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/..%5c..%5cetc",
		"/..;/etc/passwd", "//etc/passwd", "/api/declarations/..%2forganisation", "/api/../master.key", "/data/tidewaiter.db", "/.git/config",
		"/debug/pprof/", "/metrics",
	} {
		got := s.raw(t, "GET "+path+" HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
		if len(got) != 1 || got[0] == http.StatusOK || got[0] >= 500 {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, method := range []string{"TRACE", "CONNECT", "TRACK", "PROPFIND"} {
		if a := s.call(method, "/api/organisation", "", s.bearer(), "X-Secret: tide"); a.status < 400 || strings.Contains(a.text, "tide") && strings.Contains(a.text, "X-Secret") {
			t.Errorf("%s: %d %s", method, a.status, a.text)
		}
	}
	for _, header := range []string{"X-HTTP-Method-Override: DELETE", "X-Original-URL: /api/organisation", "X-Rewrite-URL: /api/organisation"} {
		if a := s.call("GET", "/api/hubs", "", s.bearer(), header); a.status != http.StatusOK || !strings.Contains(a.text, `"hubs"`) {
			t.Errorf("%s: %d %s", header, a.status, a.text)
		}
	}
}

// Connections that never finish their request do not prevent other callers from being served.
func TestUnfinishedRequests(t *testing.T) {
	s := newTarget(t, "TIDEWAITER_LIMIT_STANDARD=0")
	number := 200
	if long() {
		number = 2000
	}
	for i := range number {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		unfinished := "GET /api/organisation HTTP/1.1\r\nHost: h\r\nX-"
		if i%2 == 0 {
			unfinished = "POST /api/clients HTTP/1.1\r\nHost: h\r\n" + s.bearer() + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
		}
		if _, err := fmt.Fprint(c, unfinished); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		if a := s.call("GET", "/api/organisation", "", s.bearer()); a.status != http.StatusOK {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
}
