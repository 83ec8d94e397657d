package schema_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/port"
)

// program is a running server.
type program struct {
	base    string // its address
	metrics string
	env     []string
	log     *record
}

// record is what the program logs, read while it is written.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// errors are the lines at error level.
func (r *record) errors() (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.Lines(r.text.String()) {
		var said struct{ Level string }
		if json.Unmarshal([]byte(line), &said) != nil || said.Level == "ERROR" {
			lines = append(lines, line)
		}
	}
	return lines
}

// serve starts the program with budgets that nobody exhausts, a quick customs, and
// webhooks that may go to this machine. It ends with the test.
func serve(t *testing.T, b storetest.Backend) *program {
	t.Helper()
	data := b.Folder
	if data == "" {
		data = t.TempDir()
	}
	const plenty = "100000000"
	p := &program{metrics: net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t))), log: &record{}}
	p.env = append(os.Environ(), "TIDEWAITER_ADDR=127.0.0.1:0", "TIDEWAITER_DATA="+data, "TIDEWAITER_DATABASE_URL="+b.URL,
		"TIDEWAITER_LIMIT_STANDARD="+plenty, "TIDEWAITER_LIMIT_AI="+plenty, "TIDEWAITER_LIMIT_PUBLIC="+plenty,
		"TIDEWAITER_SIMULATOR_DELAY=10ms", "TIDEWAITER_SIMULATOR_SEED=1", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true",
		"TIDEWAITER_LOG_LEVEL=warn", "TIDEWAITER_METRICS_ADDR="+p.metrics)
	server := exec.Command(binary, "serve")
	server.Env, server.Stderr = p.env, p.log
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	p.base = listening(t, out)
	return p
}

// listening waits until the program says where it listens.
func listening(t *testing.T, out io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), "http://"); at >= 0 {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return strings.TrimSuffix(lines.Text()[at:], "/api")
		}
	}
	t.Fatal("the program did not say where it listens")
	return ""
}

// command runs an operator's command beside the server and reads its JSON.
func (p *program) command(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command(binary, append(args, "--json")...)
	cmd.Env = p.env
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
}

// get reads what is no part of the API.
func get(t *testing.T, address string) []byte {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v: %s", address, response.StatusCode, err, text)
	}
	return text
}

// load is what the program carries: its memory that was live when it last collected its
// garbage, from which follows when it will do so again.
type load struct{ bytes, goroutines float64 }

// load reads the program's metrics.
func (p *program) load(t *testing.T) load {
	t.Helper()
	text := get(t, "http://"+p.metrics+"/metrics")
	figure := func(name string) float64 {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("the metrics have no %s", name)
		}
		value, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	return load{figure("go_memstats_next_gc_bytes") / (1 + figure("go_gc_gogc_percent")/100), figure("go_goroutines")}
}

func (l load) String() string {
	return fmt.Sprintf("%.1f MB and %.0f goroutines", l.bytes/(1<<20), l.goroutines)
}
