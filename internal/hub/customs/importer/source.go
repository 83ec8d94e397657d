// Package importer makes declarations from documents that exist already as WCO XML: those of this service, of HMRC's samples,
// of other systems.
package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// MaxSize is the maximum size of a document in bytes.
const MaxSize = 20 << 20

// Source is a document that was read.
type Source struct {
	FileName string // empty if unknown
	document wco.Declaration
	body     datamodel.Body
	sha256   string
}

// Function codes of requests about a declaration.
const (
	functionRequest      = "13"
	functionCancellation = "14"
)

// Read reads a document. The error is an apierr.Invalid that names the element: the document is not XML, not a declaration by
// HMRC's schema, no original submission, or has a value that this service cannot express.
func Read(document []byte, fileName string) (*Source, error) {
	if len(document) > MaxSize {
		return nil, apierr.New(apierr.PayloadTooLarge, "A declaration can have at most %d bytes.", MaxSize)
	}
	text, err := asUTF8(document)
	if err != nil {
		return nil, err
	}
	d, err := wco.Decode(text)
	if err != nil {
		return nil, unreadable(err)
	}
	if d.FunctionCode != wco.FunctionOriginal {
		return nil, apierr.Invalid(apierr.Detail{Field: "MetaData/Declaration/FunctionCode", Message: notOriginal(&d)})
	}
	body, err := datamodel.Decode(&d)
	if err != nil {
		return nil, notExpressible(err)
	}
	sum := sha256.Sum256(document)
	return &Source{FileName: fileName, document: d, body: body, sha256: hex.EncodeToString(sum[:])}, nil
}

// unreadable returns the error of a document that is not a declaration.
func unreadable(err error) error {
	var element *wco.ElementError
	if errors.As(err, &element) {
		message := element.Reason.Error()
		if element.Detail != "" {
			message += ": " + element.Detail
		}
		return apierr.Invalid(apierr.Detail{Field: element.Path, Message: message}).WithCause(err)
	}
	var unsafe *safexml.Error
	if errors.As(err, &unsafe) {
		return apierr.Invalid(apierr.Detail{Field: "body", Message: "is not XML that can be read: " + unsafe.Fault()}).WithCause(err)
	}
	return err
}

// notOriginal says which operation a document that is no original submission belongs to.
func notOriginal(d *wco.Declaration) string {
	const form = "is %s, which is a request about a declaration. Import the original declaration, and then send %s"
	switch {
	case d.FunctionCode == functionRequest && d.TypeCode == wco.TypeInvalidation, d.FunctionCode == functionCancellation:
		return fmt.Sprintf(form, d.FunctionCode, "POST /api/declarations/{id}/cancellation")
	case d.FunctionCode == functionRequest && d.TypeCode == presentation:
		return fmt.Sprintf(form, d.FunctionCode, "POST /api/declarations/{id}/presentation")
	}
	return fmt.Sprintf(form, d.FunctionCode, "the change as a correction of the declaration")
}

// presentation is the type of a notification that goods were presented.
const presentation = "GPR"

// notExpressible returns the error of a declaration that has no JSON form.
func notExpressible(err error) error {
	var values *datamodel.NotExpressibleError
	if !errors.As(err, &values) {
		return apierr.Invalid(apierr.Detail{Field: "MetaData/Declaration/GoodsShipment/GovernmentAgencyGoodsItem", Message: "is required: " + err.Error()})
	}
	details := make([]apierr.Detail, len(values.Faults))
	for i, fault := range values.Faults {
		details[i] = apierr.Detail{Field: "MetaData/Declaration", Message: fault}
	}
	return apierr.Invalid(details...)
}
