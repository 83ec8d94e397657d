package inventory

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Reasons of a SchemaError.
var (
	ErrUnexpected = errors.New("unexpected element")
	ErrMissing    = errors.New("element is missing")
	ErrValue      = errors.New("value is not allowed")
)

// SchemaError says why a request does not match the schema.
type SchemaError struct {
	Reason          error
	Parent, Element string
	Value           string // of ErrValue
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("inventory: %s in %s: %v", e.Element, e.Parent, e.Reason)
}

// Unwrap is one of the reasons of this package.
func (e *SchemaError) Unwrap() error { return e.Reason }

// part is an element of the schema with its children or its value.
type part struct {
	name     string
	required bool
	nillable bool
	children []part                 // in order; nil for a value
	fits     func(text string) bool // of a value
}

func upTo(length int) func(string) bool {
	return func(text string) bool { return utf8.RuneCountInString(text) <= length }
}

func exactly(length int) func(string) bool {
	return func(text string) bool { return utf8.RuneCountInString(text) == length }
}

func oneOf(values ...string) func(string) bool {
	return func(text string) bool { return slices.Contains(values, text) }
}

func isTime(text string) bool { _, ok := ParseTime(text); return ok }

func form(pattern *regexp.Regexp) func(string) bool { return pattern.MatchString }

// The two requests that the service sends. Source: inventoryLinkingCore.xsd and inventoryLinkingCommonTypes.xsd of the API
// Customs Inventory Linking Exports, 25 June 2026.
var (
	ucrBlock = []part{{name: "ucr", required: true, fits: IsUCR}, {name: "ucrPartNo", nillable: true, fits: form(partForm)}, {name: "ucrType", required: true, fits: oneOf(TypeDeclaration, TypeMaster)}}

	schemas = map[string][]part{
		"inventoryLinkingMovementRequest": {
			{name: "messageCode", required: true, fits: oneOf(CodeAnticipated, CodeArrival, "RET", CodeDeparture)},
			{name: "agentDetails", children: []part{{name: "EORI", fits: upTo(17)}, {name: "agentLocation", fits: upTo(12)}, {name: "agentRole", fits: upTo(3)}}},
			{name: "ucrBlock", required: true, children: ucrBlock},
			{name: "goodsLocation", required: true, fits: upTo(MaxLocation)},
			{name: "goodsArrivalDateTime", nillable: true, fits: isTime},
			{name: "goodsDepartureDateTime", nillable: true, fits: isTime},
			{name: "shedOPID", nillable: true, fits: upTo(MaxShedOperator)},
			{name: "masterUCR", nillable: true, fits: IsUCR},
			{name: "masterOpt", fits: oneOf("A", "F", "R", "X")},
			{name: "movementReference", nillable: true, fits: upTo(MaxReference)},
			{name: "transportDetails", children: []part{
				{name: "transportID", fits: upTo(MaxTransportID)}, {name: "transportMode", fits: upTo(1)}, {name: "transportNationality", fits: exactly(2)},
			}},
		},
		"inventoryLinkingConsolidationRequest": {
			{name: "messageCode", required: true, fits: oneOf(CodeShut, CodeAssociate)},
			{name: "masterUCR", fits: IsUCR},
			{name: "ucrBlock", children: ucrBlock},
		},
	}
)

// DecodeRequest reads a request as HMRC does: it fails with a SchemaError if the request does not match the schema, and with
// another error if it is not well-formed.
func DecodeRequest(data []byte) (Request, error) {
	root, err := read(data)
	if err != nil {
		return Request{}, fmt.Errorf("inventory: decode: %w", err)
	}
	parts, known := schemas[root.name.Local]
	if !known || root.name.Space != Namespace {
		return Request{}, &SchemaError{Reason: ErrUnexpected, Element: root.name.Local}
	}
	if err := check(root, parts); err != nil {
		return Request{}, err
	}
	transport := root.at("transportDetails")
	r := Request{
		Code: root.text("messageCode"), UCR: ucrOf(root.at("ucrBlock")), Location: root.text("goodsLocation"), ShedOperator: root.text("shedOPID"),
		MasterUCR: root.text("masterUCR"), Reference: root.text("movementReference"),
		Transport: Transport{ID: transport.text("transportID"), Mode: transport.text("transportMode"), Nationality: transport.text("transportNationality")},
	}
	r.ArrivesAt, _ = ParseTime(root.text("goodsArrivalDateTime"))
	r.DepartsAt, _ = ParseTime(root.text("goodsDepartureDateTime"))
	return r, nil
}

// check compares an element's children with the schema, each at most once and in order.
func check(e *element, parts []part) error {
	next := 0
	missing := func(until int) error {
		for _, p := range parts[next:until] {
			if p.required {
				return &SchemaError{Reason: ErrMissing, Parent: e.name.Local, Element: p.name}
			}
		}
		return nil
	}
	for _, c := range e.children {
		at := slices.IndexFunc(parts[next:], func(p part) bool { return p.name == c.name.Local })
		if at < 0 || c.name.Space != Namespace {
			return &SchemaError{Reason: ErrUnexpected, Parent: e.name.Local, Element: c.name.Local}
		}
		if err := missing(next + at); err != nil {
			return err
		}
		p := parts[next+at]
		next += at + 1
		if err := p.check(c, e.name.Local); err != nil {
			return err
		}
	}
	return missing(len(parts))
}

func (p *part) check(c *element, parent string) error {
	value := strings.TrimSpace(c.content)
	switch {
	case p.children != nil:
		return check(c, p.children)
	case len(c.children) > 0:
		return &SchemaError{Reason: ErrUnexpected, Parent: p.name, Element: c.children[0].name.Local}
	case c.blank && p.nillable && value == "":
		return nil
	case !p.fits(value):
		return &SchemaError{Reason: ErrValue, Parent: parent, Element: p.name, Value: value}
	}
	return nil
}
