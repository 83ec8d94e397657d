// Package clients compiles the API clients with their strictest settings, and lets each of them, and the examples of
// docs/integrating.md, work with the built program.
package clients

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// folder holds the clients.
const folder = "../../clients"

// limit ends a program that hangs. No test depends on its value.
const limit = 3 * time.Minute

// settings are those of the program: its own limits, a fast simulator, and webhooks that may go to this machine.
var settings = []string{"TIDEWAITER_SIMULATOR_DELAY=40ms", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true", "TIDEWAITER_LOG_LEVEL=warn"}

// server is the program that all tests of this package call, each with an organisation of its own.
type server struct {
	program.Program
	address string
}

// start starts the program for a test and its subtests.
func start(t *testing.T) *server {
	t.Helper()
	b := storetest.SQLite(t)
	s := &server{Program: program.New(t, b.Folder, b.URL, settings...)}
	s.address = s.Serve(t, "serve").Address
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the program:\n%s", s.Log)
		}
	})
	return s
}

// environment is that of a client: the address and an OWNER key of a new organisation.
func (s *server) environment(t *testing.T, more ...string) []string {
	t.Helper()
	var made struct{ APIKey string }
	s.Read(t, &made, "org", "create", "--name", "Mill Lane Brokers Ltd", "--eori", "GB123456789000")
	return append(append(os.Environ(), "TIDEWAITER="+s.address, "TIDEWAITER_KEY="+made.APIKey), more...)
}

// language is a client, or curl: how it is compiled, and how its programs are started.
type language struct {
	name    string
	compile func(t *testing.T) func(example string) *exec.Cmd
	more    func(t *testing.T) []string // environment of the program
	async   bool                        // has a journey with the asynchronous client too
}

var languages = []language{
	{name: "go", compile: compileGo},
	{name: "typescript", compile: compileTypeScript},
	{name: "python with pydantic 1.10", compile: pydantic("1.10.").check, async: true, more: pydantic("1.10.").environment},
	{name: "python with pydantic 2", compile: pydantic("2.").check, async: true, more: pydantic("2.").environment},
	{name: "curl", compile: useShell, more: receiver},
}

// journeys are the programs of a language that declare an import.
func (l language) journeys() []string {
	switch {
	case l.name == "curl":
		return nil
	case l.async:
		return []string{"journey", "async_journey"}
	}
	return []string{"journey"}
}

// Each client is compiled without a finding. With it, an import of £1,234,567.89 goes from a client to clearance, keeps
// its pennies, and is in the audit trail, although calls are refused at first or lose their connection; and all examples
// of the page for integrators do what the page says.
func TestClients(t *testing.T) {
	s := start(t)
	t.Run("languages", func(t *testing.T) { // ends before the program does
		for _, l := range languages {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				command := l.compile(t)
				var more []string
				if l.more != nil {
					more = l.more(t)
				}
				for _, journey := range l.journeys() {
					text := run(t, command(journey), append(s.environment(t, more...), "TIDEWAITER="+unreliable(t, s.address)))
					if !strings.HasPrefix(text, "CLEARED ") || !strings.HasSuffix(text, " 1234567.89\n") {
						t.Errorf("%s printed %s", journey, text)
					}
				}
				text := run(t, command("integrating"), s.environment(t, more...))
				for _, want := range []string{"Mill Lane Brokers Ltd OWNER", "Simulated: ", "test 20", "invalid_request", "portOfEntry", "Mill Lane Textiles Ltd", "client 201", "shipment 201", "412", "DELIVERED", "All examples ran."} {
					if l.name == "curl" && want == "412" {
						want = "precondition_failed"
					}
					if !strings.Contains(text, want) {
						t.Errorf("the examples did not print %q but\n%s", want, text)
					}
				}
			})
		}
	})
}

// run runs a program to its successful end, and returns what it printed.
func run(t *testing.T, command *exec.Cmd, environment []string) string {
	t.Helper()
	var out, problems bytes.Buffer
	command.Env, command.Stdout, command.Stderr = environment, &out, &problems
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(limit, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	if err := command.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", command, err, &out, &problems)
	}
	return out.String()
}

