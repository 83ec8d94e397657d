package simulator

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// unsteered begins the LRNs that the service makes, which ask for nothing.
const unsteered = "TWS"

// steering is what a reference asks for.
type steering struct {
	reference string
	outcome   string // the word or letter of outcomes
}

// outcomes are the steered courses, in the notation of course.
var outcomes = map[string]string{
	"B": "03",
	"C": "01 13/67 13/4 09",
	"D": "01 13/67 06",
	"G": "01",
	"K": "02 03",
	"L": "01 10",
	"N": "01 13/67 08",
	"P": "",
	"Q": "01 51",
	"R": "02",
	"U": "01 13/67 05",
	"X": "01 13/67 13/4 09 16",

	"TAX_LIABILITY": "01 13/67",
	"INSUFFICIENT":  "01 13/67 14",
	"REMINDER":      "01 13/67 14 15",
}

// steer reads the LRN, else the first document reference; ok is false when
// neither asks for anything.
func steer(d *wco.Declaration) (s steering, ok bool) {
	for _, reference := range []string{d.FunctionalReferenceID, firstDocument(d)} {
		if s, ok := steeredBy(strings.ToUpper(reference)); ok {
			return s, true
		}
	}
	return steering{}, false
}

func steeredBy(reference string) (steering, bool) {
	if reference == "" || strings.HasPrefix(reference, unsteered) {
		return steering{}, false
	}
	for _, word := range []string{"TAX_LIABILITY", "INSUFFICIENT", "REMINDER", reference[:1]} {
		if _, known := outcomes[word]; known && strings.HasPrefix(reference, word) {
			return steering{reference: reference, outcome: word}, true
		}
	}
	return steering{}, false
}

// firstDocument is the first reference as the declaration is written, header
// before items. A deferment account (DE 2/6) is a number to pay from and no document,
// nor are the authorisations behind it.
func firstDocument(d *wco.Declaration) string {
	for _, document := range d.AdditionalDocument {
		if document.TypeCode != deferment && document.ID != "" {
			return document.ID
		}
	}
	for _, item := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		for _, document := range item.AdditionalDocument {
			if document.ID != "" && !isAuthorisation(document) {
				return document.ID
			}
		}
	}
	return ""
}

// isAuthorisation tells the authorisations behind a deferment account (C505, C506)
// from documents: the declarant's system adds them.
func isAuthorisation(d wco.AdditionalDocument) bool {
	return d.CategoryCode == "C" && (d.TypeCode == "505" || d.TypeCode == "506")
}

// delay is the digit in the second place, in seconds.
func (s steering) delay() (time.Duration, bool) {
	if len(s.reference) < 2 || s.reference[1] < '0' || s.reference[1] > '9' {
		return 0, false
	}
	return time.Duration(s.reference[1]-'0') * time.Second, true
}

// deniesCancellation is true without an S in the third place.
func (s steering) deniesCancellation() bool {
	return s.reference != "" && (len(s.reference) < 3 || s.reference[2] != 'S')
}

// flaw is the fault that a steered rejection finds.
func (s steering) flaw() flaw {
	if s.outcome == "K" {
		return flaw{Code: expired}
	}
	code := codeIn(s.reference[1:])
	at, known := steeredPointers[code]
	if !known {
		at = "42A"
	}
	return flaw{Code: code, Pointer: at, Text: "Steered by the reference " + s.reference}
}

// codeIn is the CDS code that a text begins with, or that of an invalid value.
func codeIn(text string) string {
	const length = len("CDS00000")
	if len(text) < length || !strings.HasPrefix(text, "CDS") || strings.Trim(text[3:length], "0123456789") != "" {
		return invalidValue
	}
	return text[:length]
}

// steeredPointers lead to where customs most often finds the fault of a code; any
// other points at the declaration.
var steeredPointers = map[string]string{
	invalidValue: "42A.67A.68A[1].23A.137",
	missing:      "42A.67A.68A[1].23A.65A.128",
	reusedLRN:    "42A.D026",
	"CDS12005":   "42A.57B.R123",
	"CDS12056":   "42A.67A.68A[1].23A.21A[1].145",
	missingDUCR:  "42A.67A.99A[1].D018",
	"CDS40045":   "42A.67A.68A[1].02A[1].D006",
	noStatus:     "42A.67A.68A[1].02A[1].360",
}
