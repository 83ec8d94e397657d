package console_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

const sourceInvoice = `COMMERCIAL INVOICE

Seller: Chittagong Knitwear Ltd                 Invoice No: CK-2026-118
        14 Strand Road
        Chattogram 4000
        Bangladesh

Buyer:  Quay Customs Ltd
        2 Harbour Street
        Felixstowe IP11 3SY
        United Kingdom

Terms of delivery: CIF Felixstowe
Currency: GBP

Description                        HS code       Origin    Qty    Net kg    Amount
Men's knitted cotton T-shirts      6109100010    BD        600    120.5     1,850.00

Total GBP                                                                   1,850.00
`

// withInvoice begins a declaration from an e-mail with an invoice, and returns the id of the form and that of the invoice.
func (p *user) withInvoice() (form, file string) {
	p.Helper()
	pdf := documents.PDF(sourceInvoice, documents.Packed)
	message := "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=invoice.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString(pdf) + "\r\n--b--\r\n"
	a := p.sendDocument("/declarations/new/document", "order.eml", message, "documentType", "")
	a.expect(p.harness, http.StatusSeeOther)
	form = strings.Split(a.header.Get("Location"), "/")[3]
	found := regexp.MustCompile(`/files/([0-9a-f-]{36})"`).FindAllStringSubmatch(p.get("/declarations/form/"+form+"/what").body, -1)
	if len(found) == 0 {
		p.Fatal("the form names no file")
	}
	return form, found[0][1]
}

// The files that a form was filled from are kept with the declaration, byte for byte, and it names them with their digests.
// The integrity of the record covers them.
func TestSourcesAreKept(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Customs Ltd", "olive@example.com")
		form, file := o.withInvoice()
		o.get("/declarations/form/"+form+"/journey").expect(h, http.StatusOK, "Found in the invoice", "Chittagong Knitwear Ltd", "invoice.pdf", "order.eml")
		if got := o.get("/declarations/form/" + form + "/files/" + file); got.body != string(documents.PDF(sourceInvoice, documents.Packed)) {
			h.Error("the file is not the one that was given")
		}
		o.get("/declarations/form/"+form+"/files/"+file+"/text").expect(h, http.StatusOK, "Invoice No: CK-2026-118")
		o.post("/declarations/form/"+form+"/what", "declarationType", "IMPORT", "client", "own", "go", "next").expect(h, http.StatusSeeOther)
		a := o.post("/declarations/form/"+form+"/check", "go", "save")
		a.expect(h, http.StatusSeeOther)
		id := regexp.MustCompile(`/declarations/([0-9a-f-]{36})`).FindStringSubmatch(a.header.Get("Location"))[1]
		o.get("/declarations/"+id).expect(h, http.StatusOK, "Made from", "invoice.pdf", "order.eml", "/declarations/"+id+"/file?part="+file)
		if got := o.get("/declarations/" + id + "/file?part=" + file); got.body != string(documents.PDF(sourceInvoice, documents.Packed)) {
			h.Error("the page of the declaration gives another file")
		}
		var shown struct{ SourceDocuments []attachment.Source }
		stored := o.stored(customs.DeclarationKind, id)
		h.must(json.Unmarshal(stored.Added, &shown))
		if all := shown.SourceDocuments; len(all) != 2 || all[0].ID != file || all[0].DocumentType != "invoice" || all[0].MediaType != attachment.PDF || all[1].DocumentType != "email" {
			h.Fatalf("the declaration names %+v", shown.SourceDocuments)
		}
		h.must(o.app.Store.View(o.Context(), o.org, func(tx *store.Tx) error {
			kept, err := tx.Attachment(id, file)
			if err != nil {
				return err
			}
			content, err := attachment.Content(tx, &kept)
			if !bytes.Equal(content, documents.PDF(sourceInvoice, documents.Packed)) || kept.SHA256 != shown.SourceDocuments[0].SHA256 {
				h.Error("the kept file is another one")
			}
			return err
		}))
	})
}

