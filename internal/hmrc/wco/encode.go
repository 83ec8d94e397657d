package wco

import "strconv"

// The envelope of every declaration. It includes the first line of the declaration, which sets the default namespace.
const (
	head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<md:MetaData xmlns:md="` + metaSpace + `" xmlns="` + decSpace + `">` +
		`<md:WCODataModelVersionCode>3.6</md:WCODataModelVersionCode>` +
		`<md:WCOTypeName>DEC</md:WCOTypeName>` +
		`<md:ResponsibleCountryCode>GB</md:ResponsibleCountryCode>` +
		`<md:ResponsibleAgencyName>HMRC</md:ResponsibleAgencyName>` +
		`<md:AgencyAssignedCustomizationVersionCode>v2.1</md:AgencyAssignedCustomizationVersionCode>`
	tail = "</md:MetaData>\n"
)

// Encode returns the XML document for CDS: valid by HMRC's schema, and the same bytes for the same declaration. Empty
// values are left out, and free text is cut to the schema's length. Any other value that the schema does not allow is
// an *ElementError. The schema does not check completeness.
func (d Declaration) Encode() ([]byte, error) {
	const header, item = 3 << 10, 2 << 10 // about what most need
	return d.Append(make([]byte, 0, header+item*len(d.GoodsShipment.GovernmentAgencyGoodsItem)))
}

// Append appends the document to a buffer; after an error dst is unchanged.
func (d Declaration) Append(dst []byte) ([]byte, error) {
	e := encoder{out: append(dst, head...)}
	e.class("Declaration", -1, &d)
	if e.err != nil {
		return dst, e.err
	}
	return append(e.out, tail...), nil
}

// encoder writes fields that are not empty.
type encoder struct {
	out   []byte
	place int // of the class being written, among its like
	err   error
}

// class writes an element, and removes it if it is empty.
func (e *encoder) class(name string, place int, c class) {
	if e.err != nil {
		return
	}
	start := len(e.out)
	e.out = append(append(append(e.out, '<'), name...), '>')
	inside, outer := len(e.out), e.place
	e.place = place
	c.fields(e)
	e.place = outer
	switch {
	case e.err != nil:
		e.err = within(e.err, name, place)
	case len(e.out) == inside:
		e.out = e.out[:start]
	default:
		e.close(name)
	}
}

func (e *encoder) another(name string, had, length int) bool {
	if length > maxRepeat {
		e.fail(name, ErrInvalid, "more than "+strconv.Itoa(maxRepeat))
		return false
	}
	return had < length && e.err == nil
}

func (e *encoder) leaf(name string, value *string, f format) {
	if content := e.content(name, *value, f); content != "" {
		e.out = append(append(append(e.out, '<'), name...), '>')
		e.out = appendEscaped(e.out, content)
		e.close(name)
	}
}

func (e *encoder) qualified(name string, value *string, f format, unit attribute, of *string) {
	content := e.content(name, *value, f)
	if content == "" {
		return
	}
	e.out = append(append(e.out, '<'), name...)
	if name == dateTimeString {
		e.out = append(e.out, ` xmlns="`+typeSpace+`"`...)
	}
	if qualifier := e.content(name+"@"+unit.name, *of, unit.format); qualifier != "" {
		e.out = append(append(append(e.out, ' '), unit.name...), `="`...)
		e.out = append(appendEscaped(e.out, qualifier), '"')
	}
	e.out = append(e.out, '>')
	e.out = appendEscaped(e.out, content)
	e.close(name)
}

// content returns the encoded value, or an empty string.
func (e *encoder) content(name, value string, f format) string {
	if e.err != nil {
		return ""
	}
	content := tidy(value)
	if content == "" && f.counted {
		content = strconv.Itoa(e.place + 1)
	}
	if content == "" {
		if f.required {
			e.fail(name, ErrMissing, "")
		}
		return ""
	}
	if f.kind == prose {
		content = truncate(content, f.max)
	}
	if problem := f.check(content); problem != "" {
		e.fail(name, ErrInvalid, problem)
		return ""
	}
	return content
}

func (e *encoder) close(name string) {
	e.out = append(append(append(e.out, "</"...), name...), '>')
}

func (e *encoder) fail(name string, reason error, detail string) {
	if e.err == nil {
		e.err = &ElementError{Path: name, Reason: reason, Detail: detail}
	}
}

// appendEscaped writes tidy text, whose only white space is single spaces.
func appendEscaped(dst []byte, text string) []byte {
	done := 0
	for at := range len(text) {
		var reference string
		switch text[at] {
		case '&':
			reference = "&amp;"
		case '<':
			reference = "&lt;"
		case '>':
			reference = "&gt;"
		case '"':
			reference = "&quot;"
		default:
			continue
		}
		dst = append(append(dst, text[done:at]...), reference...)
		done = at + 1
	}
	return append(dst, text[done:]...)
}
