package extract

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// modelAnswer is a model's answer: texts as they are in the document, empty if it has none.
type modelAnswer struct {
	Title      string                       `json:"title"`
	Fields     map[string]string            `json:"fields"`
	Parties    map[string]map[string]string `json:"parties"`
	LineItems  []map[string]string          `json:"lineItems"`
	Containers []map[string]string          `json:"containers"`
}

// Members that a model is asked for, besides those of a single type.
const (
	partyMembers     = "name address country vatNumber eori"
	itemMembers      = "description commodityCode quantity unit unitPrice amount countryOfOrigin netMassKg grossMassKg packageCount packages marks volumeM3"
	containerMembers = "number seal packageCount grossMassKg volumeM3"
	sharedMembers    = " countryOfOrigin packageCount netMassKg grossMassKg volumeM3 incoterm incotermPlace"
)

var (
	fieldMembers = map[DocumentType]string{
		Invoice:      "invoiceNumber invoiceDate dueDate purchaseOrderNumber currency paymentTerms goodsTotal freight insurance vat grandTotal" + sharedMembers,
		BillOfLading: "billOfLadingNumber issueDate shippedOnBoardDate bookingNumber carrier carrierCode vessel voyage placeOfReceipt portOfLoading portOfDischarge placeOfDelivery freightTerms" + sharedMembers,
		PackingList:  "packingListNumber packingListDate invoiceReference purchaseOrderNumber marks" + sharedMembers,
	}
	sides = map[DocumentType]string{Invoice: "seller buyer", BillOfLading: "shipper consignee notifyParty", PackingList: "seller buyer"}
)

// Schema returns the JSON schema of the model's answer.
func (o *Opened) Schema() map[string]any {
	kind := o.Found.Document.DocumentType
	parties := map[string]any{}
	for role := range strings.FieldsSeq(sides[kind]) {
		parties[role] = texts(partyMembers)
	}
	return record(map[string]any{
		"title": text(), "fields": texts(fieldMembers[kind]), "parties": record(parties), "lineItems": list(texts(itemMembers)), "containers": list(texts(containerMembers)),
	})
}

func text() map[string]any                  { return map[string]any{"type": "string"} }
func list(of map[string]any) map[string]any { return map[string]any{"type": "array", "items": of} }

func texts(names string) map[string]any {
	members := map[string]any{}
	for name := range strings.FieldsSeq(names) {
		members[name] = text()
	}
	return record(members)
}

func record(members map[string]any) map[string]any {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return map[string]any{"type": "object", "properties": members, "required": names, "additionalProperties": false}
}

// Limits of a model's answer.
const (
	maxAnswer      = 64 << 10 // bytes of the whole answer
	maxAnswerItems = 200      // lines of goods, and containers
	maxAnswerText  = 512      // bytes of a text
	maxPlaces      = 20       // places where a text is tried, and in one cell
)

// lines returns all texts of an answer in order, each once: the text of a picture.
func (s *modelAnswer) lines(kind DocumentType) (lines []string) {
	add := func(from map[string]string, names string) {
		for name := range strings.FieldsSeq(names) {
			if t := bounded(from[name]); t != "" {
				lines = append(lines, t)
			}
		}
	}
	if s.Title != "" {
		lines = append(lines, bounded(s.Title))
	}
	for role := range strings.FieldsSeq(sides[kind]) {
		add(s.Parties[role], partyMembers)
	}
	add(s.Fields, fieldMembers[kind])
	for _, l := range s.LineItems[:min(len(s.LineItems), maxAnswerItems)] {
		add(l, itemMembers)
	}
	for _, c := range s.Containers[:min(len(s.Containers), maxAnswerItems)] {
		add(c, containerMembers)
	}
	return lines
}

// bounded cuts a text to the largest length of a field.
func bounded(text string) string {
	if len(text) > maxAnswerText {
		text = strings.ToValidUTF8(text[:maxAnswerText], "")
	}
	return strings.TrimSpace(text)
}

// nearby is the number of lines below a description that are searched first for the other
// values of a line of goods.
const nearby = 6

// places yields the places of a text in the document, in the document's spelling, those near
// the last line of goods first.
func (m *completion) places(text string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		var want []string
		for _, w := range wordsOf(bounded(text)) {
			want = append(want, w.plain)
		}
		if len(want) == 0 {
			return
		}
		tried := 0
		near := m.rows[min(m.near, len(m.rows)):min(m.near+nearby, len(m.rows))]
		for _, rows := range [][]*row{near, m.rows} {
			for _, row := range rows {
				for _, c := range row.cells {
					written, ok := m.holds(c, want)
					if !ok {
						continue
					}
					if tried++; tried > maxPlaces || !yield(candidate{text: written, cell: c, sure: m.sure, plain: c.Plain}) {
						return
					}
				}
			}
		}
	}
}

// holds returns the part of a cell with the wanted words; numbers must match whole.
func (m *completion) holds(c *cell, want []string) (written string, ok bool) {
	for i, tried := 0, 0; i+len(want) <= len(c.words) && tried < maxPlaces; i++ {
		if !slices.EqualFunc(c.words[i:i+len(want)], want, func(w word, plain string) bool { return w.plain == plain }) {
			continue
		}
		from, to := c.words[i].start, c.words[i+len(want)-1].end
		if m.cutsNumber(c, from, to) {
			tried++
			continue
		}
		if to < len(c.Text) && c.Text[to] == ')' && strings.Contains(c.Text[from:to], "(") {
			to++
		}
		return c.Text[from:to], true
	}
	return "", false
}

// cutsNumber reports whether a number continues beyond the ends of a part.
func (m *completion) cutsNumber(c *cell, from, to int) bool {
	numbers, known := m.numbers[c]
	if !known {
		numbers = numeral.FindAllStringIndex(c.Text, -1)
		m.numbers[c] = numbers
	}
	return within(numbers, from) || within(numbers, to)
}

// within reports whether a position is inside of a span and not at its ends.
func within(spans [][]int, at int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i][1] > at })
	return i < len(spans) && spans[i][0] < at
}