// A value that was changed can be taken from the document again, also that of another step.
func TestTakeFoundValue(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Customs Ltd", "olive@example.com")
	form, _ := o.withInvoice()
	o.post("/declarations/form/"+form+"/journey", "shipment.counterpartyName", "Another", "go", "take:items[0].netMassKg").expect(h, http.StatusOK, `value="Another"`, "The invoice says")
	o.post("/declarations/form/"+form+"/journey", "go", "take:shipment.counterpartyName").expect(h, http.StatusOK, `value="Chittagong Knitwear Ltd"`)
}

// Files of a form that is discarded, or from which they are removed, are deleted.
func TestSourcesOfDiscardedForm(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Customs Ltd", "olive@example.com")
		size := func() (bytes int64) {
			h.must(o.app.Store.View(o.Context(), o.org, func(tx *store.Tx) (err error) { bytes, err = tx.AttachmentBytes(); return err }))
			return bytes
		}
		form, file := o.withInvoice()
		before := size()
		o.post("/declarations/form/"+form+"/files/"+file+"/remove", "at", "journey").expect(h, http.StatusSeeOther)
		o.get("/declarations/form/"+form+"/files/"+file).expect(h, http.StatusNotFound)
		o.get("/declarations/form/"+form+"/journey").expect(h, http.StatusOK, `value="Chittagong Knitwear Ltd"`)
		if after := size(); after <= 0 || after >= before {
			h.Errorf("%d bytes before and %d after one file was removed", before, after)
		}
		o.post("/declarations/form/"+form+"/discard").expect(h, http.StatusSeeOther)
		if left := size(); left != 0 {
			h.Errorf("%d bytes are left", left)
		}
	})
}

// Files that are added while a declaration is corrected belong to it at once; the audit trail says so.
func TestSourcesOfCorrection(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Customs Ltd", "olive@example.com")
	id := anEditable(o)
	o.sendDocument("/declarations/form/"+id+"/files", "invoice.pdf", string(documents.PDF(sourceInvoice, documents.Packed)), "at", "journey").expect(h, http.StatusSeeOther)
	o.get("/declarations/"+id).expect(h, http.StatusOK)
	var shown struct{ SourceDocuments []attachment.Source }
	stored := o.stored(customs.DeclarationKind, id)
	h.must(json.Unmarshal(stored.Added, &shown))
	if len(shown.SourceDocuments) != 1 {
		t.Fatalf("%s", stored.Added)
	}
	o.post("/declarations/form/"+id+"/files/"+shown.SourceDocuments[0].ID+"/remove", "at", "journey").expect(h, http.StatusBadRequest, "stays there")
	o.post("/declarations/form/"+id+"/check", "go", "save").expect(h, http.StatusSeeOther)
}

// Of several files, one that cannot be read is left out with its reason. A single one is refused at its field.
func TestUnreadableSources(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Customs Ltd", "olive@example.com")
	o.sendDocument("/declarations/new/document", "invoice.pdf", "%PDF-1.7 damaged", "documentType", "").expect(h, http.StatusBadRequest, "is a damaged PDF document")
	o.sendDocument("/declarations/new/document", "empty.eml", "Subject: nothing\r\n\r\nNo file.", "documentType", "").expect(h, http.StatusBadRequest, "cannot be read")
	message := "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Disposition: attachment; filename=odd.pdf\r\n\r\n%PDF-1.7 damaged\r\n--b\r\nContent-Disposition: attachment; filename=list.csv\r\n\r\nInvoice No;7\nCurrency;GBP\n\r\n--b--\r\n"
	a := o.sendDocument("/declarations/new/document", "order.eml", message, "documentType", "")
	a.expect(h, http.StatusSeeOther)
	form := strings.Split(a.header.Get("Location"), "/")[3]
	o.get("/declarations/form/"+form+"/goods").expect(h, http.StatusOK, "odd.pdf was left out: it is a damaged PDF document")
}
