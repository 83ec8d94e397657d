package simulator

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// unsteered is the prefix of LRNs of this service, which have no steering.
const unsteered = "TWS"

// steering is the outcome that a reference selects.
type steering struct {
	reference string
	outcome   string // the word or letter of outcomes
}

// outcomes are the steered courses, in the notation of type course.
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

// steer reads the LRN or the first document reference; ok is false if neither selects an outcome.
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

// firstDocument returns the first document reference, header before items, without the deferment account (DE 2/6) and its
// authorisations.
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

// isAuthorisation reports whether a document is an authorisation for a deferment account (C505, C506), which the declarant's
// system adds.
func isAuthorisation(d wco.AdditionalDocument) bool {
	return d.CategoryCode == "C" && (d.TypeCode == "505" || d.TypeCode == "506")
}

// delay returns the second character as seconds.
func (s steering) delay() (time.Duration, bool) {
	if len(s.reference) < 2 || s.reference[1] < '0' || s.reference[1] > '9' {
		return 0, false
	}
	return time.Duration(s.reference[1]-'0') * time.Second, true
}

// deniesCancellation reports whether the third character is not S.
func (s steering) deniesCancellation() bool {
	return s.reference != "" && (len(s.reference) < 3 || s.reference[2] != 'S')
}

// flaw returns the error of a steered rejection.
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

// codeIn returns the CDS code at the start of a text; by default the code of an invalid value.
func codeIn(text string) string {
	const length = len("CDS00000")
	if len(text) < length || !strings.HasPrefix(text, "CDS") || strings.Trim(text[3:length], "0123456789") != "" {
		return invalidValue
	}
	return text[:length]
}

// steeredPointers are typical pointers by error code. Any other code points at the declaration.
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
