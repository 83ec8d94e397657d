package datamodel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// Directions of a declaration.
const (
	Import = "IMPORT"
	Export = "EXPORT"
)

// Body is a declaration without the records that it belongs to.
type Body struct {
	Direction string // Import or Export
	Header    *Header
	Items     []Item
}

// Encode returns what a body declares, and nothing else. Sequence numbers are the positions where the body names none.
func Encode(body Body) wco.Declaration {
	d := wco.Declaration{FunctionCode: wco.FunctionOriginal, TypeCode: body.typeCode()}
	b := &binder{}
	bindHeader(b, body.Header, &d)
	items := make([]wco.GovernmentAgencyGoodsItem, len(body.Items))
	for at := range body.Items {
		full := body.Items[at].Expand()
		bindItem(b, at, &full, &items[at])
	}
	d.GoodsShipment.GovernmentAgencyGoodsItem = items
	return d
}

// typeCode returns DE 1/1 and 1/2.
func (b *Body) typeCode() string {
	code := b.Header.DeclarationCode
	switch {
	case code != "":
	case b.Direction == Import:
		code = importCode
	default:
		code = exportCode
	}
	return code + b.Header.AdditionalType
}

// Codes of DE 1/1.
const (
	importCode      = "IM"
	exportCode      = "EX"
	territoriesCode = "CO"
)

// NotExpressibleError says which values of a document have no JSON form.
type NotExpressibleError struct{ Faults []string }

func (e *NotExpressibleError) Error() string { return strings.Join(e.Faults, "; ") }

// errNoItem is the error of a document without goods.
var errNoItem = errors.New("the declaration has no goods item")

// Decode returns the body that declares what a document does, in short forms where they express the same. It leaves out
// what the service assigns: the LRN and the time of issue. The error is a *NotExpressibleError for values without a JSON
// form.
func Decode(d *wco.Declaration) (Body, error) {
	code, additional := dataset.Type(d)
	if !slices.Contains([]string{importCode, exportCode, territoriesCode}, code) || len(additional) != 1 || additional < "A" || additional > "Z" {
		return Body{}, &NotExpressibleError{Faults: []string{fmt.Sprintf("TypeCode: %q must be IM, EX or CO and one letter", d.TypeCode)}}
	}
	if len(d.GoodsShipment.GovernmentAgencyGoodsItem) == 0 {
		return Body{}, errNoItem
	}
	body := Body{Direction: Import, Header: &Header{}}
	if dataset.IsExport(d) {
		body.Direction = Export
	}
	b := &binder{decode: true}
	bindHeader(b, body.Header, d)
	list(b, "items", &body.Items, &d.GoodsShipment.GovernmentAgencyGoodsItem, bindItem)
	for at := range body.Items {
		body.Items[at].shorten()
	}
	body.Header.AdditionalType = additional
	if code == territoriesCode || (code == importCode) != (body.Direction == Import) {
		body.Header.DeclarationCode = code
	}
	if set, ok := dataset.Of(d); ok {
		body.Header.DataSet = string(set)
	}
	if b.faults != nil {
		return Body{}, &NotExpressibleError{Faults: b.faults}
	}
	return body, nil
}
