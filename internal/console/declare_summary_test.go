package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// entrySummaryOf is an entry summary declaration of a transport document.
func entrySummaryOf(document string) string {
	return `{"filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star","consignorName":"Busan","consigneeName":"Harbour","transportDocNumber":"` + document + `","portOfLoading":"KRPUS","portOfUnloading":"GBFXT"}`
}

// The documents of an import declaration offer the MRNs of accepted entry summary declarations of the same transport document or container. A
// person adds one, once, as previous document Z 355; it is named as simulated if no authority gave it. Exports, other shipments, filings that are not
// accepted and other organisations' have none.
func TestEntrySummariesInDocuments(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "pat@example.com")
	same := aFiling(ics2.Filings.Kind, entrySummaryOf("NSLU260411987"), lifecycle.Submit, lifecycle.MarkAccepted)(p)
	apart := aFiling(ics2.Filings.Kind, entrySummaryOf("NSLU260411988"), lifecycle.Submit, lifecycle.MarkAccepted)(p)
	waiting := aFiling(ics2.Filings.Kind, entrySummaryOf("NSLU260411987"), lifecycle.Submit)(p)
	foreign := aFiling(ics2.Filings.Kind, entrySummaryOf("NSLU260411987"), lifecycle.Submit, lifecycle.MarkAccepted)(other)
	var added struct{ MRN string }
	p.must(json.Unmarshal(p.stored(ics2.Filings.Kind, same).Added, &added))

	at := p.beginDeclaration()
	documents := step(at, worksheet.StepDocuments)
	if text := p.get(documents).body; strings.Contains(text, "add-summary:") {
		t.Error("a filing is offered to a declaration that shares nothing with it")
	}
	document := []string{"documents[0].type", "N705", "documents[0].reference", "NSLU 260411987"}
	p.post(documents, "go", "add-document").redirect(h)
	p.post(documents, append(document, "go", "next")...).redirect(h)
	for _, page := range []string{documents, step(at, "page")} {
		shown := p.get(page)
		shown.expect(h, http.StatusOK, added.MRN, "also has NSLU260411987", "SIMULATED", `value="add-summary:`+same)
		for _, id := range []string{apart, waiting, foreign} {
			if strings.Contains(shown.body, "add-summary:"+id) {
				t.Errorf("%s offers %s", page, id)
			}
		}
	}
	p.post(documents, append(document, "go", "add-summary:"+waiting)...).expect(h, http.StatusBadRequest, "not accepted")
	p.post(documents, append(document, "go", "add-summary:"+foreign)...).expect(h, http.StatusNotFound)
	for range 2 {
		p.post(documents, append(document, "go", "add-summary:"+same)...).redirect(h)
	}
	text := p.get(documents)
	text.expect(h, http.StatusOK, "Previous document Z 355", added.MRN)
	if n := strings.Count(text.body, "Previous document Z 355"); n != 1 || strings.Contains(text.body, "add-summary:"+same) {
		t.Errorf("%d previous documents; it may be offered twice", n)
	}
	export := p.post("/declarations/new", "declarationType", "EXPORT", "client", "own", "go", "next").redirect(p)
	p.post(step(export, worksheet.StepDocuments), "go", "add-document").redirect(h)
	p.post(step(export, worksheet.StepDocuments), append(document, "go", "next")...).redirect(h)
	if text := p.get(step(export, worksheet.StepDocuments)).body; strings.Contains(text, "add-summary:") {
		t.Error("an export offers an entry summary declaration")
	}
}
