package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "tidewaiter")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/tidewaiter")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build: %v: %s", err, out))
	}
	lasts.folder = folder
	code := m.Run()
	if !lasts.end() {
		code = 1
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// program is a running server, as one test sees it.
type program struct {
	t        *testing.T
	base     string
	env      []string
	document *openapi3.T
	log      *lockedLog
	operator operator
}

// lockedLog is what the program logs, read while it is written.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// each runs a test on every database against a server that it shares with all tests of
// the same settings: organisations are its own, and nothing else is.
func each(t *testing.T, run func(t *testing.T, p *program), settings ...string) {
	t.Parallel()
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, share(t, name, place, settings))
		})
	}
}

// shared is the server on SQLite that a test shares with all of the same settings.
func shared(t *testing.T, settings ...string) *program {
	t.Helper()
	t.Parallel()
	return share(t, "sqlite", places["sqlite"], settings)
}

// alone runs a test on every database against a server of its own: for tests that
// change or look at more than their organisations.
func alone(t *testing.T, run func(t *testing.T, p *program), settings ...string) {
	t.Helper()
	backends(t, func(t *testing.T, b storetest.Backend) { run(t, serve(t, b, settings...)) })
}

// backends runs a test on every database, beside others.
func backends(t *testing.T, run func(t *testing.T, b storetest.Backend)) {
	t.Parallel()
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, place(t))
		})
	}
}

var places = map[string]func(testing.TB) storetest.Backend{"sqlite": storetest.SQLite, "postgres": storetest.Postgres}

// serve starts the program for one test, with limits lifted and a quick customs, unless
// the settings say otherwise.
func serve(t *testing.T, b storetest.Backend, settings ...string) *program {
	t.Helper()
	p := begin(t, b, settings)
	p.t = t
	p.tellOnFailure()
	return p
}

// begin starts the program for whoever ends it.
func begin(t testing.TB, b storetest.Backend, settings []string) *program {
	t.Helper()
	if b.Folder == "" {
		b.Folder = t.TempDir()
	}
	p := &program{log: &lockedLog{}, operator: newOperator(t, b), env: append(os.Environ(), append([]string{
		"TIDEWAITER_ADDR=127.0.0.1:0", "TIDEWAITER_DATA=" + b.Folder, "TIDEWAITER_DATABASE_URL=" + b.URL,
		"TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0", "TIDEWAITER_SIMULATOR_DELAY=40ms", "TIDEWAITER_LOG_LEVEL=warn",
	}, settings...)...)}
	p.base = launch(t, p.env, p.log)
	p.readDocument(t)
	return p
}

func (p *program) tellOnFailure() {
	p.t.Cleanup(func() {
		if p.t.Failed() {
			p.t.Logf("log of the program:\n%s", p.log)
		}
	})
}

// start starts one more program beside, and gives its address.
func (p *program) start() string {
	p.t.Helper()
	return launch(p.t, p.env, p.log)
}

// launch starts a program that ends with the test, and gives its address.
func launch(t testing.TB, env []string, log io.Writer) string {
	t.Helper()
	server := exec.Command(binary, "serve")
	server.Env, server.Stderr = env, log
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
			t.Errorf("the program ended with %v:\n%s", err, log)
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), "http://"); at >= 0 {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return strings.TrimSuffix(lines.Text()[at:], "/api")
		}
	}
	t.Fatalf("the program did not say where it listens: %s", log)
	return ""
}

func (p *program) readDocument(t testing.TB) {
	t.Helper()
	r, err := http.Get(p.base + "/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	if p.document, err = loaded(strings.ReplaceAll(string(text), p.base, "")); err != nil {
		t.Fatalf("the document: %v", err)
	}
}

// served are the documents of programs, by their text: all are alike but for
// the address, and loading one takes longer than starting a program.
var served struct {
	sync.Mutex
	byText map[string]*openapi3.T
}

func loaded(text string) (*openapi3.T, error) {
	served.Lock()
	defer served.Unlock()
	if d := served.byText[text]; d != nil {
		return d, nil
	}
	d, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err == nil {
		served.byText = map[string]*openapi3.T{text: d}
	}
	return d, err
}

// command runs an operator's command beside the server and reads its JSON.
func (p *program) command(args ...string) map[string]any {
	p.t.Helper()
	cmd := exec.Command(binary, append(args, "--json")...)
	cmd.Env = p.env
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("%v: %v: %s", args, err, problem.String())
	}
	var answer map[string]any
	if err := json.Unmarshal(out, &answer); err != nil {
		p.t.Fatalf("%v: %v: %s", args, err, out)
	}
	return answer
}
