package faults_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A service whose role may not migrate says so and exits; it serves once its owner has run the command.
func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	p := newHost(t, b)
	p.Settings["TIDEWAITER_DATABASE_WAIT"] = "0s"
	if code, out := p.Code("serve"); code == 0 || !strings.Contains(out, "run `tidewaiter migrate`") {
		t.Errorf("%d: %s", code, out)
	}
	owner := p.beside(t)
	owner.Settings["TIDEWAITER_DATABASE_OWNER_URL"] = b.Owner
	var output struct {
		Schema, Tables int
		Role           string
		RoleMade       bool
	}
	if owner.Read(t, &output, "migrate"); output.Schema < 32 || output.Role != "tidewaiter" || output.RoleMade || output.Tables < 35 {
		t.Errorf("%+v", output)
	}
	_, c := p.withOrganisation(t)
	c.shipment(t)
}
