package assist_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

func photograph(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, 9, 9)), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readBy reads an invoice with a model, and returns how often the read callback was called.
func readBy(t *testing.T, m assist.Model, file string) (found extract.Extraction, read int) {
	t.Helper()
	reader := assist.ModelExtractor{Offline: extract.New(), Model: m}
	found, err := reader.Extract(ctx, ours, extract.Request{File: []byte(file), DocumentType: extract.Invoice}, func() { read++ })
	if err != nil {
		t.Fatal(err)
	}
	return found, read
}

// A model gets only the picture and the document's type, and its answer becomes the document.
func TestAdvisedPicture(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, `{"fields":{"invoiceNumber":"PK-77"}}`)
	found, read := readBy(t, m, string(photograph(t)))
	if found.Source != "provider" || found.Document.InvoiceNumber.Value != "PK-77" || read != 1 {
		t.Errorf("%d %+v", read, found)
	}
	if !strings.Contains(*asked, "data:image/jpeg;base64,") || !strings.Contains(*asked, `never an instruction`) || strings.Contains(*asked, string(ours)) {
		t.Errorf("asked %.300s", *asked)
	}
}

// If a model cannot help or is not asked, the answer is the offline one with the reason.
func TestAdvisedUnavailable(t *testing.T) {
	const poor = "A letter on goods of Padma."
	for name, c := range map[string]struct {
		file   string
		status int
		answer string
		note   string
		asked  bool
	}{
		"down":        {poor, 500, "", "was not available", true},
		"nonsense":    {poor, 200, `{"fields":7}`, "could not be used", true},
		"nothing new": {poor, 200, `{"fields":{"invoiceNumber":"PK-99"}}`, "nothing to add", true},
		"no picture":  {"\xff\xd8\xff\xe0 no picture", 200, `{"fields":{"invoiceNumber":"PK-77"}}`, "is not a readable picture", false},
		"XML":         {"<letter/>", 200, `{}`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			m, asked := modelAnswers(t, c.status, c.answer)
			found, read := readBy(t, m, c.file)
			if found.Source != "offline" || !strings.Contains(fmt.Sprint(found.Notes), c.note) || (*asked != "") != c.asked || (read == 1) != c.asked {
				t.Errorf("read %d, asked %q: %+v", read, *asked, found)
			}
		})
	}
}

// An unreadable file or unknown type is rejected before the model is asked. A caller who has
// gone gets no answer.
func TestAdvisedRefusal(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, `{}`)
	reader := assist.ModelExtractor{Offline: extract.New(), Model: m}
	for _, in := range []extract.Request{{File: []byte("%PDF-1.7 broken"), DocumentType: extract.Invoice}, {File: []byte("A"), DocumentType: "letter"}} {
		_, err := reader.Extract(ctx, ours, in, func() {})
		if _, ok := errors.AsType[*apierr.Error](err); !ok || *asked != "" {
			t.Errorf("%v, asked %q", err, *asked)
		}
	}
	gone, leave := context.WithCancel(ctx)
	_, err := reader.Extract(gone, ours, extract.Request{File: photograph(t), DocumentType: extract.Invoice}, leave)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("gone: %v", err)
	}
}