// compileGo vets and builds the module of the Go client.
func compileGo(t *testing.T) func(string) *exec.Cmd {
	t.Helper()
	environment := append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0", "GOWORK=off")
	command := func(args ...string) *exec.Cmd {
		c := exec.Command("go", args...)
		c.Dir, c.Env = filepath.Join(folder, "go"), environment
		return c
	}
	if out, err := command("list", "-deps", "./...").CombinedOutput(); err != nil {
		t.Skipf("no Go client: its modules cannot be downloaded: %v: %s", err, out)
	}
	programs := t.TempDir()
	for _, args := range [][]string{{"vet", "./..."}, {"build", "-o", programs, "./examples/..."}} {
		if out, err := command(args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return func(example string) *exec.Cmd { return exec.Command(filepath.Join(programs, example)) }
}

// compileTypeScript compiles the TypeScript client into its folder dist.
func compileTypeScript(t *testing.T) func(string) *exec.Cmd {
	t.Helper()
	client := filepath.Join(folder, "typescript")
	if _, err := os.Stat(filepath.Join(client, "node_modules", ".installed")); err != nil {
		t.Skip("no TypeScript client: make deps has not installed its packages")
	}
	compile := exec.Command("node", "node_modules/typescript/bin/tsc")
	compile.Dir = client
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(example string) *exec.Cmd {
		return exec.Command("node", filepath.Join(client, "dist", "examples", example+".js"))
	}
}

// pydantic is the beginning of the version of pydantic with which the Python client runs.
type pydantic string

// installed holds pydantic 2 where scripts/deps could install it.
const installed = "../../tmp/pydantic2"

// interpreter returns a Python that has the libraries of the client, Debian's or the user's, and the folder of the libraries;
// both are empty if there is none.
func (p pydantic) interpreter(t *testing.T) (python, path string) {
	t.Helper()
	own, err := filepath.Abs(installed)
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		for _, path := range []string{"", own} {
			c := exec.Command(python, "-c", "import httpx, pydantic; print(pydantic.VERSION)")
			c.Env = append(os.Environ(), "PYTHONPATH="+path)
			if version, err := c.Output(); err == nil && strings.HasPrefix(string(version), string(p)) {
				return python, path
			}
		}
	}
	return "", ""
}

// environment is that of the client's programs.
func (p pydantic) environment(t *testing.T) []string {
	t.Helper()
	_, path := p.interpreter(t)
	return []string{"PYTHONPATH=." + string(filepath.ListSeparator) + path}
}

// check checks the types of the Python client and of its examples.
func (p pydantic) check(t *testing.T) func(string) *exec.Cmd {
	t.Helper()
	python, path := p.interpreter(t)
	if python == "" {
		t.Skipf("no Python client: httpx and pydantic %s* are not installed", p)
	}
	client := filepath.Join(folder, "python")
	environment := append(os.Environ(), "PYTHONPATH="+path)
	types := exec.Command(python, "-c", "import mypy")
	types.Env = environment
	if types.Run() == nil {
		check := exec.Command(python, "-m", "mypy", "--cache-dir", filepath.Join("..", "..", "tmp", "mypy-"+string(p)), "tidewaiter", "examples")
		check.Dir, check.Env = client, environment
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	} else {
		t.Log("mypy is not installed; the types are not checked")
	}
	return func(example string) *exec.Cmd {
		c := exec.Command(python, "-B", filepath.Join("examples", example+".py"))
		c.Dir = client
		return c
	}
}

// useShell is for the examples of curl, which are no client.
func useShell(t *testing.T) func(string) *exec.Cmd {
	t.Helper()
	for _, tool := range []string{"curl", "jq", "openssl", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	return func(example string) *exec.Cmd {
		return exec.Command("bash", filepath.Join(folder, "curl", example+".sh"))
	}
}

// receiver receives the webhooks of a program that cannot do so itself.
func receiver(t *testing.T) []string {
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	t.Cleanup(r.Close)
	return []string{"RECEIVER=" + r.URL}
}
