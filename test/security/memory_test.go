package security

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// Size of the attack on memory, and the permitted growth.
const (
	attackers  = 200
	attackBody = 20 << 20 // bytes that each attacker tries to send
	maxGrowth  = 50 << 20 // of the resident memory
)

// rss returns the program's current and highest resident memory in bytes.
func (s *target) rss() (now, highest int64) {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.proc.PID()))
	if err != nil {
		s.t.Skipf("no /proc: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch fields[0] {
		case "VmRSS:", "VmHWM:":
			n, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				s.t.Fatal(err)
			}
			if fields[0] == "VmRSS:" {
				now = n << 10
			} else {
				highest = n << 10
			}
		}
	}
	return now, highest
}

// flood sends a request with a body until the program closes the connection or the body is sent, and returns the
// status of the answer; 0 if there was none.
func (s *target) flood(head string, piece []byte) int {
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		return 0
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(30 * time.Second))
	answered := make(chan int, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			answered <- 0
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		answered <- response.StatusCode
	}()
	if _, err := io.WriteString(connection, head); err == nil {
		for sent := 0; sent < attackBody; sent += len(piece) {
			if _, err := connection.Write(piece); err != nil {
				break
			}
		}
	}
	return <-answered
}

func headOf(path, contentType, more string) string {
	return headOfSize(path, contentType, more, attackBody)
}

func headOfSize(path, contentType, more string, size int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: tidewaiter\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n", path, contentType, more, size)
}

// fields is a piece of a form with as many fields as fit.
func fields(size int) []byte {
	var b bytes.Buffer
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "%x&", n)
	}
	return b.Bytes()[:size]
}

// 200 connections without credentials that each send 20 MB raise the memory by less than 50 MB, for every path.
// Meanwhile messages from CDS and other callers are served.
func TestMemoryWithoutCredentials(t *testing.T) {
	const token = "Basic Y3VzdG9tczpzZWNyZXQ="
	s := newTarget(t, "TIDEWAITER_CUSTOMS_INBOUND=static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN="+token, "TIDEWAITER_LIMIT_STANDARD=0")
	noise := make([]byte, 64<<10)
	_, _ = rand.Read(noise)
	attacks := map[string]struct {
		head  string
		piece []byte
	}{
		"customs without a token":    {headOf("/api/cds/webhook", "application/xml", ""), noise},
		"customs with a wrong token": {headOf("/api/cds/webhook", "application/xml", "Authorization: Bearer a.b.c\r\n"), noise},
		"API without a key":          {headOf("/api/declarations", "application/json", ""), noise},
		"upload without a key":       {headOf("/api/ai/extract-document", "multipart/form-data; boundary=b", ""), noise},
		"sign-in form":               {headOf("/sign-in", "application/x-www-form-urlencoded", "Accept: text/html\r\n"), fields(64 << 10)},
		"form of a page":             {headOf("/declarations/new", "application/x-www-form-urlencoded", "Accept: text/html\r\n"), fields(64 << 10)},
		"upload to a page": {headOf("/import/clients", "multipart/form-data; boundary=b", "Accept: text/html\r\n") +
			"--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n", bytes.Repeat([]byte("x"), 64<<10)},
	}
	s.warmUp(token)
	before, _ := s.rss()
	for name, attack := range attacks {
		var all sync.WaitGroup
		stop := make(chan struct{})
		all.Go(func() { s.keepSendingMessages(token, stop) })
		var clients sync.WaitGroup
		for range attackers {
			clients.Go(func() {
				switch status := s.flood(attack.head, attack.piece); status {
				case 0, 303, 400, 401, 403, 404, 413, 429, 503:
				default:
					t.Errorf("%s: %d", name, status)
				}
			})
		}
		clients.Wait()
		close(stop)
		all.Wait()
		_, highest := s.rss()
		t.Logf("%s: %d MB before, %d MB at the highest", name, before>>20, highest>>20)
		if highest-before > maxGrowth {
			t.Errorf("%s: the memory grew from %d MB to %d MB", name, before>>20, highest>>20)
		}
	}
}

// warmUp makes the program allocate what the test counts as normal.
func (s *target) warmUp(token string) {
	for range 200 {
		s.message(token, 5<<10)
		s.call("GET", "/sign-in", "", "Accept: text/html")
	}
}

// message sends a message from CDS and returns the status.
func (s *target) message(token string, size int) int {
	return s.call("POST", "/api/cds/webhook", "<x>"+strings.Repeat("m", size)+"</x>", "Authorization: "+token, "Content-Type: application/xml").status
}

// keepSendingMessages sends messages from CDS until stop is closed; every one must be accepted. It sends few, so that
// their own memory does not count as the attack's.
func (s *target) keepSendingMessages(token string, stop <-chan struct{}) {
	for range 20 {
		select {
		case <-stop:
			return
		default:
		}
		if status := s.message(token, 5<<10); status != 200 {
			s.t.Errorf("a message from CDS was answered with %d", status)
			return
		}
	}
}

