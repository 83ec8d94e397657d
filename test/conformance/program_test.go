package conformance

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) {
	code := program.Main(m)
	accepted := acceptedByAjv()
	if !packageRun.end() || !accepted {
		code = 1
	}
	os.Exit(code)
}

// server is the running program as one test sees it.
type server struct {
	program.Program
	t        *testing.T
	process  *program.Process
	base     string
	document *openapi3.T
	operator operator
	atHMRC   bool // the program is connected to HMRC
}

// each runs a test on every database with a server shared by all tests with the same settings; only its
// organisations are its own.
func each(t *testing.T, run func(t *testing.T, p *server), settings ...string) {
	t.Parallel()
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, share(t, name, place, settings))
		})
	}
}

// anyDatabase is each on SQLite alone, in the long run on every database: for tests of what is refused, computed or converted
// before a database is concerned.
func anyDatabase(t *testing.T, run func(t *testing.T, p *server), settings ...string) {
	if os.Getenv("TIDEWAITER_LONG") != "" {
		each(t, run, settings...)
		return
	}
	run(t, shared(t, settings...))
}

// shared is the SQLite server that tests with the same settings share.
func shared(t *testing.T, settings ...string) *server {
	t.Helper()
	t.Parallel()
	return share(t, "sqlite", places["sqlite"], settings)
}

// alone runs a test on every database with a server of its own: for tests that change or read more than their
// organisations.
func alone(t *testing.T, run func(t *testing.T, p *server), settings ...string) {
	t.Helper()
	backends(t, func(t *testing.T, b storetest.Backend) { run(t, serve(t, b, settings...)) })
}

// backends runs a test on every database, in parallel with others.
func backends(t *testing.T, run func(t *testing.T, b storetest.Backend)) {
	t.Parallel()
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := place(t)
			b.Folder = cmp.Or(b.Folder, t.TempDir()) // for all processes of the test
			run(t, b)
		})
	}
}

var places = map[string]func(testing.TB) storetest.Backend{"sqlite": storetest.SQLite, "postgres": storetest.Postgres}

// helperBudget is the number of AI requests for each organisation and minute: more than the tests that share a
// server need, and different from the other budgets.
const helperBudget = "1000"

// serve starts the program for one test, without limits and with a fast simulator, unless the settings say
// otherwise.
func serve(t *testing.T, b storetest.Backend, settings ...string) *server {
	t.Helper()
	p := startServer(t, b, settings)
	p.t = t
	p.logOnFailure()
	return p
}

// startServer starts the program; the caller ends it.
func startServer(t testing.TB, b storetest.Backend, settings []string) *server {
	t.Helper()
	p := &server{Program: program.New(t, b.Folder, b.URL, append([]string{
		"TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0", "TIDEWAITER_LIMIT_AI=" + helperBudget, "TIDEWAITER_SIMULATOR_DELAY=40ms", "TIDEWAITER_LOG_LEVEL=warn",
		program.RareGC,
	}, settings...)...)}
	p.operator = newOperator(t, p.Data(), b.URL)
	p.atHMRC = slices.Contains(settings, "TIDEWAITER_CUSTOMS_MODE=hmrc")
	p.process = p.Serve(t, "serve")
	p.base = p.process.Address
	p.readDocument(t)
	return p
}

func (p *server) logOnFailure() {
	p.t.Cleanup(func() {
		if p.t.Failed() {
			p.t.Logf("log of the program:\n%s", p.Log)
		}
	})
}

// start starts one more process, and returns its address.
func (p *server) start() string {
	p.t.Helper()
	return p.Serve(p.t, "serve").Address
}

// restart starts the program once more and uses that process: in addition to the running one on PostgreSQL, and
// instead of it on SQLite, whose folder allows one server.
func (p *server) restart() {
	p.t.Helper()
	if p.Settings["TIDEWAITER_DATABASE_URL"] == "" {
		p.process.Stop(p.t)
	}
	p.process = p.Serve(p.t, "serve")
	p.base = p.process.Address
}

// served is the document of the first program that was started. Those of all others are equal except for the address, and
// writing and loading one takes longer than starting a program.
var served struct {
	sync.Mutex
	document *openapi3.T
}

func (p *server) readDocument(t testing.TB) {
	t.Helper()
	served.Lock()
	defer served.Unlock()
	if served.document == nil {
		text, _ := program.Get(t, p.base+"/api/docs/openapi.json")
		document, err := openapi3.NewLoader().LoadFromData([]byte(strings.ReplaceAll(text, p.base, "")))
		if err != nil {
			t.Fatalf("the document: %v", err)
		}
		closeAnswers(document)
		served.document = document
	}
	p.document = served.document
}

// closeAnswers forbids members in answers that the document does not name. Clients must accept them, as later versions
// add some; this version has none.
func closeAnswers(d *openapi3.T) {
	for name, s := range d.Components.Schemas {
		if !strings.HasSuffix(name, "Input") {
			closeSchema(s)
		}
	}
	for _, item := range d.Paths.Map() {
		for _, op := range item.Operations() {
			for _, r := range op.Responses.Map() {
				for _, media := range r.Value.Content {
					closeSchema(media.Schema)
				}
			}
		}
	}
}

func closeSchema(s *openapi3.SchemaRef) {
	if s == nil || s.Value == nil || s.Value.AdditionalProperties.Has != nil {
		return
	}
	if free := &s.Value.AdditionalProperties; len(s.Value.Properties) > 0 && free.Schema == nil {
		no := false
		free.Has = &no
	} else if free.Schema != nil && free.Schema.Value.IsEmpty() {
		free.Schema.Value.Nullable = true // an empty schema has null too, which the validator of requests does not know
	}
	closeSchema(s.Value.Items)
	for _, member := range s.Value.Properties {
		closeSchema(member)
	}
}

// command runs an operator's command while the server runs, and parses its JSON.
func (p *server) command(args ...string) (answer map[string]any) {
	p.t.Helper()
	p.Read(p.t, &answer, args...)
	return answer
}
