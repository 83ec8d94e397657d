package wco

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Decode decodes a document in the format of CDS: elements by namespace, in the order of the schema, with valid values.
// The error is an *ElementError if the document is XML but not a declaration, and a *safexml.Error if it is not XML
// that is safe to read. Attributes other than units, currencies and formats are ignored. The declaration shares the
// memory of one copy of the document.
func Decode(document []byte) (Declaration, error) {
	r, err := safexml.New(document)
	if err != nil {
		return Declaration{}, err
	}
	d := decoder{reader: r}
	d.advance()
	var e envelope
	d.class("MetaData", -1, &e)
	switch {
	case d.waits:
		d.fail(d.next.Name.Local, ErrUnknown, "")
	case d.err == nil && e.Declaration.FunctionCode == "":
		d.fail("MetaData/Declaration", ErrMissing, "")
	}
	if d.err != nil {
		return Declaration{}, d.err
	}
	return e.Declaration, nil
}

// envelopeNames are the elements before the declaration. The schema does not restrict their values.
var envelopeNames = [...]string{
	"WCODataModelVersionCode",
	"WCOTypeName",
	"ResponsibleCountryCode",
	"ResponsibleAgencyName",
	"AgencyAssignedCustomizationCode",
	"AgencyAssignedCustomizationVersionCode",
}

// envelope is the MetaData element around a declaration.
type envelope struct {
	declared    [len(envelopeNames)]string
	Declaration Declaration
}

func (e *envelope) fields(v visitor) {
	for i, name := range envelopeNames {
		code(v, name, &e.declared[i], 70)
	}
	one(v, "Declaration", &e.Declaration)
}

// decoder fills a field from the current element if the names match.
type decoder struct {
	reader  *safexml.Reader
	next    safexml.Token // the child that waits for its field
	waits   bool          // false at the end of the element that the reader is in
	missing string        // what the class being read cannot be without
	err     error
}

// advance moves to the next child of the current element.
func (d *decoder) advance() {
	if d.err != nil {
		return
	}
	next, ok, err := d.reader.Child()
	d.next, d.waits = next, ok
	switch {
	case errors.Is(err, io.EOF): // the root was the element just left
	case err != nil:
		d.refuse("text()", err)
	case ok && next.Name.Space != spaceOf(next.Name.Local):
		d.fail(next.Name.Local, ErrUnknown, "namespace "+strconv.Quote(next.Name.Space))
	}
}

// spaceOf returns the namespace of a name in the schema.
func spaceOf(name string) string {
	switch name {
	case "MetaData", "WCODataModelVersionCode", "WCOTypeName", "ResponsibleCountryCode", "ResponsibleAgencyName",
		"AgencyAssignedCustomizationCode", "AgencyAssignedCustomizationVersionCode":
		return metaSpace
	case dateTimeString:
		return typeSpace
	default:
		return decSpace
	}
}

func (d *decoder) has(name string) bool {
	return d.waits && d.err == nil && d.next.Name.Local == name
}

func (d *decoder) class(name string, place int, c class) {
	if !d.has(name) {
		return
	}
	outer := d.missing
	d.missing = ""
	d.advance()
	c.fields(d)
	d.complete(c)
	d.missing = outer
	if d.err != nil {
		d.err = within(d.err, name, place)
		return
	}
	d.advance()
}

// complete checks that every element has a field and every required field an element.
func (d *decoder) complete(c class) {
	name := d.next.Name.Local
	switch {
	case d.waits && (&nameSearch{name: name}).in(c):
		d.fail(name, ErrMisplaced, "")
	case d.waits:
		d.fail(name, ErrUnknown, "")
	case d.missing != "":
		d.fail(d.missing, ErrMissing, "")
	}
}

func (d *decoder) another(name string, had, _ int) bool {
	if !d.has(name) {
		return false
	}
	if had == maxRepeat {
		d.fail(name, ErrInvalid, "more than "+strconv.Itoa(maxRepeat))
	}
	return d.err == nil
}

func (d *decoder) leaf(name string, value *string, f format) {
	switch {
	case d.has(name):
		*value = d.content(name, f)
		d.advance()
	case f.required && d.missing == "":
		d.missing = name
	}
}

func (d *decoder) qualified(name string, value *string, f format, unit attribute, of *string) {
	if d.has(name) {
		*of = d.checked(name+"@"+unit.name, d.next.Attr(unit.name), unit.format)
		*value = d.content(name, f)
		d.advance()
	}
}

// content returns the value of the current element.
func (d *decoder) content(name string, f format) string {
	raw, err := d.reader.Text()
	if err != nil {
		d.refuse(name, err)
		return ""
	}
	if (f.kind == prose || f.kind == exact) && strings.ContainsAny(raw, "\r\n") {
		d.fail(name, ErrInvalid, "must be on one line")
		return ""
	}
	f.required = true // an element that is there cannot be empty
	return d.checked(name, raw, f)
}

func (d *decoder) checked(name, raw string, f format) string {
	value := tidy(raw)
	if value == "" {
		if f.required {
			d.fail(name, ErrMissing, "")
		}
		return ""
	}
	if problem := f.check(value); problem != "" {
		d.fail(name, ErrInvalid, problem)
		return ""
	}
	return value
}

func (d *decoder) fail(name string, reason error, detail string) {
	if d.err == nil {
		d.err = &ElementError{Path: name, Line: d.reader.Line(), Reason: reason, Detail: detail}
	}
}

// refuse converts an error of the reader. Text between elements is well-formed XML, so it is an error of the schema.
func (d *decoder) refuse(name string, err error) {
	var fault *safexml.Error
	if errors.As(err, &fault) && errors.Is(err, safexml.ErrContent) {
		d.fail(name, ErrInvalid, fault.Detail)
		return
	}
	if d.err == nil {
		d.err = err
	}
}
