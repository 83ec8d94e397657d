package extract_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
)

// Any answer of a model is refused or gives a valid extraction, and no name is accepted that
// is not in the document.
func FuzzAnswer(f *testing.F) {
	const paper = "COMMERCIAL INVOICE\nInvoice No: A-17\nSeller: Meghna Garments\nTotal: GBP 1,850.00\nCotton T-shirts 600 pcs 1,850.00\n"
	for _, answer := range []string{
		`{}`, `null`, `[]`, `{"documentNumber":"A-17","seller":{"name":"Meghna Garments"},"lines":[{"description":"Cotton T-shirts","quantity":600,"amount":"1,850.00"}]}`,
		`{"lines":[{"description":"Gold"},{}],"documentNumber":1e400}`, `{"seller":{"name":"Elsewhere Ltd"}}`,
	} {
		f.Add(answer)
	}
	engine := extract.New()
	f.Fuzz(func(t *testing.T, answer string) {
		opened, err := engine.Open(context.Background(), extract.Request{File: []byte(paper), DocumentType: extract.Invoice})
		if err != nil {
			t.Fatal(err)
		}
		found, err := opened.Complete(json.RawMessage(answer))
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Errorf("%d bytes of refusal", len(err.Error()))
			}
			return
		}
		raw, err := json.Marshal(found)
		if err != nil || found.Confidence < 0 || found.Confidence > 100 {
			t.Errorf("%s gives confidence %d: %v", answer, found.Confidence, err)
		}
		if strings.Contains(string(raw), "Elsewhere Ltd") {
			t.Errorf("%s was believed: %s", answer, raw)
		}
	})
}
