package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An OWNER enters the authority's own reference and its document with the mark. The page then has that reference without the
// mark SIMULATED, and leads to the document. A faulty form is shown again with what was entered.
func TestDecisionIsEntered(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("tss")
	id := aFiling("tss.declaration", aDeclaration, lifecycle.Submit)(p)
	at := "/hubs/tss/declarations/" + id
	p.get(at).expect(t, http.StatusOK, `<p class="simulated-mark">SIMULATED</p>`, "/records/tss.declaration/"+id+"/checklist")
	p.get(at+"/marks/mark-accepted").expect(t, http.StatusOK, "The authority’s own reference", "which this service made", `type="file"`)
	p.sendDocument(at+"/marks/mark-accepted", "d.txt", "Granted", "reference", "x1", "decidedAt", "2020-01-02T09:30").expect(t, http.StatusBadRequest, "must be an MRN with its check digit", `value="x1"`, `value="2020-01-02T09:30"`)
	p.sendDocument(at+"/marks/mark-accepted", "d.exe", "MZ\x90", "decidedAt", "soon").expect(t, http.StatusBadRequest, "The time of the decision must be a date and a time")
	p.sendDocument(at+"/marks/mark-accepted", "d.exe", "MZ\x90").expect(t, http.StatusBadRequest, "The document must be a PDF")
	p.sendDocument(at+"/marks/mark-accepted", "d.txt", "Granted", "reference", "ens000000001234567", "decidedAt", "2020-01-02T09:30", "reason", "As asked").expect(t, http.StatusSeeOther)
	shown := p.get(at)
	shown.expect(t, http.StatusOK, "ENS000000001234567", "Simulated reference", "d.txt", "As asked")
	if strings.Contains(shown.body, "simulated-mark") {
		t.Error("the page is still marked SIMULATED")
	}
	_, link, _ := strings.Cut(shown.body, `The authority’s document: <a href="`)
	link, _, _ = strings.Cut(link, `"`)
	if got := p.get(link); got.body != "Granted" || !strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%s: %q", link, got.body)
	}
	p.get("/records/tss.declaration/"+id+"/checklist").expect(t, http.StatusOK, "https://www.tradersupportservice.co.uk/", "Great Britain to Northern Ireland", `data-copy="value-0-0"`, "ENS000000001234567")
	p.get("/records/tss.declaration/"+id+"/driver").expect(t, http.StatusNotFound)
	p.get("/records/nonsense/"+id+"/checklist").expect(t, http.StatusNotFound)
}

// The page for the driver has a barcode only if the authority gave the id of the movement.
func TestPageForTheDriver(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("gvms")
	simulated := p.get("/records/gvms.movement/" + aFiling("gvms.movement", aCrossing)(p) + "/driver")
	simulated.expect(t, http.StatusOK, "AB24 CDE", "SIMULATED", "Dover")
	if strings.Contains(simulated.body, "<svg class=\"barcode\"") {
		t.Error("a simulated id has a barcode")
	}
	id := ""
	kind := p.app.Filings.Types["gvms.movement"]
	in, err := kind.Parse(json.RawMessage(aCrossing), p.clock())
	p.must(err)
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := p.app.Filings.Create(tx, p.call(), kind, in.With(filing.Added{"gmrId": "GMRI000023KN", filing.SourceMember: json.RawMessage("null")}))
		id = f.ID
		return err
	}))
	cancelled := p.get("/records/gvms.movement/" + aFiling("gvms.movement", aCrossing, lifecycle.Cancel)(p) + "/driver")
	cancelled.expect(t, http.StatusOK, "Do not use this movement")
	real := p.get("/records/gvms.movement/" + id + "/driver")
	real.expect(t, http.StatusOK, "GMRI000023KN", `<svg class="barcode"`, `aria-label="Barcode of GMRI000023KN"`)
	if strings.Contains(real.body, "SIMULATED") {
		t.Error("the authority's id is marked SIMULATED")
	}
}

// Without a connection to GVMS, an OWNER enters the GMR that HMRC gave. The page for the driver then has it with its barcode. The states that HMRC shows are
// marked by hand too, also after that; while a record is connected, no mark is offered.
func TestGMRIsEntered(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("gvms")
	id := aFiling("gvms.movement", aCrossing)(p)
	at, driver := "/hubs/gvms/movements/"+id, "/records/gvms.movement/"+id+"/driver"
	p.get(at).expect(t, http.StatusOK, `<p class="simulated-mark">SIMULATED</p>`, at+"/marks/mark-open", ">Enter GMR ID<")
	p.get(at+"/marks/mark-open").expect(t, http.StatusOK, "<h1>Enter GMR ID</h1>", "The status stays “Open”.")
	p.sendDocument(at+"/marks/mark-open", "gmr.txt", "GMR", "reference", "26GB").expect(t, http.StatusBadRequest, "must be GMR, a letter and 8 letters or digits")
	p.sendDocument(at+"/marks/mark-open", "gmr.txt", "GMR", "reference", "gmri000023kn").expect(t, http.StatusSeeOther)
	p.get(driver).expect(t, http.StatusOK, "GMRI000023KN", `<svg class="barcode"`)
	if shown := p.get(driver); strings.Contains(shown.body, "SIMULATED") {
		t.Error("the GMR of HMRC is marked SIMULATED")
	}
	if shown := p.get(at); strings.Contains(shown.body, "/marks/mark-open") || !strings.Contains(shown.body, "/marks/mark-not-finalisable") {
		t.Error("the steps of an open record are not those to another status")
	}
	p.post(at + "/marks/mark-checked-in").redirect(t)
	p.get(at).expect(t, http.StatusOK, at+"/marks/mark-embarked", at+"/marks/mark-completed")
	p.post(at + "/marks/mark-completed").redirect(t)
	p.get(driver).expect(t, http.StatusOK, "Do not use this movement")
}
