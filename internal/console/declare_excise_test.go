package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const (
	exciseExport = `{"category":"ALCOHOL","movementType":"EXPORT","dispatcherName":"Speyside","dispatcherExciseNumber":"GBWK002281023","consigneeName":"Ginza","productCode":"S200","productDescription":"Whisky for Tokyo"}`
	exciseAtHome = `{"category":"ALCOHOL","movementType":"DOMESTIC","dispatcherName":"Speyside","dispatcherExciseNumber":"GBWK002281023","consigneeName":"Thames","productCode":"S200","productDescription":"Whisky for London"}`
)

// arcOf reads the ARC of a movement.
func (p *user) arcOf(id string) string {
	p.Helper()
	f := p.stored(emcs.Movements.Kind, id)
	var added struct{ ARC string }
	p.must(json.Unmarshal(f.Added, &added))
	return added.ARC
}

// The documents of an export declaration offer the ARCs of movements of the organisation that are exports and that EMCS has accepted. A person adds one, once; it is
// named as simulated if no authority gave it. Imports, other movements and other organisations' have none.
func TestExciseMovementsInDocuments(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "pat@example.com")
	export := aFiling(emcs.Movements.Kind, exciseExport, lifecycle.Submit, lifecycle.MarkAccepted)(p)
	home := aFiling(emcs.Movements.Kind, exciseAtHome, lifecycle.Submit, lifecycle.MarkAccepted)(p)
	waiting := aFiling(emcs.Movements.Kind, exciseExport, lifecycle.Submit)(p)
	foreign := aFiling(emcs.Movements.Kind, exciseExport, lifecycle.Submit, lifecycle.MarkAccepted)(other)
	arc := p.arcOf(export)

	documents := step(p.beginDeclaration(), worksheet.StepDocuments)
	if text := p.get(documents).body; strings.Contains(text, arc) {
		t.Error("an import offers an ARC")
	}
	at := p.post("/declarations/new", "declarationType", "EXPORT", "client", "own", "go", "next").redirect(p)
	for _, page := range []string{step(at, worksheet.StepDocuments), step(at, "page")} {
		shown := p.get(page)
		shown.expect(h, http.StatusOK, arc, "Whisky for Tokyo", "SIMULATED", `value="add-excise:`+export)
		for _, id := range []string{home, waiting, foreign} {
			if strings.Contains(shown.body, id) {
				t.Errorf("%s offers %s", page, id)
			}
		}
	}
	documents = step(at, worksheet.StepDocuments)
	p.post(documents, "go", "add-excise:"+home).expect(h, http.StatusBadRequest, "no export with an ARC")
	p.post(documents, "go", "add-excise:"+foreign).expect(h, http.StatusNotFound)
	p.post(documents, "go", "add-excise:"+export).redirect(h)
	added := p.get(documents)
	added.expect(h, http.StatusOK, `value="C651"`, `value="`+arc+`"`)
	if strings.Contains(added.body, "add-excise:"+export) {
		t.Error("the ARC is offered twice")
	}
	p.post(documents, "documents[0].type", "C651", "documents[0].reference", arc, "go", "add-excise:"+export).redirect(h)
	if n := strings.Count(p.get(documents).body, `value="C651"`); n != 1 {
		t.Errorf("%d documents", n)
	}
}
