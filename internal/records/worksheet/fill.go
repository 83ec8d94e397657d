package worksheet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// maxSourceText is the maximum number of characters of a document's text shown beside a value.
const maxSourceText = 120

// Fill copies values of a document to empty fields. The source is the ID of the kept file; empty for none.
func (s *Worksheet) Fill(x extract.Extraction, source string) {
	(&filler{s, source, x.Document.DocumentType}).fill(x)
}

// filler fills a worksheet from one file.
type filler struct {
	*Worksheet
	source string // ID of the file
	kind   extract.DocumentType
}

func (s *filler) fill(x extract.Extraction) {
	d := &x.Document
	s.Document = documentNames[d.DocumentType]
	s.AddNotes(x.Notes)
	places := s.findValues(d)
	if d.Draft != nil {
		first := s.fillDraft(d.Draft, places)
		s.showAmounts(d, s.Items[first:])
	}
	abroad, home := d.Seller, d.Buyer
	if d.DocumentType == extract.BillOfLading {
		abroad, home = d.Shipper, d.Consignee
	}
	if !s.Imports() {
		abroad, home = home, abroad
	}
	s.fillCounterparty(abroad)
	s.fillClient(home)
	s.fillTransport(d)
}

// documentNames are the names of the document types.
var documentNames = map[extract.DocumentType]string{extract.Invoice: "invoice", extract.BillOfLading: "bill of lading", extract.PackingList: "packing list"}

// fillDraft copies the draft declaration, each value with its position, and returns the index
// of the first copied item.
func (s *filler) fillDraft(draft *extract.DeclarationDraft, places map[string]FoundValue) (first int) {
	sources := map[string]FoundValue{}
	for _, source := range draft.Sources {
		f := places[source.Source]
		f.Confidence = int(source.Confidence)
		sources[source.Field] = f
	}
	for _, c := range draft.Conversions {
		f := sources[c.Field]
		f.Text = fmt.Sprintf("%s %s at %s", c.Currency, c.Amount, c.Rate)
		sources[c.Field] = f
	}
	if direction := draft.Body.DeclarationType; direction != "" && s.General.Found["declarationType"].Value == "" {
		f := sources["declarationType"]
		f.Value = direction
		s.General.Set("declarationType", direction) // replace the default
		s.put(&s.General, "declarationType", f)
	}
	if len(s.Items) == 1 && s.Items[0].Empty() {
		s.Items = nil
	}
	first = len(s.Items)
	items := make([]Part, len(draft.Body.Items))
	for n := range items {
		items[n] = draftPart(ItemFields, draft.Body.Items[n], fmt.Sprintf("items[%d].", n), sources)
	}
	if len(s.Items) > 0 && s.kind != extract.Invoice {
		s.complete(items)
		return len(s.Items)
	}
	s.Items = append(s.Items, items[:min(len(items), MaxItems-len(s.Items))]...)
	for n := range draft.Body.Documents {
		s.Documents = append(s.Documents, draftPart(DocumentFields, draft.Body.Documents[n], fmt.Sprintf("documents[%d].", n), sources))
	}
	if len(s.Items) == 0 {
		s.Items = []Part{{}}
	}
	return first
}

// draftPart converts an entry of a draft to a part with the positions of its values.
func draftPart(fields []Field, entry any, path string, sources map[string]FoundValue) Part {
	raw, _ := json.Marshal(entry) // encoding texts and exact numbers cannot fail
	p, _ := ParsePart(fields, raw)
	for name, text := range p.Values {
		f, known := sources[path+name]
		if !known {
			continue
		}
		f.Value = text
		p.Fill(name, f)
	}
	return p
}

// fillCounterparty copies the business abroad.
func (s *filler) fillCounterparty(p *extract.TradeParty) {
	if p == nil {
		return
	}
	s.fillText(&s.Shipment, "counterpartyName", p.Name, 70)
	s.fillText(&s.Shipment, "counterpartyCountry", p.Country, 2)
	s.fillAddress(&s.Shipment, p.Address, "counterpartyAddress", "counterpartyCity", "counterpartyPostcode")
}

