package conformance

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// zipOf returns a ZIP file with files by name, in the order of their names.
func zipOf(t *testing.T, files map[string]string) string {
	t.Helper()
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// importZIP sends a ZIP file and returns the ID of the job.
func (c *caller) importZIP(query, data string, headers ...string) answer {
	c.t.Helper()
	return c.call("POST", importPath+query, data, append([]string{"Content-Type", "application/zip"}, headers...)...)
}

// A ZIP file is imported as a job, with a result for each document in order. The same call again is the same job, and what is no
// declaration is rejected without stopping the others.
func TestImportOfZIP(t *testing.T) {
	samples := originals(t)
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation(canary)
		files := map[string]string{"z/broken.xml": "<a", "z/nested.zip": zipOf(t, map[string]string{"a.xml": minimalXML("IMA", "9")})}
		for file := range samples {
			if raw, err := os.ReadFile(file); err == nil && len(files) < 22 {
				files[filepath.Base(file)] = string(raw)
			}
		}
		data := zipOf(t, files)
		job := c.importZIP("", data, "Idempotency-Key", "zip").want(t, 202)
		again := c.importZIP("", data, "Idempotency-Key", "zip").want(t, 202)
		if again.in("import", "id") != job.in("import", "id") || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("sent again: %s", again.text)
		}
		path := "/api/imports/" + job.in("import", "id").(string)
		ended := c.ended(path, "import")
		if ended.in("import", "total") != 22.0 || ended.in("import", "done") != 20.0 || ended.in("import", "failed") != 2.0 || ended.in("import", "resultUrl") != path+"/results" {
			t.Errorf("ended: %s", ended.text)
		}
		var names []string
		for _, r := range c.results(path+"/results", 7) {
			name := r["file"].(string)
			names = append(names, name)
			if strings.HasPrefix(name, "z/") {
				if r["status"] != "REJECTED" || r["declarationId"] != nil || len(r["details"].([]any)) == 0 {
					t.Errorf("%v", r)
				}
				continue
			}
			d := c.call("GET", declarationsPath+"/"+r["declarationId"].(string), nil).want(t, 200)
			if r["status"] != "CREATED" || len(r["notes"].([]any)) == 0 || d.in("declaration", "importedFrom", "fileName") != name {
				t.Errorf("%v: %s", r, d.text)
			}
		}
		if len(names) != 22 || !slices.IsSorted(names) {
			t.Errorf("results %v", names)
		}
		other.call("GET", path, nil).refused(t, 404, "not_found")
		other.call("GET", path+"/results", nil).refused(t, 404, "not_found")
		c.importZIP("?dryRun=true", data).refused(t, 400, "invalid_request")
		c.importZIP("", "PK").refused(t, 400, "invalid_request")
		c.importZIP("", zipOf(t, map[string]string{"../a.xml": "<a/>"})).refused(t, 400, "invalid_request")
		c.as("VIEWER").importZIP("", data).refused(t, 403, "read_only_key")
	})
}

// A program that is killed in the middle of an import goes on with it, and imports each document once.
func TestKilledImportOfZIP(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t))
	p.makeKillable()
	c := p.organisation("A")
	const n = 180
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%03d.xml", i)] = minimalXML("IMA", "9")
	}
	path := "/api/imports/" + c.importZIP("", zipOf(t, files)).want(t, 202).in("import", "id").(string)
	c.eventually("the first documents", func() bool { return c.call("GET", path, nil).want(t, 200).in("import", "done").(float64) > 0 })
	p.process.Kill()
	p.process = p.Serve(t, "serve")
	p.base = p.process.Address
	if ended := c.ended(path, "import"); ended.in("import", "done") != float64(n) || ended.in("import", "failed") != 0.0 {
		t.Errorf("ended: %s", ended.text)
	}
	made := map[string]bool{}
	for _, r := range c.results(path+"/results", 200) {
		made[r["declarationId"].(string)] = true
	}
	if listed := c.find(declarationsPath+"?limit=200", "declarations"); len(made) != n || len(listed) != n {
		t.Errorf("%d declarations in the results, %d in the list", len(made), len(listed))
	}
}

// 1,000 documents are imported in the time that the log shows.
func TestImportOfFullZIP(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	p := serve(t, storetest.SQLite(t))
	c := p.organisation("A")
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("%04d.xml", i)] = minimalXML("IMA", "9")
	}
	began := time.Now()
	path := "/api/imports/" + c.importZIP("", zipOf(t, files)).want(t, 202).in("import", "id").(string)
	ended := c.ended(path, "import")
	if ended.in("import", "done") != 1000.0 {
		t.Errorf("ended: %s", ended.text)
	}
	t.Logf("1,000 documents in %s", time.Since(began))
}
