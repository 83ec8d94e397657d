package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// operate runs an operator's command while the server runs, and returns its output.
func (p *server) runOperator(args ...string) (out string, err error) {
	text, err := p.Command(args...).Output()
	return string(text), err
}

// An operator imports a table while the service runs, completely or not at all; a service that starts afterwards
// uses it and names its edition.
func TestPublishedTables(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		good, bad := filepath.Join(t.TempDir(), "good.csv"), filepath.Join(t.TempDir(), "bad.csv")
		const table = "UnLocodeExtendedCode,Name,RDEntryStatus_activeFrom\nFRMRS,Marseille,24-02-2025\n"
		for name, text := range map[string]string{good: table, bad: table + "FRMRZ,Nowhere,2025\n"} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := p.runOperator("data", "import", "unlocode", bad, "--json"); err == nil || !strings.Contains(out, `"line":3`) || !strings.Contains(out, `"imported":false`) {
			t.Errorf("a faulty file: %v %s", err, out)
		}
		if out, err := p.runOperator("data", "list"); err != nil || strings.Count(out, "not imported") != 4 {
			t.Errorf("listed: %v %s", err, out)
		}
		if out, err := p.runOperator("data", "import", "unlocode", good); err != nil || !strings.Contains(out, "UN/LOCODE list of 24 February 2025: 1 rows") {
			t.Errorf("imported: %v %s", err, out)
		}
		out, err := p.runOperator("data", "list", "--json")
		var list struct {
			Tables []struct {
				Kind, Date, ImportedAt string
				Rows, Version          int
			}
		}
		if json.Unmarshal([]byte(out), &list) != nil || err != nil || len(list.Tables) != 1 || list.Tables[0].Rows != 1 || list.Tables[0].Date != "2025-02-24" {
			t.Errorf("listed: %v %s", err, out)
		}
		p.restart()
		c := p.organisation("A")
		c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		body := vehicleMovement()
		body["routeFrom"], body["routeTo"] = "FRMRX", "GBTIL"
		id := c.call("POST", "/api/gvms/movements", body).want(t, 201).id()
		if r := c.call("POST", "/api/gvms/movements/"+id+"/review", nil).want(t, 200); !strings.Contains(r.text, "GVMS-033") || !strings.Contains(r.text, "UN/LOCODE list of 24 February 2025") {
			t.Errorf("reviewed: %s", r.text)
		}
	})
}
