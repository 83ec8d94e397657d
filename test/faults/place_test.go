package faults_test

import (
	"maps"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// place is a machine on which the program is started, killed and started again.
type place struct{ program.Program }

// newPlace makes an empty place on a backend, with quick customs and no budgets.
func newPlace(t *testing.T, b storetest.Backend) place {
	t.Helper()
	p := place{program.New(t, b.Folder, b.URL, "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0",
		"TIDEWAITER_LOG_LEVEL=warn", "TIDEWAITER_SIMULATOR_DELAY=30ms", "TIDEWAITER_MASTER_KEY="+masterKey())}
	t.Cleanup(func() { p.explain(t) })
	return p
}

// beside is a second place on the same database with a data folder of its own, for the
// program under test.
func (p place) beside(t *testing.T) place {
	t.Helper()
	p.File, p.Settings, p.Log = program.Binary(t), maps.Clone(p.Settings), &logbuffer.Buffer{}
	p.Settings["TIDEWAITER_DATA"] = t.TempDir()
	t.Cleanup(func() { p.explain(t) })
	return p
}

func (p place) serve(t *testing.T) *program.Process { t.Helper(); return p.Start(t, "serve") }

// opened serves an organisation, and gives its OWNER as a client.
func (p place) opened(t *testing.T) (*program.Process, *client) {
	t.Helper()
	c, r := newClient(p.organisation(t)), p.serve(t)
	c.turn(r)
	return r, c
}

// organisation makes an organisation and gives its OWNER key.
func (p place) organisation(t *testing.T) string {
	t.Helper()
	var made struct{ APIKey string }
	p.Read(t, &made, "org", "create", "--name", "Breakwater Forwarding Ltd", "--eori", "GB123456789000")
	return made.APIKey
}

// station starts a customs that lives on when the program of a place does not, and leads
// the place to it.
func (p place) station(t *testing.T, callback string) (station place, simulator *program.Process) {
	t.Helper()
	station = p.beside(t)
	simulator = station.Start(t, "simulator", "--callback", callback+"/api/cds/webhook")
	p.declareTo(simulator.Address)
	p.Settings["TIDEWAITER_CUSTOMS_JWKS"] = simulator.Address + "/jwks.json"
	return station, simulator
}

// declareTo leads a place to a customs.
func (p place) declareTo(address string) {
	p.Settings["TIDEWAITER_CUSTOMS_URL"] = address
	p.Settings["TIDEWAITER_CUSTOMS_CLIENT_ID"] = "tidewaiter"
	p.Settings["TIDEWAITER_CUSTOMS_CLIENT_SECRET"] = "tidewaiter"
}

// verifyAudit fails the test unless the trail is unbroken.
func (p place) verifyAudit(t *testing.T) {
	t.Helper()
	var said struct{ OK bool }
	if p.Read(t, &said, "audit", "verify"); !said.OK {
		t.Error("the audit trail is broken")
	}
}
