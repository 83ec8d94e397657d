package console_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// redirect returns the address of a redirect; any other response fails the test.
func (a pageResponse) redirect(t testing.TB) string {
	t.Helper()
	if a.status != http.StatusSeeOther {
		t.Fatalf("answered %d: %s", a.status, main(a.body))
	}
	return a.header.Get("Location")
}

// beginDeclaration returns the path of the second step of a new declaration for the organisation itself.
func (p *user) beginDeclaration() string {
	p.Helper()
	return p.post("/declarations/new", "declarationType", "IMPORT", "client", "own", "go", "next").redirect(p)
}

// step returns the path of another step of the same worksheet.
func step(path string, to worksheet.Step) string {
	return path[:strings.LastIndex(path, "/")+1] + string(to)
}

// records returns the organisation's records of a kind.
func (p *user) records(kind string) (all []filing.Filing) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) {
		all, err = tx.Filings(filing.Query{Kind: kind, Limit: 10})
		return err
	}))
	return all
}

// The checks below share one harness because the assistants take time to start.
func TestDeclare(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	for _, check := range []func(*harness){
		declareByHand, editChangesOnlyItsRecords, readFromDocument, unfinishedFormIsPrivate, formOutlivesSession,
	} {
		check(h)
	}
}

// At each step errors are shown at their fields and the input is kept. Saving stores client,
// shipment and declaration in one transaction, with the same bodies as through the API.
func declareByHand(h *harness) {
	p := h.owner("Quay Ltd", "declaredbyhand@example.com")
	journey := p.beginDeclaration()
	p.post(journey, "shipment.transportMode", "AIR", "shipment.portOfEntry", "", "shipment.expectedArrival", "soon", "go", "next").expect(h, http.StatusBadRequest,
		"There is a problem", "The UK port or airport is required", "The arrival must be", `value="soon"`, `value="AIR" selected`)
	p.get(journey).expect(h, http.StatusOK, `value="soon"`)
	goods := p.post(journey, "shipment.transportMode", "SEA", "shipment.portOfEntry", "felixstowe", "shipment.expectedArrival", "", "shipment.countryOfDispatch", "bd", "go", "next").redirect(h)
	p.post(goods, "item", "1", "items[0].description", "Men's knitted cotton T-shirts", "items[0].netMassKg", "heavy", "items[0].customsValueGbp", "1,850.00", "go", "suggest").expect(h, http.StatusOK,
		"Suggested codes", "6109100010", "% confidence", `value="heavy"`)
	p.post(goods, "item", "1", "go", "pick:6109100010").redirect(h)
	p.post(goods, "item", "1", "items[0].countryOfOrigin", "bd", "go", "next").expect(h, http.StatusBadRequest, "The net mass must be a number")
	documents := p.post(goods, "item", "1", "items[0].netMassKg", "120.50", "go", "next").redirect(h)
	p.post(documents, "go", "add-document").redirect(h)
	p.post(documents, "documents[0].type", "n935", "documents[0].reference", "", "go", "next").expect(h, http.StatusBadRequest, "The number or reference is required")
	check := p.post(documents, "documents[0].type", "n935", "documents[0].reference", "INV-1", "go", "next").redirect(h)
	p.get(check).expect(h, http.StatusOK, "Review", "usual values that you did not state</summary>", `data-label="Value" class="number">£1,850.00<`, "£222.00", "£414.40", "Men&#39;s knitted cotton T-shirts")
	if n := len(p.records("declaration")) + len(p.records("client")); n != 0 {
		h.Fatalf("%d records before saving", n)
	}
	saved := p.post(check, "go", "save").redirect(h)
	id := strings.TrimSuffix(strings.TrimPrefix(saved, "/declarations/"), "?done=declaration-saved")
	d := p.stored("declaration", id)
	shipment, client := p.records("shipment"), p.records("client")
	if len(shipment) != 1 || len(client) != 1 {
		h.Fatalf("%d shipments, %d clients", len(shipment), len(client))
	}
	want := fmt.Sprintf(`{"shipmentId":"%s","declarationType":"IMPORT","items":[{"description":"Men's knitted cotton T-shirts","commodityCode":"6109100010","customsValueGbp":1850.00,"netMassKg":120.50,"countryOfOrigin":"BD"}],"documents":[{"type":"n935","reference":"INV-1"}]}`, shipment[0].ID)
	if got := string(d.Body); got != strings.Replace(want, "n935", "N935", 1) || d.Status != "DRAFT" {
		h.Errorf("stored %s\nwant   %s", got, want)
	}
	if body := string(shipment[0].Brief); !strings.Contains(body, client[0].ID) || !strings.Contains(body, `"portOfEntry":"GBFXT"`) {
		h.Errorf("the shipment is %s", body)
	}
	for _, event := range []string{"client.created", "shipment.created", "declaration.created"} {
		if n := len(slices.DeleteFunc(h.events(p.org), func(e string) bool { return e != event })); n != 1 {
			h.Errorf("%d events %s", n, event)
		}
	}
	p.get(check).expect(h, http.StatusNotFound)
	p.get("/declarations/new").expect(h, http.StatusOK, "GB")
}

