package page

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Problem is the errors of a submitted form.
type Problem struct {
	Message string // error of the whole form; empty if fields are named
	Fields  []FieldError
}

// FieldError is the error of one field.
type FieldError struct{ Field, Message string }

// problemOf makes sentences of an error's details; each begins with the label of its field.
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

// ShowErrors sets the errors of a form, each a whole sentence, for the page that is shown next. None changes nothing.
func (c *Context) ShowErrors(errors []apierr.Detail) {
	if errors == nil {
		return
	}
	c.Status, c.Problem = http.StatusBadRequest, &Problem{}
	for _, d := range errors {
		c.Problem.Fields = append(c.Problem.Fields, FieldError{d.Field, d.Message})
	}
}

func (s *Site) labelOf(field string) string {
	if label, ok := s.labels[field]; ok {
		return label
	}
	return field
}

// Of returns the error of a field; empty if there is none.
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
	apierr.ApprovalRequired: http.StatusConflict,
	apierr.NotFound:         http.StatusNotFound, apierr.MethodNotAllowed: http.StatusMethodNotAllowed,
	apierr.HubAlreadyEnabled: http.StatusConflict, apierr.HubNotBookable: http.StatusConflict, apierr.HubFoundational: http.StatusConflict,
	apierr.PreconditionFailed: http.StatusPreconditionFailed, apierr.RequestInProgress: http.StatusConflict, apierr.DeclarationIncomplete: http.StatusUnprocessableEntity,
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

// fail shows an error. The text of an internal error is logged and not shown.
func (c *Context) fail(err error) {
	if c.clientGone(err) {
		return
	}
	f, ok := apierr.As(err)
	if !ok {
		c.Log.ErrorContext(c.R.Context(), "page failed", "requestId", c.Visitor.RequestID, "error", err)
		f = apierr.New(apierr.Internal, "The service has a problem, and it has been logged. Try again. If it fails again, send the operator the request id below.")
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
	page := problemPage{Message: f.Message}
	if c.R.Method == http.MethodGet && c.Status >= http.StatusInternalServerError {
		page.Again = c.R.URL.RequestURI()
	}
	if err := c.Show("problem", headings[c.Status], page); err != nil && !c.clientGone(err) {
		c.Log.ErrorContext(c.R.Context(), "cannot show a problem", "requestId", c.Visitor.RequestID, "error", err)
		c.SignedIn = false // without the menu, which is read from the database
		if err := c.Show("problem", headings[c.Status], page); err != nil {
			http.Error(c.W, f.Message, c.Status)
		}
	}
}

// problemPage is the page of an error.
type problemPage struct {
	Message string
	Again   string // address that may work later; empty for none
}

// apiError is an error as the API sends it.
type apiError struct {
	Code      apierr.Code     `json:"error"`
	Message   string          `json:"message"`
	Details   []apierr.Detail `json:"details,omitempty"`
	RequestID string          `json:"requestId"`
}

// failAPI sends an error as the API does.
func (c *Context) failAPI(f *apierr.Error) {
	_ = c.Answer(c.Status, apiError{f.Code, f.Message, f.Details, c.Visitor.RequestID}) // fails only if the client has gone
}

// Answer sends the JSON response of an API operation.
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

// retryAfter sets Retry-After if the error has a waiting time.
func (c *Context) retryAfter(f *apierr.Error) {
	if seconds := f.RetrySeconds(); seconds > 0 {
		c.W.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
}

// clientGone reports whether err was caused by a client that closed the connection.
func (c *Context) clientGone(err error) bool {
	status, gone := apierr.Canceled(c.R.Context(), err)
	if gone {
		c.Log.InfoContext(c.R.Context(), "page given up", "requestId", c.Visitor.RequestID, "error", err)
		c.W.WriteHeader(statusOf(status.Code))
	}
	return gone
}

// headings are the headings of the error page by status.
var headings = map[int]string{
	http.StatusBadRequest: "This cannot be done", http.StatusForbidden: "You do not have permission", http.StatusNotFound: "Page not found",
	http.StatusPaymentRequired: "This Hub is not enabled", http.StatusConflict: "This cannot be done now", http.StatusTooManyRequests: "Too many requests",
	http.StatusUnauthorized: "Sign in first", http.StatusServiceUnavailable: "The service is not available", http.StatusBadGateway: "Customs does not answer",
	http.StatusRequestEntityTooLarge: "The request is too large", http.StatusUnsupportedMediaType: "This file type is not accepted",
	http.StatusMethodNotAllowed: "This cannot be done", http.StatusInternalServerError: "Something went wrong",
}
