package inventory

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
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
	parts, known := schemas[root.Name.Local]
	if !known || root.Name.Space != Namespace {
		return Request{}, &SchemaError{Reason: ErrUnexpected, Element: root.Name.Local}
	}
	if err := check(root, parts); err != nil {
		return Request{}, err
	}
	transport := root.At("transportDetails")
	r := Request{
		Code: text(root, "messageCode"), UCR: ucrOf(root.At("ucrBlock")), Location: text(root, "goodsLocation"), ShedOperator: text(root, "shedOPID"),
		MasterUCR: text(root, "masterUCR"), Reference: text(root, "movementReference"),
		Transport: Transport{ID: text(transport, "transportID"), Mode: text(transport, "transportMode"), Nationality: text(transport, "transportNationality")},
	}
	r.ArrivesAt, _ = ParseTime(text(root, "goodsArrivalDateTime"))
	r.DepartsAt, _ = ParseTime(text(root, "goodsDepartureDateTime"))
	return r, nil
}

// check compares an element's children with the schema, each at most once and in order.
func check(e *xmltree.Element, parts []part) error {
	next := 0
	missing := func(until int) error {
		for _, p := range parts[next:until] {
			if p.required {
				return &SchemaError{Reason: ErrMissing, Parent: e.Name.Local, Element: p.name}
			}
		}
		return nil
	}
	for _, c := range e.Children {
		at := slices.IndexFunc(parts[next:], func(p part) bool { return p.name == c.Name.Local })
		if at < 0 || c.Name.Space != Namespace {
			return &SchemaError{Reason: ErrUnexpected, Parent: e.Name.Local, Element: c.Name.Local}
		}
		if err := missing(next + at); err != nil {
			return err
		}
		p := parts[next+at]
		next += at + 1
		if err := p.check(c, e.Name.Local); err != nil {
			return err
		}
	}
	return missing(len(parts))
}

func (p *part) check(c *xmltree.Element, parent string) error {
	value := strings.TrimSpace(c.Content)
	switch {
	case p.children != nil:
		return check(c, p.children)
	case len(c.Children) > 0:
		return &SchemaError{Reason: ErrUnexpected, Parent: p.name, Element: c.Children[0].Name.Local}
	case isNil(c) && p.nillable && value == "":
		return nil
	case !p.fits(value):
		return &SchemaError{Reason: ErrValue, Parent: parent, Element: p.name, Value: value}
	}
	return nil
}
