package console_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// imported waits until the page of an import contains a text.
func (p *user) imported(path, wanted string) (a pageResponse) {
	p.Helper()
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if a = p.get(path); strings.Contains(a.body, wanted) {
			return a
		}
	}
	p.Fatalf("%s never contains %q: %s", path, wanted, main(a.body))
	return a
}

// An import shows column errors at their columns and keeps the selection. Rows are validated by the
// same rules as in the API. Valid rows become clients, and the errors of the others can be downloaded
// as a table.
func TestImportSteps(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		path := "/import/" + o.upload("clients.csv", "Company,Land,Memo\nA Ltd,GB,=1+1\nB Ltd,UK,two\n,GB,\nA Ltd,FR,\n")
		o.get(path).expect(h, 200, "Match columns with fields", "=1&#43;1", `<option value="country" selected>`)
		o.post(path+"/columns", "column-0", "city", "column-1", "city").
			expect(h, 400, "“Land” cannot be “City”", `<option value="city" selected>`)
		o.post(path+"/columns", "column-0", "city").expect(h, 400, "needs a column with the Name")
		o.post(path+"/columns", "column-0", "nonsense").expect(h, 400, "must be one of the choices")
		o.post(path+"/start").expect(h, 400, "Check the table first")
		o.post(path+"/columns", "column-0", "name", "column-1", "country").expect(h, 303)
		o.get(path).expect(h, 200, "Nothing has been stored yet", "Row 2", "Country must be an ISO 3166-1 alpha-2 country code", "UK", "Name is required", "Import 1 client<")
		o.get(path+"?rows=skipped").expect(h, 200, "is the same as in an earlier row")
		o.post(path+"/start").expect(h, 303)
		o.imported(path, "is imported").expect(h, 200, "imported")
		o.post(path+"/start").expect(h, 400, "already been imported")
		notes := o.get(path + "/notes.csv")
		if notes.expect(h, 200, "row,outcome,field,value,message", "2,not imported,country,UK,must be", "4,skipped,name,A Ltd,"); !strings.HasPrefix(notes.header.Get("Content-Disposition"), "attachment") {
			h.Error("the notes are shown instead of downloaded")
		}
		o.get("/exports/download?kind=client").expect(h, 200, "A Ltd,")
		if events := h.events(o.org); fmt.Sprint(events[len(events)-2:]) != "[import.clients export.clients]" {
			h.Errorf("events %q", events)
		}
	})
}

// An import that the service has stopped says so and what to do, and continues when the user
// restarts it.
func TestImportGivenUp(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Ltd", "olive@example.com")
	path := "/import/" + o.upload("clients.csv", "Company\nA Ltd\n")
	o.post(path+"/columns", "column-0", "name").expect(h, 303)
	id := strings.TrimPrefix(path, "/import/")
	h.must(h.app.Store.Update(h.Context(), o.org, func(tx *store.Tx) error {
		up, err := tx.Upload(id)
		if err != nil {
			return err
		}
		up.State = bulk.Running
		job := jobs.Job{ID: h.app.IDs.UUID(), Queue: bulk.ImportQueue, Subject: id, RunAt: h.clock().Add(time.Hour)}
		return errors.Join(tx.SaveUpload(up, nil), tx.Enqueue(job), tx.GiveUpJob(job, "no more"))
	}))
	o.get("/import").expect(h, 200, "Stopped")
	o.get(path).expect(h, 200, "has stopped", "0 of 1 rows", "Continue import", "/discard")
	o.get(path+"/discard").expect(h, 200, "The imported clients stay")
	o.post(path+"/start").expect(h, 303)
	o.imported(path, "is imported")
}

