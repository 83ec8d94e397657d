package wco

// Namespaces of the document, and of the one element from the data type schema.
const (
	metaSpace = "urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"
	decSpace  = "urn:wco:datamodel:WCO:DEC-DMS:2"
	typeSpace = "urn:wco:datamodel:WCO:Declaration_DS:DMS:2"
)

// maxRepeat limits every list. The schema limits goods items only; CDS accepts at most 99 of anything else.
const maxRepeat = 999

// class is a WCO class. Its fields method passes every field to a visitor, in the order of the schema; encoder and
// decoder use it.
type class interface {
	fields(v visitor)
}

// visitor visits the fields of a class: the encoder, the decoder, and the search for a name.
type visitor interface {
	// leaf visits an element with a value.
	leaf(name string, value *string, f format)
	// qualified visits an element whose value has a unit, currency or format in an attribute.
	qualified(name string, value *string, f format, unit attribute, of *string)
	// class visits an element with children; its position is -1 if it cannot repeat.
	class(name string, place int, c class)
	// another reports whether a list has another element.
	another(name string, had, length int) bool
}

// attribute is the attribute with the unit, currency or format of a value.
type attribute struct {
	name   string
	format format
}

var (
	currencyID = attribute{"currencyID", format{kind: capitals, max: 3}}
	unitCode   = attribute{"unitCode", format{kind: exact, max: 5}}
	formatCode = attribute{"formatCode", format{kind: listed, allowed: "102 304", required: true}}
)

// text is free text, which is cut to its length.
func text(v visitor, name string, value *string, max int) {
	v.leaf(name, value, format{kind: prose, max: max})
}

// id is a reference, which must not be cut.
func id(v visitor, name string, value *string, max int) {
	v.leaf(name, value, format{kind: exact, max: max})
}

// code is a code from a list that customs publishes.
func code(v visitor, name string, value *string, max int) {
	v.leaf(name, value, format{kind: token, max: max})
}

// oneOf is a code that the schema itself lists.
func oneOf(v visitor, name string, value *string, allowed string) {
	v.leaf(name, value, format{kind: listed, allowed: allowed})
}

// alpha is a code of a number of letters, such as a country code.
func alpha(v visitor, name string, value *string, length int) {
	v.leaf(name, value, format{kind: letters, max: length})
}

// numeric is a code of digits.
func numeric(v visitor, name string, value *string, max int) {
	v.leaf(name, value, format{kind: digits, max: max})
}

// number is a decimal with a maximum number of digits, in total and after the point.
func number(v visitor, name string, n *Number, total, scale int) {
	v.leaf(name, (*string)(n), format{kind: decimal, max: total, scale: scale})
}

// sequence is the sequence number of an element.
func sequence(v visitor, n *Number) {
	v.leaf("SequenceNumeric", (*string)(n), format{kind: decimal, max: 5, required: true, counted: true})
}

func amount(v visitor, name string, a *Amount) {
	v.qualified(name, (*string)(&a.Value), format{kind: decimal, max: 16, scale: 3}, currencyID, &a.Currency)
}

func measure(v visitor, name string, m *Measure) {
	v.qualified(name, (*string)(&m.Value), format{kind: decimal, max: 16, scale: 6}, unitCode, &m.Unit)
}

func one(v visitor, name string, c class) {
	v.class(name, -1, c)
}

func list[T any, C interface {
	*T
	class
}](v visitor, name string, all *[]T) {
	for at := 0; v.another(name, at, len(*all)); at++ {
		if at == len(*all) {
			*all = append(*all, *new(T))
		}
		v.class(name, at, C(&(*all)[at]))
	}
}

// nameSearch looks for an element name in a class.
type nameSearch struct {
	name  string
	found bool
}

func (s *nameSearch) see(name string)                                                    { s.found = s.found || s.name == name }
func (s *nameSearch) leaf(name string, _ *string, _ format)                              { s.see(name) }
func (s *nameSearch) class(name string, _ int, _ class)                                  { s.see(name) }
func (s *nameSearch) another(name string, _, _ int) bool                                 { s.see(name); return false }
func (s *nameSearch) qualified(name string, _ *string, _ format, _ attribute, _ *string) { s.see(name) }

func (s *nameSearch) in(c class) bool {
	c.fields(s)
	return s.found
}
