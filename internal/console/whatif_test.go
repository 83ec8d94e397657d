package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// whatIfCases are the cases of the pages for what-ifs.
var whatIfCases = map[string]routeCase{
	"GET /what-if":                 {status: 200},
	"POST /what-if":                {status: 303, form: []string{"source", "products", "origin", "BD"}},
	"GET /what-if/{id}":            {status: 200, record: aWhatIf},
	"POST /what-if/{id}/cancel":    {status: 303, record: aWhatIf},
	"GET /what-if/{id}/result.csv": {status: 200, record: aWhatIf},
}

// aWhatIf is a what-if of an organisation that is DONE.
func aWhatIf(owner *user) string {
	owner.Helper()
	j := whatif.Job{ID: owner.app.IDs.UUID(), Status: whatif.Running, Gathered: true, CreatedAt: owner.clock(), FinishedAt: owner.clock(),
		Settings: whatif.Settings{Products: true, Change: whatif.Change{Origin: "BD"}}}
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		if err := tx.AddWhatIf(j); err != nil {
			return err
		}
		j.Status = whatif.Done
		_, err := tx.EndWhatIf(j, nil)
		return err
	}))
	return j.ID
}

// whatIf sends the form, waits for the end, and returns the path of the result.
func (p *user) whatIf(form ...string) string {
	p.Helper()
	a := p.post("/what-if", form...)
	a.expect(p.harness, 303)
	path := a.header.Get("Location")
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if !strings.Contains(p.get(path).body, "The computation continues") {
			return path
		}
	}
	p.Fatalf("%s does not end", path)
	return ""
}

// A clerk computes the catalogue and declarations with a change, sees totals, groups and rows, and gets them as a file. Wrong
// answers are named at their fields, and the form keeps what was entered.
func TestWhatIf(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		o.get("/products").expect(h, 200, `href="/what-if?source=products"`)
		o.get("/declarations").expect(h, 200, `href="/what-if"`)
		o.get("/what-if?source=products&date=2027-01-01&cbam=yes").expect(h, 200, `<option value="products" selected>`, `value="2027-01-01"`, "What changes on 1 January", "Nothing yet")
		o.post("/what-if", "source", "products").expect(h, 400, "There is a problem", "The change must say at least one thing")
		o.post("/what-if", "source", "declarations", "from", "2026-13-01", "to", "2026-12-31", "origin", "XX", "edition", "x", "incoterm", "FOBX").
			expect(h, 400, "The first day must be a day such as", "The origin must be", "The edition must be", "The Incoterm must", `value="2026-13-01"`)
		path := o.whatIf("source", "products", "origin", "BD", "groupBy", "chapter", "cbam", "yes", "date", "2027-01-01", "incoterm", "CIF")
		o.get(path).expect(h, 200, "Due at the border", "UK CBAM, due by return", "No declaration or product matches", "Bangladesh", "Incoterm CIF")
		o.get(path+"/result.csv").expect(h, 200, "ref,commodityCode,baseGbp")
		o.get("/what-if").expect(h, 200, path, "All products of the catalogue", "£0.00")
		o.post(path+"/cancel").expect(h, 303)
		o.get(path).expect(h, 200, "Totals")
		h.owner("Mole Ltd", "mo@example.com").get(path).expect(h, 404)
	})
}
