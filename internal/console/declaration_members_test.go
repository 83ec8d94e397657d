package console_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// aBroker is the owner of an organisation that can declare, with values of its own for taxes.
func (h *harness) aBroker(email string) *user {
	h.Helper()
	p := h.owner("Quay Ltd", email)
	p.post("/settings", "name", "Quay Ltd", "eori", "GB123456789000", "representation", "self").redirect(h)
	return p
}

// The page of a declaration shows every member that is set with its label and its data element, and what the service adds with
// its source. An item has a page of its own, and so has a long list.
func TestEveryMemberIsShown(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.aBroker("members@example.com")
	id := manyEntries(p)
	page := p.get("/declarations/" + id)
	page.expect(h, http.StatusOK, "All details with their data elements", "Additional declaration type", "A Standard, goods have arrived", "1/2", "Container identification number", "7/10", "SEAL-09",
		"989 more are not shown here", "Added by the service", "The client", "3/16")
	if strings.Contains(page.body, "DOC-010") {
		t.Error("the page shows all previous documents")
	}
	list := "/declarations/" + id + "/members?list=previousDocuments"
	p.get(list).expect(h, http.StatusOK, "DOC-099", "1 to 100", "Next")
	p.get(list+"&from=900").expect(h, http.StatusOK, "DOC-998", "Previous document 999")
	item := "/declarations/" + id + "/members?item=1"
	p.get(item).expect(h, http.StatusOK, "Item 1 of 2", "Description of goods", "6/8", "INV-09", "89 more are not shown here", "item=2")
	p.get(item+"&list=documents").expect(h, http.StatusOK, "INV-98")
	for _, path := range []string{"/members?item=3", "/members?list=dataSet", "/members?item=x"} {
		p.get("/declarations/"+id+path).expect(h, http.StatusNotFound)
	}
	for _, path := range []string{"/declarations/" + id, list, item, item + "&list=documents", "/declarations/" + id + "/submit"} {
		if page := p.get(path); len(page.body) > maxPage {
			t.Errorf("%s has %d bytes", path, len(page.body))
		}
	}
}

// What a declaration lacks is listed at its submission, each with the data element and a link to its field.
func TestIncompleteDeclarationIsExplained(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.aBroker("incomplete@example.com")
	client := p.record("client", `{"name":"Canary","eori":"GB123456789000","country":"GB"}`)
	shipment := p.record("shipment", `{"clientId":"%s","portOfEntry":"GBFXT","transportMode":"SEA","arrived":true}`, client)
	id := p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","dataSet":"H2","additionalType":"A","items":[{"description":"Coffee","commodityCode":"0901110000","procedureCode":"7100"}]}`, shipment)
	page := p.post("/declarations/" + id + "/submit")
	page.expect(h, http.StatusUnprocessableEntity, "The declaration is not complete. Nothing was sent.", "What to add or correct", "Identification of warehouse", "2/7")
	links := regexp.MustCompile(`href="(/declarations/[^"]+/edit\?field=[^"]+)"`).FindAllStringSubmatch(page.body, -1)
	if len(links) < 5 {
		t.Fatalf("%d links: %s", len(links), main(page.body))
	}
	for _, link := range links {
		at := p.get(link[1]).redirect(h)
		form, anchor, _ := strings.Cut(at, "#")
		shown := p.get(form)
		if anchor != "" && !strings.Contains(shown.body, `id="`+strings.NewReplacer("%5B", "[", "%5D", "]").Replace(anchor)+`"`) && !strings.Contains(anchor, "%5D") {
			t.Errorf("%s leads to %s, where there is no such field", link[1], at)
		}
	}
}

// A declaration in XML is previewed without being stored, and imported with what was assumed.
func TestImportOfXML(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.aBroker("xml@example.com")
	document := p.get("/declarations/" + anEditable(p) + "/declaration.xml").body
	before := len(p.records("declaration"))
	const path = "/declarations/import"
	p.get(path).expect(h, http.StatusOK, "XML file", "At most 20 MB")
	page := p.sendDocument(path, "entry.xml", document, "go", "preview", "fill", "NONE")
	page.expect(h, http.StatusOK, "Preview", "Nothing is saved yet", "knitted cotton T-shirts", "A shipment", "would be created", "Import this declaration")
	if n := len(p.records("declaration")); n != before {
		t.Fatalf("a preview has stored %d declarations", n-before)
	}
	at := p.post(path, "go", "import", "fill", "NONE", "fileName", "entry.xml", "document", base64.StdEncoding.EncodeToString([]byte(document))).redirect(h)
	p.get(strings.TrimSuffix(at, "?done=declaration-imported")).expect(h, http.StatusOK, "Imported from XML", "entry.xml", "was created")
	p.sendDocument(path, "entry.xml", "<x/>", "go", "import").expect(h, http.StatusBadRequest, "The document")
	p.sendDocument(path, "entry.xml", strings.Replace(document, ">9<", ">13<", 1), "go", "preview").expect(h, http.StatusBadRequest, "FunctionCode")
	p.sendDocument(path, "entry.xml", document, "go", "preview", "fill", "ALL").expect(h, http.StatusBadRequest, "What the service may add must be one of the choices")
}

// A supplementary declaration completes a simplified one that customs has accepted; test/browser makes one.
func TestNoSupplementaryDeclarationOfADraft(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.aBroker("supplementary@example.com")
	client := p.record("client", `{"name":"Canary","eori":"GB123456789000","country":"GB"}`)
	shipment := p.record("shipment", `{"clientId":"%s","portOfEntry":"GBFXT","transportMode":"SEA","arrived":true}`, client)
	id := p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","dataSet":"I1","additionalType":"C","items":[{"description":"Coffee","commodityCode":"0901110000","procedureCode":"4000"}]}`, shipment)
	p.post("/declarations/"+id+"/supplement").expect(h, http.StatusBadRequest, "that customs has accepted")
	if page := p.get("/declarations/" + id).body; strings.Contains(page, "Supplementary declaration") {
		t.Error("the page of a draft offers a supplementary declaration")
	}
}
