package faults_test

import (
	"maps"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/logbuffer"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// host is a machine on which the program is started, killed and started again.
type host struct{ program.Program }

// newHost is an empty host on a backend, with a fast simulator and without rate limits.
func newHost(t *testing.T, b storetest.Backend) host {
	t.Helper()
	p := host{program.New(t, b.Folder, b.URL, "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0",
		"TIDEWAITER_LOG_LEVEL=warn", "TIDEWAITER_SIMULATOR_DELAY=30ms", "TIDEWAITER_MASTER_KEY="+masterKey())}
	t.Cleanup(func() { p.logOnFailure(t) })
	return p
}

// beside is a second host on the same database with its own data folder.
func (p host) beside(t *testing.T) host {
	t.Helper()
	p.File, p.Settings, p.Log = program.Binary(t), maps.Clone(p.Settings), &logbuffer.Buffer{}
	p.Settings["TIDEWAITER_DATA"] = t.TempDir()
	t.Cleanup(func() { p.logOnFailure(t) })
	return p
}

func (p host) serve(t *testing.T) *program.Process { t.Helper(); return p.Start(t, "serve") }

// withOrganisation serves an organisation, and returns its OWNER as a client.
func (p host) withOrganisation(t *testing.T) (*program.Process, *client) {
	t.Helper()
	c, r := newClient(p.organisation(t)), p.serve(t)
	c.turn(r)
	return r, c
}

// organisation creates an organisation and returns its OWNER key.
func (p host) organisation(t *testing.T) string {
	t.Helper()
	var made struct{ APIKey string }
	p.Read(t, &made, "org", "create", "--name", "Breakwater Forwarding Ltd", "--eori", "GB123456789000")
	return made.APIKey
}

// startSimulator starts a CDS simulator that outlives the program of a host, and configures the host to use it.
func (p host) startSimulator(t *testing.T, callback string) (station host, simulator *program.Process) {
	t.Helper()
	station = p.beside(t)
	simulator = station.Start(t, "simulator", "--callback", callback+"/api/cds/webhook")
	p.useCDS(simulator.Address)
	p.Settings["TIDEWAITER_CUSTOMS_JWKS"] = simulator.Address + "/jwks.json"
	return station, simulator
}

// useCDS configures the URL of CDS.
func (p host) useCDS(address string) {
	p.Settings["TIDEWAITER_CUSTOMS_URL"] = address
	p.Settings["TIDEWAITER_CUSTOMS_CLIENT_ID"] = "tidewaiter"
	p.Settings["TIDEWAITER_CUSTOMS_CLIENT_SECRET"] = "tidewaiter"
}

// verifyAudit fails the test unless the trail is intact.
func (p host) verifyAudit(t *testing.T) {
	t.Helper()
	var output struct{ OK bool }
	if p.Read(t, &output, "audit", "verify"); !output.OK {
		t.Error("the audit trail is broken")
	}
}
