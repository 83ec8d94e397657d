package worksheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// ClientBody returns the body of the client with the fields that were filled in. A value of
// the wrong type is included as text, so that the check of the body reports it.
func (s *Worksheet) ClientBody() json.RawMessage { return object(ClientFields, &s.Client) }

// ShipmentBody returns the body of the shipment of a client.
func (s *Worksheet) ShipmentBody(clientID string) json.RawMessage {
	return prependMember("clientId", quoted(clientID), object(ShipmentFields, &s.Shipment))
}

// DeclarationBody returns the body of the declaration of a shipment.
func (s *Worksheet) DeclarationBody(shipmentID string) json.RawMessage {
	body := object(GeneralFields, &s.General)
	body = prependMember("shipmentId", quoted(shipmentID), body)
	body = appendMember(body, "items", list(ItemFields, s.Items))
	if len(s.Documents) > 0 {
		body = appendMember(body, "documents", list(DocumentFields, s.Documents))
	}
	if s.leavesValueToCustoms() {
		body = appendMember(appendMember(body, "dataSet", quoted("H1")), "fill", quoted("USUAL"))
	}
	return body
}

// TemplateBody returns the members of a template: those of a declaration that are typed, without its shipment.
func (s *Worksheet) TemplateBody() json.RawMessage {
	body := object(GeneralFields, &s.General)
	if slices.ContainsFunc(s.Items, func(p Part) bool { return !p.Empty() || p.Kept != nil }) {
		body = appendMember(body, "items", list(ItemFields, s.Items))
	}
	if len(s.Documents) > 0 {
		body = appendMember(body, "documents", list(DocumentFields, s.Documents))
	}
	return body
}

// StatesValues reports whether the customs values of items are stated in pounds once they are known: without a data set, or with the usual values.
func (s *Worksheet) StatesValues() bool {
	return s.General.Get("dataSet") == "" || s.General.Get("fill") == "USUAL"
}

// leavesValueToCustoms reports whether an import states a price in place of a customs value, which only a declaration with a data set may.
// With the usual values it is otherwise the same as one without.
func (s *Worksheet) leavesValueToCustoms() bool {
	if g := &s.General; g.Get("declarationType") == "EXPORT" || g.Get("dataSet") != "" || g.Get("fill") != "" || g.Member("fill") != nil {
		return false
	}
	return slices.ContainsFunc(s.Items, func(i Part) bool {
		amount, _ := i.Price()
		return amount != "" && i.Get("customsValueGbp") == ""
	})
}

// prependMember inserts a member at the beginning of an object.
func prependMember(name string, value, object json.RawMessage) json.RawMessage {
	out := append(append([]byte(`{"`+name+`":`), value...), ',')
	return append(bytes.TrimSuffix(out, []byte(",")), append(comma(object), object[1:]...)...)
}

// appendMember appends a member to an object.
func appendMember(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	out := append(slices.Clone(object[:len(object)-1]), comma(object)...)
	return append(append(append(out, `"`+name+`":`...), value...), '}')
}

// comma returns a comma unless the object is empty.
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

// object encodes the fields that were filled in, each once, in the order of fields.
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
	if len(p.Kept) > len("{}") {
		members = append(members, p.Kept[1:len(p.Kept)-1])
	}
	return append(append([]byte{'{'}, bytes.Join(members, []byte(","))...), '}')
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // encoding a string cannot fail
	return raw
}

// number matches a JSON number without an exponent.
var number = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// value converts a typed text to JSON.
func (f Field) value(text string) json.RawMessage {
	switch f.Kind {
	case Number, Integer:
		if plain := plainNumber(text); number.MatchString(plain) {
			return json.RawMessage(plain)
		}
	case Checkbox:
		return json.RawMessage("true")
	case List:
		all, _ := json.Marshal(splitList(text))
		return all
	case Instant:
		if at, ok := londonTime(text); ok {
			return quoted(at.UTC().Format(time.RFC3339))
		}
	}
	return quoted(text)
}

// thousands matches digits with commas between thousands.
var thousands = lazyregexp.New(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)

func plainNumber(text string) string {
	text = strings.TrimPrefix(strings.ReplaceAll(text, " ", ""), "£")
	if thousands.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	return text
}

func splitList(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(", ;\r\n\t", r) })
}

