package declarations

import (
	"net/url"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// outcome is the part of the filter about decisions of customs, as submitted: clearance in a period and how long it took, or
// a rejection for an error code.
type outcome struct {
	ClearedFrom, ClearedTo string // dates
	Took                   string // ID of a band
	Code                   string
	RejectedFrom           string // date
}

func readOutcome(q url.Values) outcome {
	return outcome{q.Get("clearedFrom"), q.Get("clearedTo"), q.Get("took"), q.Get("rejectedFor"), q.Get("rejectedFrom")}
}

// param is a parameter of the list's URL, with its name in words.
type param struct{ name, words, value string }

func (o outcome) fields() []param {
	return []param{
		{"clearedFrom", "Cleared from", o.ClearedFrom}, {"clearedTo", "Cleared to", o.ClearedTo}, {"took", "Time to clearance", o.Took},
		{"rejectedFor", "Rejected for", o.Code}, {"rejectedFrom", "Rejected from", o.RejectedFrom},
	}
}

// maxCode is the maximum length of an error code in bytes.
const maxCode = 20

// check returns what is wrong with the outcome in a list that may be a search.
func (o outcome) check(searches bool) (wrong []apierr.Detail) {
	for _, date := range []param{{"clearedFrom", "", o.ClearedFrom}, {"clearedTo", "", o.ClearedTo}, {"rejectedFrom", "", o.RejectedFrom}} {
		if _, err := day(date.value, 0); err != nil {
			wrong = append(wrong, apierr.Detail{Field: date.name, Message: "must be a date, such as 2026-03-31"})
		}
	}
	if _, known := bandOf(o.Took); o.Took != "" && !known {
		wrong = append(wrong, apierr.Detail{Field: "took", Message: "must be one of the choices"})
	}
	switch cleared := o.ClearedFrom != "" || o.ClearedTo != "" || o.Took != ""; {
	case len(o.Code) > maxCode:
		wrong = append(wrong, apierr.Detail{Field: "rejectedFor", Message: "must be an error code of customs, such as CDS12056"})
	case o.Code == "" && o.RejectedFrom != "":
		wrong = append(wrong, apierr.Detail{Field: "rejectedFor", Message: "is missing. Enter the error code of the rejections"})
	case o.Code != "" && cleared:
		wrong = append(wrong, apierr.Detail{Field: "rejectedFor", Message: "cannot be combined with a clearance. Remove one of them"})
	case searches && o != outcome{}:
		wrong = append(wrong, apierr.Detail{Field: "clearedFrom", Message: "cannot be combined with a search or a direction. Remove one of them"})
	}
	return wrong
}

// entries returns the ledger entries by which the list is filtered. The outcome was checked.
func (o outcome) entries() (e filing.Entries) {
	if o.Code != "" {
		e.Ledger = customs.RejectionLedger(o.Code)
		e.From, _ = day(o.RejectedFrom, 0)
		return e
	}
	if o == (outcome{}) {
		return e
	}
	e.Ledger = customs.ClearanceTime
	e.From, _ = day(o.ClearedFrom, 0)
	e.Until, _ = day(o.ClearedTo, 1)
	band, _ := bandOf(o.Took)
	e.Least, e.Below = band.Least, band.Below
	return e
}

// bandOf returns a band of the time to clearance.
func bandOf(id string) (customs.ClearanceBand, bool) {
	at := slices.IndexFunc(customs.ClearanceBands, func(b customs.ClearanceBand) bool { return b.ID == id })
	if at < 0 {
		return customs.ClearanceBand{}, false
	}
	return customs.ClearanceBands[at], true
}

// Bands are the choices of the time to clearance.
func (l *listView) Bands() []customs.ClearanceBand { return customs.ClearanceBands }