// fillClient copies the business that may be the client.
func (s *filler) fillClient(p *extract.TradeParty) {
	if p == nil {
		return
	}
	s.fillText(&s.Client, "name", p.Name, 140)
	s.fillText(&s.Client, "eori", p.EORI, 17)
	s.fillText(&s.Client, "vatNumber", p.VATNumber, 14)
	s.fillText(&s.Client, "country", p.Country, 2)
	s.fillAddress(&s.Client, p.Address, "addressLine1", "city", "postcode")
}

// fillText fills in a text if it is not too long.
func (s *filler) fillText(p *Part, name string, t *extract.Text, longest int) {
	if t != nil && len([]rune(t.Value)) <= longest {
		s.put(p, name, s.foundText(t))
	}
}

// fillAddress fills in the parts of an address that can be recognised.
func (s *filler) fillAddress(p *Part, t *extract.Text, street, city, postcode string) {
	if t == nil {
		return
	}
	piece := *t
	line, town, code := splitAddress(t.Value)
	for _, to := range []struct {
		name, text string
		longest    int
	}{{street, line, 70}, {city, town, 35}, {postcode, code, 9}} {
		if piece.Value = to.text; to.text != "" {
			s.fillText(p, to.name, &piece, to.longest)
		}
	}
}

// fillTransport copies transport data.
func (s *filler) fillTransport(d *extract.TradeDocument) {
	s.fillText(&s.Shipment, "vesselName", d.Vessel, 35)
	s.fillText(&s.Shipment, "incoterm", d.Incoterm, 3)
	s.fillPort(d)
	if len(s.Items) == 1 { // totals apply to a single item
		s.fillMass(&s.Items[0], "netMassKg", d.NetMassKg)
		s.fillMass(&s.Items[0], "grossMassKg", d.GrossMassKg)
	}
	var numbers []string
	for _, c := range d.Containers {
		if c.Number != nil {
			numbers = append(numbers, c.Number.Value)
		}
	}
	if len(numbers) > 0 {
		f := s.foundText(d.Containers[0].Number)
		f.Value = strings.Join(numbers, ", ")
		s.put(&s.Shipment, "containers", f)
	}
}

func (s *filler) fillMass(p *Part, name string, m *extract.Mass) {
	if m != nil && p.Get(name) == "" {
		f := s.newFoundValue(m.Found, m.Confidence)
		f.Value = m.Value.String()
		s.put(p, name, f)
	}
}

// fillPort copies the port in the United Kingdom: the port of the voyage or, for an import,
// the place of the delivery term if it is one of the usual ports.
func (s *filler) fillPort(d *extract.TradeDocument) {
	port := d.PortOfDischarge
	if !s.Imports() {
		port = d.PortOfLoading
	}
	if code, known := portCode(port); known {
		f := s.foundText(port)
		f.Value = code
		s.put(&s.Shipment, "portOfEntry", f)
		return
	}
	s.fillText(&s.Shipment, "portOfEntry", port, 70)
	if code, known := portCode(d.IncotermPlace); known && s.Imports() {
		f := s.foundText(d.IncotermPlace)
		f.Value, f.Confidence = code, f.Confidence/2 // less certain: the goods may travel on from there
		s.put(&s.Shipment, "portOfEntry", f)
		f.Confidence *= 2
		s.put(&s.Shipment, "incotermLocation", f)
	}
}

func isPort(code string) bool {
	return slices.ContainsFunc(SuggestionLists["ports"], func(p Choice) bool { return p.Value == code })
}

func portCode(place *extract.Text) (string, bool) {
	if place == nil {
		return "", false
	}
	name, _, _ := strings.Cut(place.Value, ",")
	code := toPortCode(name)
	return code, code != name || isPort(code)
}

