package cdssim

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// maxDetails is the maximum number of schema errors in an answer.
const maxDetails = 25

// refusal is an error answer of CDS.
type refusal struct {
	XMLName xml.Name `xml:"errorResponse"`
	Code    string   `xml:"code"`
	Message string   `xml:"message"`
	Details *details `xml:"errors"` // nil for an error without any: the element may not be empty
	status  int
}

type details struct {
	Errors []detail `xml:"error"`
}

type detail struct {
	Code    string `xml:"code"`
	Message string `xml:"message"`
}

func (r *refusal) Error() string {
	return fmt.Sprintf("simulator: %d %s: %s", r.status, r.Code, r.Message)
}

// Error answers of CDS, in the order of its checks.
var (
	notFound      = &refusal{status: http.StatusNotFound, Code: "NOT_FOUND", Message: "Resource was not found"}
	notAcceptable = &refusal{status: http.StatusNotAcceptable, Code: "ACCEPT_HEADER_INVALID", Message: "The accept header is missing or invalid"}
	notXML        = &refusal{status: http.StatusUnsupportedMediaType, Code: "UNSUPPORTED_MEDIA_TYPE", Message: "The content type header is missing or invalid"}
	unauthorised  = &refusal{status: http.StatusUnauthorized, Code: "UNAUTHORIZED", Message: "Unauthorised request"}
	notWellFormed = &refusal{status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "Request body does not contain a well-formed XML document."}
	unavailable   = &refusal{status: http.StatusServiceUnavailable, Code: "SERVER_ERROR", Message: "Service Unavailable"}
	failed        = &refusal{status: http.StatusInternalServerError, Code: "INTERNAL_SERVER_ERROR", Message: "Internal server error"}
)

// invalidSchema returns the schema errors in the words of the validator.
func invalidSchema(problems ...string) *refusal {
	list := &details{}
	for _, problem := range problems[:min(len(problems), maxDetails)] {
		list.Errors = append(list.Errors, detail{Code: "xml_validation_error", Message: problem})
	}
	return &refusal{status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "Payload is not valid according to schema", Details: list}
}

// decode decodes a declaration, or returns the error answer.
func decode(document []byte) (wco.Declaration, error) {
	d, err := wco.Decode(document)
	var misfit *wco.ElementError
	switch {
	case err == nil:
		return d, nil
	case errors.As(err, &misfit):
		return d, invalidSchema(schemaMessage(misfit))
	}
	return d, notWellFormed
}

// schemaMessage are Xerces' messages.
func schemaMessage(e *wco.ElementError) string {
	parent, name := path.Base(path.Dir(e.Path)), path.Base(e.Path)
	parent, _, _ = strings.Cut(parent, "[")
	name, _, _ = strings.Cut(name, "[")
	switch {
	case errors.Is(e, wco.ErrMissing):
		return incomplete(parent, name)
	case errors.Is(e, wco.ErrInvalid):
		return fmt.Sprintf("cvc-type.3.1.3: The value of element '%s' is not valid. It %s.", name, e.Detail)
	}
	return fmt.Sprintf("cvc-complex-type.2.4.a: Invalid content was found starting with element '%s'.", name)
}

func incomplete(parent, name string) string {
	return fmt.Sprintf("cvc-complex-type.2.4.b: The content of element '%s' is not complete. One of '{%s}' is expected.", parent, name)
}

func enumeration(name, value, allowed string) string {
	return fmt.Sprintf("cvc-enumeration-valid: Value '%s' of element '%s' is not facet-valid with respect to enumeration '[%s]'.", value, name, allowed)
}

func (r *refusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(r.status)
	body, err := xml.Marshal(r)
	if err != nil {
		return
	}
	_, _ = w.Write(append([]byte(xml.Header), body...))
}