// Editing changes only the records whose fields changed, and does not overwrite changes that
// another user has made in the meantime.
func editChangesOnlyItsRecords(h *harness) {
	p := h.owner("Quay Ltd", "corrected@example.com")
	id := anEditable(p)
	versions := func() string {
		return fmt.Sprint(p.stored("declaration", id).Version, p.records("shipment")[0].UpdatedAt.Equal(p.records("shipment")[0].CreatedAt), p.records("client")[0].UpdatedAt.Equal(p.records("client")[0].CreatedAt))
	}
	if at := p.get("/declarations/" + id + "/edit").redirect(h); at != "/declarations/form/"+id+"/check" {
		h.Errorf("editing redirects to %s", at)
	}
	if at := p.get("/declarations/" + id + "/edit?field=items[0].netMassKg").redirect(h); at != "/declarations/form/"+id+"/goods?faults=shown&item=1#items%5B0%5D.netMassKg" {
		h.Errorf("editing a field redirects to %s", at)
	}
	h.advance(1e9)
	goods := "/declarations/form/" + id + "/goods"
	p.get(goods).expect(h, http.StatusOK, "Change declaration", `value="120.5"`)
	p.post(goods, "item", "1", "items[0].netMassKg", "121", "go", "step:check").redirect(h)
	p.post("/declarations/form/"+id+"/check", "go", "save").redirect(h)
	if got := versions(); got != "2 true true" {
		h.Errorf("after a change of the goods: %s", got)
	}
	h.advance(1e9)
	p.post("/declarations/form/"+id+"/journey", "shipment.portOfEntry", "GBDVR", "go", "step:check").redirect(h)
	theirs := p.app.Customs
	in, err := theirs.Type.Parse(bytes.Replace(p.stored("declaration", id).Body, []byte("121"), []byte("122"), 1), h.clock())
	h.must(err)
	h.must(p.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error { _, err := theirs.Amend(tx, p.call(), id, in); return err }))
	p.post("/declarations/form/"+id+"/check", "go", "save").expect(h, http.StatusBadRequest, "Another user has changed this declaration")
	p.post("/declarations/form/" + id + "/discard").redirect(h)
	p.post("/declarations/form/"+id+"/journey", "shipment.portOfEntry", "GBDVR", "go", "step:check").redirect(h)
	if to := p.post("/declarations/form/"+id+"/check", "go", "submit").redirect(h); to != "/declarations/"+id+"/submit" {
		h.Errorf("redirected to %s", to)
	}
	if got := versions(); got != "4 false true" || !strings.Contains(string(p.records("shipment")[0].Brief), "GBDVR") {
		h.Errorf("after a change of the journey: %s", got)
	}
}

// A document fills in the form and shows where each value was found. A buyer that is the
// organisation itself, or a known client, becomes the client.
func readFromDocument(h *harness) {
	p := h.owner("Quay Ltd", "readfromdocument@example.com")
	known := p.record("client", `{"name":"Fellside Bikes Ltd","eori":"GB111111111111"}`)
	for buyer, chosen := range map[string]string{"Quay Ltd": "own", "Fellside bikes ltd": known, "Newcomer Ltd": "new"} {
		text := "COMMERCIAL INVOICE\nSeller: Ningbo Cotton Works, 88 Harbour Road, Ningbo 315000, China\nBuyer: " + buyer + ", 2 Mill Lane, Ipswich IP1 1AA, United Kingdom\n" +
			"Invoice No: INV-7\nCurrency: GBP\n\nDescription\tHS code\tQuantity\tNet kg\tAmount\nCotton T-shirts\t6109100010\t600\t120.5\t1850.00\n"
		path := p.sendDocument("/declarations/new/document", "invoice.txt", text, "documentType", "invoice").redirect(h)
		a := p.get(path)
		a.expect(h, http.StatusOK, "The form is filled in from the document")
		if got := regexp.MustCompile(`name="client" value="([^"]*)" checked`).FindStringSubmatch(a.body); got == nil || got[1] != chosen {
			h.Errorf("for %s the client is %v, not %s: %s", buyer, got, chosen, main(a.body))
		}
		goods := step(strings.TrimSuffix(path, "?done=document-read"), worksheet.StepGoods)
		p.get(goods).expect(h, http.StatusOK, `value="6109100010"`, "Found in the invoice, page 1, line", "% confidence")
	}
	p.sendDocument("/declarations/new/document", "x.bin", "\x00\x01\x02", "documentType", "invoice").expect(h, http.StatusBadRequest, "The document ")
	p.sendDocument("/declarations/new/document", "x.txt", "text", "documentType", "novel").expect(h, http.StatusBadRequest, "The document type must be one of the choices")
}

