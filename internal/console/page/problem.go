package page

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Problem is what is wrong with a form: by field, and as a whole.
type Problem struct {
	Message string // where no field is named
	Fields  []FieldError
}

// FieldProblem is what is wrong with a field.
type FieldError struct{ Field, Message string }

// problemOf puts what is wrong in sentences that begin with what a field is called.
func problemOf(f *apierr.Error, label func(field string) string) *Problem {
	p := &Problem{}
	for _, d := range f.Details {
		p.Fields = append(p.Fields, FieldError{d.Field, label(d.Field) + " " + d.Message})
	}
	if p.Fields == nil {
		p.Message = f.Message
	}
	return p
}

func (s *Site) labelOf(field string) string {
	if label, ok := s.labels[field]; ok {
		return label
	}
	return field
}

// Of is what is wrong with a field.
func (p *Problem) Of(field string) string {
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

var statuses = map[apierr.Code]int{
	apierr.InvalidRequest: http.StatusBadRequest, apierr.InvalidState: http.StatusBadRequest, apierr.EndpointPaused: http.StatusBadRequest,
	apierr.Unauthorized: http.StatusUnauthorized, apierr.HubNotEnabled: http.StatusPaymentRequired,
	apierr.OwnerRoleRequired: http.StatusForbidden, apierr.ReadOnlyKey: http.StatusForbidden, apierr.SignInAgain: http.StatusForbidden,
	apierr.NotFound: http.StatusNotFound, apierr.MethodNotAllowed: http.StatusMethodNotAllowed,
	apierr.HubAlreadyEnabled: http.StatusConflict, apierr.HubNotBookable: http.StatusConflict, apierr.HubFoundational: http.StatusConflict,
	apierr.PayloadTooLarge: http.StatusRequestEntityTooLarge, apierr.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	apierr.RateLimited: http.StatusTooManyRequests, apierr.CustomsUnreachable: http.StatusBadGateway, apierr.CustomsRejected: http.StatusBadGateway,
	apierr.HMRCUnreachable: http.StatusBadGateway, apierr.HMRCRejected: http.StatusBadRequest,
	apierr.ShuttingDown: http.StatusServiceUnavailable, apierr.StoreUnavailable: http.StatusServiceUnavailable,
	apierr.Overloaded: http.StatusServiceUnavailable, apierr.DiskFull: http.StatusServiceUnavailable,
}

func statusOf(code apierr.Code) int {
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// fail shows what went wrong. Of a fault of ours nobody sees the text.
func (c *Context) fail(err error) {
	if c.clientGone(err) {
		return
	}
	f, ok := apierr.As(err)
	if !ok {
		c.Log.ErrorContext(c.R.Context(), "page failed", "requestId", c.Visitor.RequestID, "error", err)
		f = apierr.New(apierr.Internal, "Something went wrong on our side, and it has been noted. Try again, and tell the operator the number below if it stays.")
	} else if cause := f.Unwrap(); cause != nil {
		c.Log.WarnContext(c.R.Context(), "page refused", "requestId", c.Visitor.RequestID, "error", err)
	}
	c.Status = statusOf(f.Code)
	c.retryAfter(f)
	if f.Wait == 0 && c.Status == http.StatusServiceUnavailable {
		c.W.Header().Set("Retry-After", apierr.RetryAfter)
	}
	if c.api {
		c.failAPI(f)
		return
	}
	if err := c.Show("problem", headings[c.Status], f.Message); err != nil && !c.clientGone(err) {
		c.Log.ErrorContext(c.R.Context(), "cannot show a problem", "requestId", c.Visitor.RequestID, "error", err)
		http.Error(c.W, f.Message, c.Status)
	}
}

// apiProblem is the form of an error in the API.
type apiError struct {
	Code      apierr.Code     `json:"error"`
	Message   string          `json:"message"`
	Details   []apierr.Detail `json:"details,omitempty"`
	RequestID string          `json:"requestId"`
}

// failAPI answers an error as the API does.
func (c *Context) failAPI(f *apierr.Error) {
	_ = c.Answer(c.Status, apiError{f.Code, f.Message, f.Details, c.Visitor.RequestID}) // a caller who has left needs no answer
}

// Answer sends an answer of an operation of the API.
func (c *Context) Answer(status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/json")
	c.W.WriteHeader(status)
	_, err = c.W.Write(text)
	return err
}

// retryAfter says when it is worth trying again, where the error knows that.
func (c *Context) retryAfter(f *apierr.Error) {
	if seconds := f.RetrySeconds(); seconds > 0 {
		c.W.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
}

// left tells whether something failed because the visitor has gone, who needs no page.
func (c *Context) clientGone(err error) bool {
	gone, left := apierr.GivenUp(c.R.Context(), err)
	if left {
		c.Log.InfoContext(c.R.Context(), "page given up", "requestId", c.Visitor.RequestID, "error", err)
		c.W.WriteHeader(statusOf(gone.Code))
	}
	return left
}

// headings of the page that says what went wrong.
var headings = map[int]string{
	http.StatusBadRequest: "This cannot be done", http.StatusForbidden: "You may not do this", http.StatusNotFound: "Page not found",
	http.StatusPaymentRequired: "This Hub is not enabled", http.StatusConflict: "This cannot be done now", http.StatusTooManyRequests: "Too many requests",
	http.StatusUnauthorized: "Sign in first", http.StatusServiceUnavailable: "The service is not available", http.StatusBadGateway: "Customs does not answer",
	http.StatusRequestEntityTooLarge: "This is too large", http.StatusUnsupportedMediaType: "This kind of file is not taken",
	http.StatusMethodNotAllowed: "This cannot be done", http.StatusInternalServerError: "Something went wrong",
}
