package notification

import (
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Report is the output of `tidewaiter customs decode` for one Response, or for a file that could not be decoded.
type Report struct {
	File           string        `json:"file"`
	FunctionCode   string        `json:"functionCode"`
	Name           string        `json:"name"`
	ConversationID string        `json:"conversationId"` // always empty: it is in the delivery's header and not in the message
	MessageID      string        `json:"messageId"`
	MRN            string        `json:"mrn"`
	LRN            string        `json:"lrn"`
	IssuedAt       *string       `json:"issuedAt"`
	Errors         []ErrorReport `json:"errors"`
	Taxes          []TaxReport   `json:"taxes"`
	OK             bool          `json:"ok"`
	Error          string        `json:"error,omitempty"`
}

// ErrorReport is an error: the pointer, and the input field.
type ErrorReport struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Field   string `json:"field"`
}

// TaxReport is a tax line; null means that the message has no value.
type TaxReport struct {
	Item     int             `json:"item"`
	Type     string          `json:"type"`
	Assessed *quantity.Money `json:"assessed"`
	Payable  *quantity.Money `json:"payable"`
}

// Reports returns a report for every Response of a file, in order. It never fails: a file that cannot be decoded gives
// one report with the reason.
func Reports(file string, data []byte) []Report {
	all, err := Decode(data)
	if errors.Is(err, ErrUnknownDocument) {
		if answer, wrong := inventory.Decode(data); wrong == nil {
			return []Report{reportAnswer(file, &answer)}
		}
	}
	if err != nil {
		return []Report{{File: file, Errors: []ErrorReport{}, Taxes: []TaxReport{}, Error: err.Error()}}
	}
	reports := make([]Report, len(all))
	for i, n := range all {
		reports[i] = report(file, n)
	}
	return reports
}

// reportAnswer reports an answer of inventory linking: its kind as the name, its message code as the function code.
func reportAnswer(file string, a *inventory.Response) Report {
	r := Report{File: file, FunctionCode: a.MessageCode, Name: a.Kind, Errors: make([]ErrorReport, len(a.Errors)), Taxes: []TaxReport{}, OK: true}
	for i, code := range a.Errors {
		r.Errors[i] = ErrorReport{Code: code}
	}
	return r
}

func report(file string, n Notification) Report {
	r := Report{
		File:         file,
		FunctionCode: n.FunctionCode,
		Name:         n.Name,
		MessageID:    n.MessageID,
		MRN:          n.MRN,
		LRN:          n.LRN,
		IssuedAt:     n.IssuedAt.report(),
		Errors:       make([]ErrorReport, len(n.Errors)),
		Taxes:        make([]TaxReport, len(n.Taxes)),
		OK:           true,
	}
	for i, e := range n.Errors {
		p := e.Pointer()
		r.Errors[i] = ErrorReport{Code: e.Code, Pointer: p.String(), Field: p.Field()}
	}
	for i, t := range n.Taxes {
		r.Taxes[i] = TaxReport{Item: t.Item, Type: t.Type, Assessed: t.Assessed.Value, Payable: t.Payable.Value}
	}
	return r
}

// report returns RFC 3339 in UTC with milliseconds, or null if the instant is not a date.
func (i Instant) report() *string {
	if i.Time.IsZero() {
		return nil
	}
	text := i.Time.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	return &text
}