// Callers with a key share the memory budget: beyond it they are asked to retry, and messages from CDS are still
// accepted. Refusals are counted, and logged once a second.
func TestBodyMemory(t *testing.T) {
	t.Parallel()
	const token = "Basic Y3VzdG9tczpzZWNyZXQ="
	s := newTarget(t, "TIDEWAITER_BODY_MEMORY=32MB", "TIDEWAITER_CUSTOMS_INBOUND=static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN="+token,
		"TIDEWAITER_METRICS_ADDR=127.0.0.1:"+strconv.Itoa(port.For(t)))
	scim := s.scimToken()
	const size = 1<<20 - 100 // the maximum size of a SCIM request's body
	if a := s.fill(size); a.status != 503 || a.code() != "overloaded" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.status, a.text)
	}
	if a := s.call("POST", "/api/scim/v2/Users", `{"userName":"`+strings.Repeat("n", size)+`"}`, scim); a.status != 503 || a.header.Get("Retry-After") == "" {
		t.Errorf("a SCIM request beyond the budget: %d %s", a.status, a.text)
	}
	for range 3 {
		if status := s.message(token, 19<<20); status != 200 {
			t.Errorf("a message from CDS was answered with %d", status)
		}
	}
	figures, _ := program.Get(t, "http://"+s.Settings["TIDEWAITER_METRICS_ADDR"]+"/metrics")
	if !regexp.MustCompile(`tidewaiter_body_refusals_total\{share="authenticated"\} [1-9]`).MatchString(figures) {
		t.Error("the metrics do not count the refusal")
	}
	if !strings.Contains(s.Log.String(), `"msg":"request refused"`) {
		t.Error("the refusal is not in the log")
	}
}

// fill sends bodies without their last byte, one after another, until one is refused, and returns that answer. The
// others are held until the test ends.
func (s *target) fill(size int) answer {
	s.t.Helper()
	head := headOfSize("/api/declarations", "application/json", s.bearer()+"\r\n", size)
	for n := 1; n <= 100; n++ {
		connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = connection.Close() })
		go func() { _, _ = io.WriteString(connection, head+strings.Repeat(" ", size-1)) }()
		response := make(chan *http.Response, 1)
		go func() {
			r, _ := http.ReadResponse(bufio.NewReader(connection), nil)
			response <- r
		}()
		for held := 0.0; held < float64(n*(size-1)); held = s.metric(`tidewaiter_body_memory_bytes{part="all"}`) {
			select {
			case r := <-response:
				if r == nil {
					s.t.Fatal("a body was refused without an answer")
				}
				text, _ := io.ReadAll(r.Body)
				return answer{r.StatusCode, r.Header, string(text)}
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	s.t.Fatalf("100 bodies of %d bytes were read with 32 MB", size)
	return answer{}
}

// metric is one of the program's metrics, 0 if it does not exist.
func (s *target) metric(name string) (value float64) {
	s.t.Helper()
	figures, _ := program.Get(s.t, "http://"+s.Settings["TIDEWAITER_METRICS_ADDR"]+"/metrics")
	if _, after, found := strings.Cut(figures, "\n"+name+" "); found {
		line, _, _ := strings.Cut(after, "\n")
		value, _ = strconv.ParseFloat(line, 64)
	}
	return value
}

// scimToken makes a SCIM token and returns it as a header.
func (s *target) scimToken() string {
	s.t.Helper()
	var made struct{ Token string }
	a := s.call("POST", "/api/organisation/scim-token", "", s.bearer())
	if err := json.Unmarshal([]byte(a.text), &made); err != nil || a.status != 201 {
		s.t.Fatalf("%d %s", a.status, a.text)
	}
	return "Authorization: Bearer " + made.Token
}

// Refused messages in the name of CDS are logged at most once a second for each address.
func TestForgedMessagesAreLoggedOnceASecond(t *testing.T) {
	t.Parallel()
	s := newTarget(t)
	const calls = 500
	began := time.Now()
	for range calls {
		if a := s.call("POST", "/api/cds/webhook", "<x/>", "Authorization: Bearer a.b.c"); a.status != 401 || a.code() != "unauthorized" {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	lines := strings.Count(s.Log.String(), "/api/cds/webhook")
	if most := int(time.Since(began)/time.Second) + 2; lines < 1 || lines > most {
		t.Errorf("%d lines for %d calls in %s", lines, calls, time.Since(began))
	}
}

// A form without a session may only be small, and a larger one redirects to the sign-in page.
func TestFormsWithoutASession(t *testing.T) {
	t.Parallel()
	s := newTarget(t)
	form := "x=" + strings.Repeat("y", 200<<10)
	headers := []string{"Accept: text/html", "Content-Type: application/x-www-form-urlencoded"}
	if a := s.call("POST", "/sign-in", form, headers...); a.status != 413 {
		t.Errorf("sign-in with a form of 200 kB: %d", a.status)
	}
	if a := s.call("POST", "/settings/keys", form, headers...); a.status != 401 || !strings.Contains(a.text, "password") {
		t.Errorf("a page with a form of 200 kB: %d", a.status)
	}
}