// showAmounts shows line amounts that are not in pounds, for conversion by the user.
func (s *filler) showAmounts(d *extract.TradeDocument, items []Part) {
	if d.DocumentType != extract.Invoice {
		return
	}
	currency := ""
	if d.Currency != nil {
		currency = d.Currency.Value + " "
	}
	for n := range d.LineItems[:min(len(d.LineItems), len(items))] {
		amount := d.LineItems[n].Amount
		if amount == nil || items[n].Found["customsValueGbp"].Text != "" {
			continue
		}
		f := s.newFoundValue(amount.Found, amount.Confidence)
		f.Text = currency + amount.Value.String()
		items[n].Fill("customsValueGbp", f)
	}
}

// foundText converts a text of a document.
func (s *filler) foundText(t *extract.Text) FoundValue {
	f := s.newFoundValue(t.Found, t.Confidence)
	f.Value = t.Value
	return f
}

func (s *filler) newFoundValue(p extract.Place, sure extract.Confidence) FoundValue {
	return FoundValue{Text: shorten(p.Text, maxSourceText), Location: locationText(p), Confidence: int(sure), FromModel: p.Source != "", Source: s.source, Page: p.Page, Box: p.Box}
}

// locationText describes a position in a document.
func locationText(p extract.Place) string {
	if p.XPath != "" {
		return "element " + p.XPath
	}
	var words []string
	switch {
	case p.Sheet != "":
		words = append(words, "sheet “"+p.Sheet+"”")
	case p.Page > 0:
		words = append(words, "page "+strconv.Itoa(p.Page))
	}
	if p.Line > 0 {
		words = append(words, "line "+strconv.Itoa(p.Line))
	}
	if p.Cell > 0 && p.Sheet != "" {
		words = append(words, "cell "+strconv.Itoa(p.Cell))
	}
	return strings.Join(words, ", ")
}

// shorten shortens a text.
func shorten(text string, longest int) string {
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return strings.TrimSpace(string(runes[:longest-1])) + "…"
}

// postal matches a postcode in a line of an address.
var postal = lazyregexp.New(`(?i)\b([A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|[A-Z]{0,2}-?[0-9]{4,6})\b`)

// splitAddress splits an address: the first part with a postcode, or the one before it, is the town,
// and everything before that is the street.
func splitAddress(address string) (street, city, postcode string) {
	lines := strings.Split(address, ",")
	for n := 1; n < len(lines); n++ {
		found := postal.FindString(lines[n])
		if found == "" {
			continue
		}
		city = strings.Join(strings.Fields(strings.Replace(lines[n], found, "", 1)), " ")
		if city == "" && n > 1 {
			n--
			city = strings.TrimSpace(lines[n])
		}
		return strings.TrimSpace(strings.Join(lines[:n], ",")), city, found
	}
	return strings.TrimSpace(lines[0]), "", ""
}

// findValues returns the positions of a document's values by path, such as
// lineItems[0].netMassKg.
func (s *filler) findValues(d *extract.TradeDocument) map[string]FoundValue {
	raw, _ := json.Marshal(d) // in the format of the API
	var members map[string]any
	_ = json.Unmarshal(raw, &members)
	places := map[string]FoundValue{}
	s.collectValues("", members, places)
	return places
}

func (s *filler) collectValues(path string, v any, places map[string]FoundValue) {
	switch v := v.(type) {
	case map[string]any:
		if found, is := v["found"].(map[string]any); is {
			places[path] = s.foundPlace(found)
			return
		}
		for name, member := range v {
			if name != "draft" {
				s.collectValues(strings.TrimPrefix(path+"."+name, "."), member, places)
			}
		}
	case []any:
		for i, entry := range v {
			s.collectValues(fmt.Sprintf("%s[%d]", path, i), entry, places)
		}
	}
}

func (s *filler) foundPlace(found map[string]any) FoundValue {
	raw, _ := json.Marshal(found)
	var p extract.Place
	_ = json.Unmarshal(raw, &p)
	return s.newFoundValue(p, 0)
}
