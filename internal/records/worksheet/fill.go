package worksheet

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
)

// maxSaid is how many characters of a document's text are shown beside a value.
const maxSaid = 120

// Fill takes over what a document says. What was typed before stays.
func (s *Sheet) Fill(x extract.Extraction) {
	d := &x.Document
	s.Document, s.Notes = called[d.DocumentType], x.Notes
	places := placesOf(d)
	if d.Draft != nil {
		first := s.fillDraft(d.Draft, places)
		s.sayAmounts(d, s.Items[first:])
	}
	abroad, home := d.Seller, d.Buyer
	if d.DocumentType == extract.BillOfLading {
		abroad, home = d.Shipper, d.Consignee
	}
	if !s.Imports() {
		abroad, home = home, abroad
	}
	s.fillAbroad(abroad)
	s.fillHome(home)
	s.fillJourney(d)
}

// called are the documents in words.
var called = map[extract.DocumentType]string{extract.Invoice: "invoice", extract.BillOfLading: "bill of lading", extract.PackingList: "packing list"}

// fillDraft takes over the draft of the declaration, value by value with its place, and
// tells which of the items is its first.
func (s *Sheet) fillDraft(draft *extract.DeclarationDraft, places map[string]Found) (first int) {
	sources := map[string]Found{}
	for _, source := range draft.Sources {
		f := places[source.Source]
		f.Sure = int(source.Confidence)
		sources[source.Field] = f
	}
	if direction := draft.Body.DeclarationType; direction != "" {
		f := sources["declarationType"]
		f.Value = direction
		s.General.Set("declarationType", direction) // the first of two choices says nothing of what somebody wants
		s.General.Fill("declarationType", f)
	}
	if len(s.Items) == 1 && s.Items[0].Empty() {
		s.Items = nil
	}
	first = len(s.Items)
	for n := range draft.Body.Items[:min(len(draft.Body.Items), MaxItems-len(s.Items))] {
		s.Items = append(s.Items, filled(ItemFields, draft.Body.Items[n], fmt.Sprintf("items[%d].", n), sources))
	}
	for n := range draft.Body.Documents {
		s.Documents = append(s.Documents, filled(DocumentFields, draft.Body.Documents[n], fmt.Sprintf("documents[%d].", n), sources))
	}
	if len(s.Items) == 0 {
		s.Items = []Part{{}}
	}
	return first
}