// timeLayouts are the formats of a browser's date and time input.
var timeLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}

func londonTime(text string) (at time.Time, ok bool) {
	for _, layout := range timeLayouts {
		if at, err := time.ParseInLocation(layout, text, calendar.London()); err == nil {
			return at, true
		}
	}
	return at, false
}

// Typed normalises a typed text: it trims spaces, converts codes to upper case without spaces, and
// names of countries and usual ports to their codes.
func (f Field) Typed(text string) string {
	text = strings.TrimSpace(text)
	if c, known := ident.FindCountry(text); known && f.SuggestionList == "countries" {
		return string(c)
	}
	switch {
	case f.Kind == Code:
		return strings.ToUpper(strings.Join(strings.Fields(text), ""))
	case f.SuggestionList == "ports":
		return toPortCode(text)
	}
	return text
}

// toPortCode returns the code of a port by its name or code; other texts stay unchanged.
func toPortCode(text string) string {
	for _, p := range SuggestionLists["ports"] {
		if strings.EqualFold(text, p.Label) || strings.EqualFold(text, p.Value) {
			return p.Value
		}
	}
	return text
}

// Separate reports whether a member of a declaration is not typed into the form.
func Separate(name string) bool {
	return slices.Contains(separate, name) && name != "items" && name != "documents"
}

// separate are the members of a record that are not typed into it: what it belongs to, its lists, and its labels.
var separate = []string{"clientId", "shipmentId", "items", "documents", "reference", "uniqueReference", "metadata"}

// kept returns the members of a body that the form does not have, as one object; nil for none. The lists of a declaration are
// parts of their own, and an item keeps its documents.
func kept(fields []Field, body json.RawMessage, separate []string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("worksheet: body: %w", err)
	}
	for _, f := range fields {
		delete(members, f.Name)
	}
	for _, name := range separate {
		delete(members, name)
	}
	if len(members) == 0 {
		return nil, nil
	}
	return json.Marshal(members)
}

// ParsePart converts a stored body to typed texts. It keeps the members that the form does not have.
func ParsePart(fields []Field, body json.RawMessage) (p Part, err error) {
	return parsePart(fields, body, separate)
}

func parsePart(fields []Field, body json.RawMessage, separate []string) (p Part, err error) {
	members := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return p, fmt.Errorf("worksheet: body: %w", err)
	}
	p = newPart(fields, members)
	p.Kept, err = kept(fields, body, separate)
	return p, err
}

func newPart(fields []Field, members map[string]any) (p Part) {
	for _, f := range fields {
		p.Set(f.Name, f.text(members[f.Name]))
	}
	return p
}

// text converts a value of a body to a typed text.
func (f Field) text(v any) string {
	switch v := v.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339, v); f.Kind == Instant && err == nil {
			return formatTime(at.In(calendar.London()))
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

func formatTime(at time.Time) string {
	if at.Second() == 0 {
		return at.Format(timeLayouts[0])
	}
	return at.Format(timeLayouts[1])
}

// FromRecords returns the worksheet of a stored declaration with its shipment and client.
func FromRecords(declaration, shipment, client json.RawMessage) (s Worksheet, err error) {
	var whole struct {
		Items     []json.RawMessage `json:"items"`
		Documents []json.RawMessage `json:"documents"`
	}
	if err := json.Unmarshal(declaration, &whole); err != nil {
		return s, fmt.Errorf("worksheet: declaration: %w", err)
	}
	if s.General, err = ParsePart(GeneralFields, declaration); err != nil {
		return s, err
	}
	if s.Items, err = parseParts(ItemFields, whole.Items); err != nil {
		return s, err
	}
	if s.Documents, err = parseParts(DocumentFields, whole.Documents); err != nil {
		return s, err
	}
	if s.Shipment, err = ParsePart(ShipmentFields, shipment); err != nil {
		return s, err
	}
	s.Client, err = ParsePart(ClientFields, client)
	return s, err
}

func parseParts(fields []Field, bodies []json.RawMessage) (all []Part, err error) {
	for _, body := range bodies {
		p, err := parsePart(fields, body, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Merge applies the changes between was and p to the stored record, and reports whether the
// result differs from it.
func (p Part) Merge(was, stored Part) (Part, bool) {
	out := Part{Values: maps.Clone(stored.Values), Kept: stored.Kept}
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
