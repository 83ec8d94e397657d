package faults_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A service whose role may not migrate says so and ends; once its owner has run the
// command, it serves.
func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	p := newPlace(t, b)
	p.settings["TIDEWAITER_DATABASE_WAIT"] = "0s"
	if out, err := p.command("serve").CombinedOutput(); err == nil || !strings.Contains(string(out), "run `tidewaiter migrate`") {
		t.Errorf("%v: %s", err, out)
	}
	owner := p.beside(t)
	owner.settings["TIDEWAITER_DATABASE_OWNER_URL"] = b.Owner
	var said struct {
		Schema, Tables int
		Role           string
		RoleMade       bool
	}
	out := owner.run(t, "migrate", "--json")
	if err := json.Unmarshal(out, &said); err != nil || said.Schema < 32 || said.Role != "tidewaiter" || said.RoleMade || said.Tables < 35 {
		t.Errorf("%s, %v", out, err)
	}
	c := newClient(p.organisation(t))
	c.turn(p.serve(t))
	c.shipment(t)
}