// filled is a member of a draft as a part, with the places of its values.
func filled(fields []Field, entry any, path string, sources map[string]Found) Part {
	raw, _ := json.Marshal(entry) // texts and exact numbers always are JSON
	p, _ := PartOf(fields, raw)
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

// fillAbroad takes over who is on the other side of the sea.
func (s *Sheet) fillAbroad(p *extract.TradeParty) {
	if p == nil {
		return
	}
	s.Shipment.take("counterpartyName", p.Name, 70)
	s.Shipment.take("counterpartyCountry", p.Country, 2)
	s.Shipment.takeAddress(p.Address, "counterpartyAddress", "counterpartyCity", "counterpartyPostcode")
}

// fillHome takes over who the client may be.
func (s *Sheet) fillHome(p *extract.TradeParty) {
	if p == nil {
		return
	}
	s.Client.take("name", p.Name, 140)
	s.Client.take("eori", p.EORI, 17)
	s.Client.take("vatNumber", p.VATNumber, 14)
	s.Client.take("country", p.Country, 2)
	s.Client.takeAddress(p.Address, "addressLine1", "city", "postcode")
}

// take fills a text in where it has room.
func (p *Part) take(name string, t *extract.Text, longest int) {
	if t != nil && len([]rune(t.Value)) <= longest {
		p.Fill(name, foundAt(t))
	}
}

// takeAddress fills an address in as far as it can be taken to pieces.
func (p *Part) takeAddress(t *extract.Text, street, city, postcode string) {
	if t == nil {
		return
	}
	piece := *t
	line, town, code := apart(t.Value)
	for _, to := range []struct {
		name, text string
		longest    int
	}{{street, line, 70}, {city, town, 35}, {postcode, code, 9}} {
		if piece.Value = to.text; to.text != "" {
			p.take(to.name, &piece, to.longest)
		}
	}
}

// fillJourney takes over how the goods travel.
func (s *Sheet) fillJourney(d *extract.TradeDocument) {
	s.Shipment.take("vesselName", d.Vessel, 35)
	s.Shipment.take("incoterm", d.Incoterm, 3)
	s.fillPort(d)
	if len(s.Items) == 1 { // what is said of all goods is said of these
		fillMass(&s.Items[0], "netMassKg", d.NetMassKg)
		fillMass(&s.Items[0], "grossMassKg", d.GrossMassKg)
	}
	var numbers []string
	for _, c := range d.Containers {
		if c.Number != nil {
			numbers = append(numbers, c.Number.Value)
		}
	}
	if len(numbers) > 0 {
		f := foundAt(d.Containers[0].Number)
		f.Value = strings.Join(numbers, ", ")
		s.Shipment.Fill("containers", f)
	}
}

func fillMass(p *Part, name string, m *extract.Mass) {
	if m != nil && p.Get(name) == "" {
		f := foundOf(m.Found, m.Confidence)
		f.Value = m.Value.String()
		p.Fill(name, f)
	}
}

// fillPort takes over the port in the United Kingdom: that of the voyage or, for an
// import, the place of the delivery term where it is one of the usual ports.
func (s *Sheet) fillPort(d *extract.TradeDocument) {
	port := d.PortOfDischarge
	if !s.Imports() {
		port = d.PortOfLoading
	}
	if code, known := portCode(port); known {
		f := foundAt(port)
		f.Value = code
		s.Shipment.Fill("portOfEntry", f)
		return
	}
	s.Shipment.take("portOfEntry", port, 70)
	if code, known := portCode(d.IncotermPlace); known && s.Imports() {
		f := foundAt(d.IncotermPlace)
		f.Value, f.Sure = code, f.Sure/2 // the goods may go on from there
		s.Shipment.Fill("portOfEntry", f)
		f.Sure *= 2
		s.Shipment.Fill("incotermLocation", f)
	}
}

func isPort(code string) bool {
	return slices.ContainsFunc(Offers["ports"], func(p Choice) bool { return p.Value == code })
}

func portCode(place *extract.Text) (string, bool) {
	if place == nil {
		return "", false
	}
	name, _, _ := strings.Cut(place.Value, ",")
	code := port(name)
	return code, code != name || isPort(code)
}

// sayAmounts shows the amounts of lines that are not in pounds, to be converted.
func (s *Sheet) sayAmounts(d *extract.TradeDocument, items []Part) {
	if d.DocumentType != extract.Invoice {
		return
	}
	currency := ""
	if d.Currency != nil {
		currency = d.Currency.Value + " "
	}
	for n := range d.LineItems[:min(len(d.LineItems), len(items))] {
		amount := d.LineItems[n].Amount
		if amount == nil || items[n].Found["customsValueGbp"].Said != "" {
			continue
		}
		f := foundOf(amount.Found, amount.Confidence)
		f.Said = currency + amount.Value.String()
		items[n].Fill("customsValueGbp", f)
	}
}

// foundAt is a text that was found.
func foundAt(t *extract.Text) Found {
	f := foundOf(t.Found, t.Confidence)
	f.Value = t.Value
	return f
}

func foundOf(p extract.Place, sure extract.Confidence) Found {
	return Found{Said: cut(p.Text, maxSaid), Where: where(p), Sure: int(sure), Model: p.Source != ""}
}

// where says in words where something stands.
func where(p extract.Place) string {
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

// cut is the beginning of a text.
func cut(text string, longest int) string {
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return strings.TrimSpace(string(runes[:longest-1])) + "…"
}

// postal is what a line of an address has besides the town.
var postal = regexp.MustCompile(`(?i)\b([A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|[A-Z]{0,2}-?[0-9]{4,6})\b`)

// apart takes an address to pieces as far as its lines tell: the first with a postcode
// is the town, or the one before it, and what stands before that the street.
func apart(address string) (street, city, postcode string) {
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

// placesOf are the places of a document's fields by their paths, such as
// lineItems[0].netMassKg.
func placesOf(d *extract.TradeDocument) map[string]Found {
	raw, _ := json.Marshal(d) // as the API shows it
	var members map[string]any
	_ = json.Unmarshal(raw, &members)
	places := map[string]Found{}
	walk("", members, places)
	return places
}

func walk(path string, v any, places map[string]Found) {
	switch v := v.(type) {
	case map[string]any:
		if found, is := v["found"].(map[string]any); is {
			places[path] = placeOf(found)
			return
		}
		for name, member := range v {
			if name != "draft" {
				walk(strings.TrimPrefix(path+"."+name, "."), member, places)
			}
		}
	case []any:
		for i, entry := range v {
			walk(fmt.Sprintf("%s[%d]", path, i), entry, places)
		}
	}
}

func placeOf(found map[string]any) Found {
	raw, _ := json.Marshal(found)
	var p extract.Place
	_ = json.Unmarshal(raw, &p)
	return foundOf(p, 0)
}
