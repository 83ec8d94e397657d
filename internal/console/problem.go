package console

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// problem is what is wrong with a form: by field, and as a whole.
type problem struct {
	Message string // where no field is named
	Fields  []fieldProblem
}

type fieldProblem struct{ Field, Message string }

// problemOf puts what is wrong in sentences that begin with what a field is called.
func problemOf(f *fault.Error, label func(field string) string) *problem {
	p := &problem{}
	for _, d := range f.Details {
		p.Fields = append(p.Fields, fieldProblem{d.Field, label(d.Field) + " " + d.Message})
	}
	if p.Fields == nil {
		p.Message = f.Message
	}
	return p
}

// labels are what the fields of the console's own forms are called where something is
// wrong with them. The forms of filings have theirs from the Definitions.
var labels = map[string]string{
	"organisation": "The organisation's name", "name": "The name", "email": "The e-mail address", "password": "The password", "current": "The current password",
	"eori": "The EORI number", "vatNumber": "The VAT registration number", "country": "The country", "role": "The role", "days": "The number of days",
	"addressLine1": "Address line 1", "addressLine2": "Address line 2", "city": "The town or city", "postcode": "The postcode",
	"contactName": "The name of the contact", "contactEmail": "The contact's e-mail address",
	"representation": "The representation", "defermentAccount": "The deferment account number",
}

func labelOf(field string) string {
	if label, ok := labels[field]; ok {
		return label
	}
	return field
}

// of is what is wrong with a field.
func (p *problem) of(field string) string {
	if p == nil {
		return ""
	}
	for _, f := range p.Fields {
		if f.Field == field {
			return f.Message
		}
	}
	return ""
}

var statuses = map[fault.Code]int{
	fault.InvalidRequest: http.StatusBadRequest, fault.InvalidState: http.StatusBadRequest, fault.EndpointPaused: http.StatusBadRequest,
	fault.Unauthorized: http.StatusUnauthorized, fault.HubNotEnabled: http.StatusPaymentRequired,
	fault.OwnerRoleRequired: http.StatusForbidden, fault.ReadOnlyKey: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.MethodNotAllowed: http.StatusMethodNotAllowed,
	fault.HubAlreadyEnabled: http.StatusConflict, fault.HubNotBookable: http.StatusConflict, fault.HubFoundational: http.StatusConflict,
	fault.PayloadTooLarge: http.StatusRequestEntityTooLarge, fault.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.RateLimited: http.StatusTooManyRequests, fault.CustomsUnreachable: http.StatusBadGateway, fault.CustomsRejected: http.StatusBadGateway,
	fault.ShuttingDown: http.StatusServiceUnavailable, fault.StoreUnavailable: http.StatusServiceUnavailable,
}

func statusOf(code fault.Code) int {
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// fail shows what went wrong. Of a fault of ours nobody sees the text.
func (v *visit) fail(err error) {
	f, ok := fault.As(err)
	if !ok {
		v.Log.Error("page failed", "requestId", v.visitor.RequestID, "error", err)
		f = fault.New(fault.Internal, "Something went wrong on our side, and it has been noted. Try again, and tell the operator the number below if it stays.")
	} else if cause := f.Unwrap(); cause != nil {
		v.Log.Warn("page refused", "requestId", v.visitor.RequestID, "error", err)
	}
	v.status = statusOf(f.Code)
	if err := v.show("problem", headings[v.status], f.Message); err != nil {
		v.Log.Error("cannot show a problem", "requestId", v.visitor.RequestID, "error", err)
		http.Error(v.w, f.Message, v.status)
	}
}

// headings of the page that says what went wrong.
var headings = map[int]string{
	http.StatusBadRequest: "This cannot be done", http.StatusForbidden: "You may not do this", http.StatusNotFound: "Page not found",
	http.StatusPaymentRequired: "This Hub is not enabled", http.StatusConflict: "This cannot be done now", http.StatusTooManyRequests: "Too many requests",
	http.StatusUnauthorized: "Sign in first", http.StatusServiceUnavailable: "The service is not available", http.StatusBadGateway: "Customs does not answer",
	http.StatusRequestEntityTooLarge: "This is too large", http.StatusUnsupportedMediaType: "This kind of file is not taken",
	http.StatusMethodNotAllowed: "This cannot be done", http.StatusInternalServerError: "Something went wrong",
}
