// Package security attacks the real program from outside, over real sockets. `make test` runs a short form of each
// attack; TIDEWAITER_LONG=1 (`make test-long`) runs the full form.
package security

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// long reports whether the full form of each attack was requested.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }

// target is a program under attack, on SQLite, with an organisation and its key.
type target struct {
	program.Program
	t    *testing.T
	base string // http://host:port
	org  string
	key  string
	proc *program.Process
}

// newTarget starts the program with settings in the form NAME=value.
func newTarget(t *testing.T, settings ...string) *target {
	t.Helper()
	s := &target{t: t, Program: program.New(t, "", "", append([]string{"TIDEWAITER_SIMULATOR_DELAY=20ms"}, settings...)...)}
	s.org, s.key = s.organisation()
	s.proc = s.Serve(t, "serve")
	s.base = s.proc.Address
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the program:\n%s", s.Log.Tail())
		}
	})
	return s
}

// organisation makes an organisation and returns its id and an OWNER's key.
func (s *target) organisation() (id, key string) {
	s.t.Helper()
	var made struct{ OrganisationID, APIKey string }
	s.Read(s.t, &made, "org", "create", "--name", "Blue Anchor", "--eori", "GB123456789000")
	return made.OrganisationID, made.APIKey
}

// answer is the program's response.
type answer struct {
	status int
	header http.Header
	text   string
}

// code returns the error code of a problem.
func (a answer) code() string {
	var p struct{ Error string }
	_ = json.Unmarshal([]byte(a.text), &p)
	return p.Error
}

// call sends a request with headers in the form "Name: value".
func (s *target) call(method, path, body string, headers ...string) answer {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Add(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

func (s *target) bearer() string { return "Authorization: Bearer " + s.key }