// A file that is not a table is rejected with the reason. A viewer can see the page but cannot
// upload.
func TestImportRefuses(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Ltd", "olive@example.com")
	for content, wanted := range map[string]string{
		"":                            "The file is empty",
		"PK\x03\x04 something":        "is a damaged archive",
		"A,A\n1,2\n":                  "appears more than once",
		"A,B\n1,2,3\n":                "row 1 has 3 cells, not 2",
		strings.Repeat("x", 10<<20+1): "larger than 10 MB",
	} {
		o.sendFile("x.csv", content).expect(h, 400, wanted)
	}
	vera := h.member(o.org, tenant.Viewer, "vera@example.com")
	vera.sendFile("x.csv", "Company\nA\n").expect(h, 403)
	if page := vera.get("/import"); strings.Contains(main(page.body), "<form") {
		h.Error("a viewer sees the form")
	}
	id := o.upload("x.csv", "Company\nA\n")
	vera.get("/import/"+id).expect(h, 200, "Company")
}

// An export contains exactly the requested records in the requested format. Invalid requests are
// reported, and Hubs that are not enabled are not offered.
func TestExports(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Ltd", "olive@example.com")
	path := "/import/" + o.upload("clients.csv", "Company\nA Ltd\nB Ltd\n")
	o.post(path+"/columns", "column-0", "name")
	o.post(path + "/start")
	o.imported(path, "is imported")
	lines := o.get("/exports/download?kind=client&format=jsonl&status=ACTIVE&from=" + h.clock().AddDate(0, 0, -1).Format(time.DateOnly))
	lines.expect(h, 200)
	if all := strings.Split(strings.TrimSpace(lines.body), "\n"); len(all) != 2 || !strings.HasSuffix(all[0], `"name":"A Ltd"}`) {
		h.Errorf("lines %q", all)
	}
	if before := o.get("/exports/download?kind=client&format=jsonl&to=2020-01-01"); before.status != 200 || before.body != "" {
		h.Errorf("before any records existed: %d %q", before.status, before.body)
	}
	o.get("/exports/download?kind=client&status=CLEARED&from=soon").expect(h, 400, "is not a status of a client", "must be a date")
	o.get("/exports/download?kind=gvms.movement").expect(h, 400, "The kind must be one of the choices")
	o.get("/exports/download?kind=declaration&format=items").expect(h, 200, "items[].commodityCode,", ",equipment,")
	o.get("/exports/download?kind=client&format=items").expect(h, 400, "The format with a line for each item is for declarations only")
	if page := o.get("/exports"); strings.Contains(page.body, "GVMS") || !strings.Contains(page.body, `value="declaration"`) {
		h.Errorf("offered: %s", main(page.body))
	}
}

// A table of products is checked without being stored, and imported in one step, by columns that are named like the fields. The page shows which rows were not
// stored and why, and the form of a product shows that its code is taken.
func TestProductImport(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		client := o.record("client", `{"name":"Mill Lane Ltd"}`)
		table := "clientId,code,description,unitFactor,additionalCodes\n" + client + `,TS-1,Shirts,5.5,"[{""code"":""VATZ"",""type"":""GN""}]"` + "\n" + client + ",TS-1,Shirts,,\n5,TS-2,Shirts,,\n"
		o.sendFileTo("/products/import", "products.csv", table, "go", "check").expect(h, 200, "1 row has errors and cannot be imported. Nothing has been stored.", "must be a UUID")
		if all := o.records("product"); len(all) != 0 {
			t.Fatalf("the check stored %v", all)
		}
		o.sendFileTo("/products/import", "products.csv", table).expect(h, 200, "<dt>Imported</dt><dd>1</dd>", "<dd>1</dd></div><div><dt>Not imported</dt><dd>1</dd>", "must be a UUID")
		o.sendFileTo("/products/import", "products.csv", "code,description\nTS-1,Shirts\n").expect(h, 400, "must be mapped to a column")
		all := o.records("product")
		if len(all) != 1 || string(all[0].Brief) != `{"clientId":"`+client+`","code":"TS-1","description":"Shirts","unitFactor":5.5,"additionalCodes":[{"code":"VATZ","type":"GN"}]}` {
			t.Fatalf("stored %v", all)
		}
		o.get("/products/"+all[0].ID).expect(h, 200, "TS-1", "VATZ", "Mill Lane Ltd")
		o.post("/products/new", "clientId", client, "code", "TS-1", "description", "Others").expect(h, 400, "belongs to another product of this client")
	})
}