// sendDocument sends a file with the given form fields.
func (p *user) sendDocument(path, file, text string, pairs ...string) pageResponse {
	p.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	pairs = append(pairs, "organisation-id", string(p.org))
	for i := 0; i+1 < len(pairs); i += 2 {
		p.must(w.WriteField(pairs[i], pairs[i+1]))
	}
	part, err := w.CreateFormFile("file", file)
	p.must(err)
	_, err = part.Write([]byte(text))
	p.must(err)
	p.must(w.Close())
	request, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.base+path, &body)
	p.must(err)
	request.Header.Set("Accept", "text/html")
	request.Header.Set("Content-Type", w.FormDataContentType())
	response, err := p.client.Do(request)
	p.must(err)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	p.must(err)
	return pageResponse{response.StatusCode, response.Header, string(all)}
}

// An unfinished form is visible to its user only, and can be discarded.
func unfinishedFormIsPrivate(h *harness) {
	p := h.owner("Quay Ltd", "onesown@example.com")
	mia := h.member(p.org, tenant.Member, "mia@example.com")
	journey := p.beginDeclaration()
	mia.get(journey).expect(h, http.StatusNotFound)
	mia.post(journey, "shipment.portOfEntry", "GBDVR", "go", "next").expect(h, http.StatusNotFound)
	p.get("/declarations/new").expect(h, http.StatusOK, "Unfinished declarations")
	if strings.Contains(mia.get("/declarations/new").body, "Unfinished declarations") {
		h.Error("a colleague sees another user's unfinished form")
	}
	discard := step(journey, "discard")
	p.get(discard).expect(h, http.StatusOK, "Discard your input?")
	p.post(discard).redirect(h)
	p.get(journey).expect(h, http.StatusNotFound)
	for range worksheet.MaxPerUser {
		p.beginDeclaration()
	}
	p.post("/declarations/new", "declarationType", "IMPORT", "client", "own", "go", "next").expect(h, http.StatusBadRequest, "unfinished declarations")
}

// A form that is sent after the session has ended keeps its input: after signing in, the user
// continues from there.
func formOutlivesSession(h *harness) {
	p := h.owner("Quay Ltd", "afterthesession@example.com")
	goods := step(p.beginDeclaration(), worksheet.StepGoods)
	p.client.Jar = h.visitor().client.Jar
	description := strings.Repeat("A long description of goods. ", 17)
	a := p.post(goods, "item", "1", "items[0].description", description, "items[0].netMassKg", "12", "go", "add-item")
	a.expect(h, http.StatusUnauthorized, "Your session has ended", `name="kept.items[0].description"`, `name="kept.go" value="add-item"`)
	kept := []string{"email", p.email, "password", password, "next", goods}
	for _, field := range regexp.MustCompile(`name="(kept\.[^"]*)" value="([^"]*)"`).FindAllStringSubmatch(a.body, -1) {
		kept = append(kept, field[1], field[2])
	}
	p.post("/sign-in", kept...).expect(h, http.StatusOK, "Continue with your form", `name="items[0].netMassKg" value="12"`)
	p.post(goods, "item", "1", "items[0].description", description, "items[0].netMassKg", "12", "go", "add-item").redirect(h)
	p.get(goods).expect(h, http.StatusOK, "2 items", strings.TrimSpace(description))
}

// The limit on suggestions is shared by the organisation. When it is used up, the form keeps
// its input.
func TestSuggestionsAreCounted(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) { c.LimitAI = 1 })
	p := h.owner("Quay Ltd", "olive@example.com")
	goods := step(p.beginDeclaration(), worksheet.StepGoods)
	p.post(goods, "item", "1", "items[0].description", "", "go", "suggest").expect(h, http.StatusBadRequest, "The description of the goods is needed to suggest codes")
	p.post(goods, "item", "1", "items[0].description", "Cotton shirts", "go", "suggest").expect(h, http.StatusTooManyRequests, "used its 1 suggestions", "Cotton shirts")
}
