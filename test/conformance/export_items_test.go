package conformance

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// exportedSamples is the number of HMRC's samples that are exported. All together take longer, and differ from each other in little.
const exportedSamples = 8

// thePlainOne is the declaration that is no sample. The service gives each such a DUCR of its own.
const thePlainOne = "the plain one"

// The export of declarations with a row for each item can be imported again through the columns that the preview proposes: no row is
// faulty, and each declaration that it makes says to customs what the exported one does.
func TestExportOfItemsIsImportedAgain(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		samples := originals(t)
		made := map[string]string{}
		files := []string{}
		for file := range samples {
			files = append(files, file)
		}
		slices.Sort(files)
		for n := 0; n < len(files); n += len(files) / exportedSamples {
			raw, err := os.ReadFile(files[n])
			if err != nil {
				t.Fatal(err)
			}
			made[c.call("POST", importPath, string(raw), "Content-Type", "application/xml").want(t, 201).id()] = files[n]
		}
		plain := goods(c.shipment(), "INV;1")
		plain["reference"], plain["metadata"] = "=1+1", map[string]any{"branch": "Hull"}
		made[c.call("POST", declarationsPath, plain).want(t, 201).id()] = thePlainOne

		table := c.call("GET", "/api/export/declarations?rows=items", nil).want(t, 200).text
		shown := c.previewed("declarations/preview?group=id", table, 0)
		body := map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"], "group": "id"}
		job := c.ended("/api/imports/"+c.call("POST", "/api/import/declarations/commit", body, "Idempotency-Key", "i").want(t, 202).in("import", "id").(string), "import")
		if job.in("import", "failed") != 0.0 || job.in("import", "done") != float64(len(made)) {
			t.Fatal(job.text)
		}
		for _, r := range c.results(job.in("import", "resultUrl").(string), 50) {
			was, is := r["reference"].(string), r["body"].(map[string]any)["id"].(string)
			if got, want := c.declared(t, is), c.declared(t, was); got != want && made[was] != thePlainOne {
				t.Errorf("%s was\n%s\nis\n%s", made[was], want, got)
			}
			if made[was] == thePlainOne {
				again := c.call("GET", declarationsPath+"/"+is, nil).want(t, 200)
				if again.in("declaration", "reference") != "=1+1" || again.in("declaration", "metadata", "branch") != "Hull" {
					t.Error(again.text)
				}
			}
		}
		if rows := strings.Count(table, "\r\n"); rows <= len(made) {
			t.Errorf("%d lines", rows)
		}
		c.call("GET", "/api/export/declarations?rows=lines", nil).refused(t, 400, "invalid_request")
	})
}

// declared returns what a declaration says to customs.
func (c *caller) declared(t *testing.T, id string) string {
	t.Helper()
	d, err := wco.Decode([]byte(c.call("GET", declarationsPath+"/"+id+"/declaration.xml", nil).want(t, 200).text))
	if err != nil {
		t.Fatal(err)
	}
	return comparable(t, d)
}
