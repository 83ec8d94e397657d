package worksheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Client is the body of the client, as far as it was typed. What cannot be what it
// should be goes in as text, so that whoever judges the body says what is wrong.
func (s *Sheet) ClientBody() json.RawMessage { return object(ClientFields, &s.Client) }

// ShipmentBody is the body of the shipment of a client.
func (s *Sheet) ShipmentBody(clientID string) json.RawMessage {
	return with("clientId", quoted(clientID), object(ShipmentFields, &s.Shipment))
}

// DeclarationBody is the body of the declaration of a shipment.
func (s *Sheet) DeclarationBody(shipmentID string) json.RawMessage {
	body := object(GeneralFields, &s.General)
	body = with("shipmentId", quoted(shipmentID), body)
	body = and(body, "items", list(ItemFields, s.Items))
	if len(s.Documents) > 0 {
		body = and(body, "documents", list(DocumentFields, s.Documents))
	}
	return body
}

// with puts a member before those of an object.
func with(name string, value, object json.RawMessage) json.RawMessage {
	out := append(append([]byte(`{"`+name+`":`), value...), ',')
	return append(bytes.TrimSuffix(out, []byte(",")), append(comma(object), object[1:]...)...)
}

// and puts a member behind those of an object.
func and(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	out := append(slices.Clone(object[:len(object)-1]), comma(object)...)
	return append(append(append(out, `"`+name+`":`...), value...), '}')
}

// comma is what stands between a member and those of an object.
func comma(object json.RawMessage) []byte {
	if len(object) == len("{}") {
		return nil
	}
	return []byte(",")
}

func list(fields []Field, parts []Part) json.RawMessage {
	entries := make([][]byte, len(parts))
	for i := range parts {
		entries[i] = object(fields, &parts[i])
	}
	return append(append([]byte{'['}, bytes.Join(entries, []byte(","))...), ']')
}

// object has the members that something was typed for, each once, in the order of the fields.
func object(fields []Field, p *Part) json.RawMessage {
	var members [][]byte
	seen := map[string]bool{}
	for _, f := range fields {
		text := p.Get(f.Name)
		if text == "" || seen[f.Name] {
			continue
		}
		seen[f.Name] = true
		members = append(members, append([]byte(`"`+f.Name+`":`), f.value(text)...))
	}
	return append(append([]byte{'{'}, bytes.Join(members, []byte(","))...), '}')
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // a text always is JSON
	return raw
}

// number is a number as JSON has it.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// value is what was typed as JSON.
func (f Field) value(text string) json.RawMessage {
	switch f.Kind {
	case Number, Whole:
		if plain := plainNumber(text); number.MatchString(plain) {
			return json.RawMessage(plain)
		}
	case Yes:
		return json.RawMessage("true")
	case List:
		all, _ := json.Marshal(split(text))
		return all
	case Instant:
		if at, ok := londonTime(text); ok {
			return quoted(at.UTC().Format(time.RFC3339))
		}
	}
	return quoted(text)
}

// thousands are digits whose thousands are apart by commas.
var thousands = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)

func plainNumber(text string) string {
	text = strings.TrimPrefix(strings.ReplaceAll(text, " ", ""), "£")
	if thousands.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	return text
}

func split(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(", ;\r\n\t", r) })
}

// clocks are how a browser writes a day and a time.
var clocks = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}

func londonTime(text string) (at time.Time, ok bool) {
	for _, layout := range clocks {
		if at, err := time.ParseInLocation(layout, text, calendar.London()); err == nil {
			return at, true
		}
	}
	return at, false
}

// Typed is what was typed as it is kept: without the blanks around it, codes in
// capitals without any, and countries and the usual ports by their codes.
func (f Field) Typed(text string) string {
	text = strings.TrimSpace(text)
	if c, known := ident.CountryNamed(text); known && f.Offers == "countries" {
		return string(c)
	}
	switch {
	case f.Kind == Code:
		return strings.ToUpper(strings.Join(strings.Fields(text), ""))
	case f.Offers == "ports":
		return port(text)
	}
	return text
}

// port is the code of a port that is called by its name, and a code in capitals.
func port(text string) string {
	for _, p := range Offers["ports"] {
		if strings.EqualFold(text, p.Label) || strings.EqualFold(text, p.Value) {
			return p.Value
		}
	}
	return text
}

// PartOf is a stored body as it would have been typed.
func PartOf(fields []Field, body json.RawMessage) (p Part, err error) {
	members := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return p, fmt.Errorf("worksheet: body: %w", err)
	}
	return partOf(fields, members), nil
}

func partOf(fields []Field, members map[string]any) (p Part) {
	for _, f := range fields {
		p.Set(f.Name, f.text(members[f.Name]))
	}
	return p
}

// text is a value of a body as it is typed.
func (f Field) text(v any) string {
	switch v := v.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339, v); f.Kind == Instant && err == nil {
			return clock(at.In(calendar.London()))
		}
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
	case []any:
		all := make([]string, len(v))
		for i := range v {
			all[i] = fmt.Sprint(v[i])
		}
		return strings.Join(all, ", ")
	}
	return ""
}

func clock(at time.Time) string {
	if at.Second() == 0 {
		return at.Format(clocks[0])
	}
	return at.Format(clocks[1])
}

// Of is a worksheet of a stored declaration with its shipment and client.
func Of(declaration, shipment, client json.RawMessage) (s Sheet, err error) {
	var whole struct {
		DeclarationType string            `json:"declarationType"`
		Items           []json.RawMessage `json:"items"`
		Documents       []json.RawMessage `json:"documents"`
	}
	if err := json.Unmarshal(declaration, &whole); err != nil {
		return s, fmt.Errorf("worksheet: declaration: %w", err)
	}
	s.General.Set("declarationType", whole.DeclarationType)
	if s.Items, err = partsOf(ItemFields, whole.Items); err != nil {
		return s, err
	}
	if s.Documents, err = partsOf(DocumentFields, whole.Documents); err != nil {
		return s, err
	}
	if s.Shipment, err = PartOf(ShipmentFields, shipment); err != nil {
		return s, err
	}
	s.Client, err = PartOf(ClientFields, client)
	return s, err
}

func partsOf(fields []Field, bodies []json.RawMessage) (all []Part, err error) {
	for _, body := range bodies {
		p, err := PartOf(fields, body)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Over lays what was typed anew, since a record was read, over the record as it is now
// stored, and tells whether that makes a difference.
func (p Part) Over(was, stored Part) (Part, bool) {
	out := Part{Values: maps.Clone(stored.Values)}
	for name := range p.Values {
		if p.Get(name) != was.Get(name) {
			out.Set(name, p.Get(name))
		}
	}
	for name := range was.Values {
		if p.Get(name) == "" {
			out.Set(name, "")
		}
	}
	return out, !maps.Equal(out.Values, stored.Values)
}
