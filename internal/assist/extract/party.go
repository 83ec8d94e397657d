package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// maxBlock is the largest number of lines about a party.
const maxBlock = 9

// maxApart is the distance from which two cells of a line belong to different columns.
const maxApart = 1000

// party reads the first block to which a label of a role points.
func (r *reading) party(role key) *TradeParty {
	for _, row := range r.rows {
		for i, c := range row.cells {
			if c.label != role || c.taken || c.rest != "" && !c.colon && !r.companyLike(c.rest) || c.hasCode() {
				continue
			}
			if p := r.block(r.blockOf(c, i), c); p != nil {
				return r.particularsOf(role, p)
			}
		}
	}
	return r.particularsOf(role, nil)
}

// blockOf returns the cells of a party: after its label, beside it, or below it.
func (r *reading) blockOf(c *cell, i int) []*cell {
	if c.rest != "" {
		return append([]*cell{c}, r.column(c, c)...)
	}
	under := r.under(c)
	if under != nil && !c.colon && aligned(c, under) || i+1 >= len(c.row.cells) {
		return r.column(c, c)
	}
	next := c.row.cells[i+1]
	if next.label != "" && next.label != "line" || c.colon && strings.HasSuffix(next.Text, ":") {
		return r.column(c, c)
	}
	cells := []*cell{next}
	for _, more := range c.row.cells[i+2:] {
		if more.label != "" || len(c.row.cells)-i < 4 && more.Left-next.Right > maxApart {
			break
		}
		if next.Plain || len(c.row.cells) > i+3 {
			cells = append(cells, more)
		}
	}
	return append(cells, r.column(next, c)...)
}

// column returns the cells below one, up to a gap or a label that does not belong to a party. Below a value beside its
// label, as an address is, further lines of the value may follow without a label.
func (r *reading) column(top, label *cell) (cells []*cell) {
	missing, last := 0, top
	for n := 1; n <= r.depth(top) && top.row.index+n < len(r.rows); n++ {
		below := r.rows[top.row.index+n]
		if below.page != top.row.page || below.apart && (top.rest != "" || top != label || hasName(cells)) && !r.leadsToTown(top, last, cells, below) {
			break
		}
		var here *cell
		for _, d := range below.cells {
			if aligned(top, d) || here == nil && d.Overlap(top.Cell) > 0 && d.Left <= top.Right {
				here = d
			}
		}
		if here == nil && last.continuesIn(below.cells[0]) {
			here = below.cells[0]
		}
		if label != top && below.cells[0].label != "" && aligned(label, below.cells[0]) {
			break // the next label, with a value of its own
		}
		if here == nil {
			if missing++; last.isFarFrom(below) || missing > 1 && below.top <= below.bottom {
				break
			}
			continue // cells beside it may have lines of their own
		}
		missing = 0
		if here.taken || ends(here) || last.isFarFrom(below) {
			break
		}
		cells = append(cells, here)
		if aligned(top, here) || here.Overlap(top.Cell) > 0 {
			last = here
		}
	}
	return cells
}

// continuesIn reports whether a cell below goes on with the value of a label: it is under the value, and not under the label.
func (c *cell) continuesIn(d *cell) bool {
	switch {
	case c.label == "" && !c.colon:
		return false
	case c.rest != "":
		return d.label == "" && d.Left > c.Left+alignment && d.Left < c.Right
	}
	return c.number < len(c.row.cells) && aligned(c.row.cells[c.number], d)
}

// leadsToTown reports whether an address goes on after an empty line: it has no town yet, and one follows at once.
func (r *reading) leadsToTown(top, last *cell, cells []*cell, below *row) bool {
	if last.isFarFrom(below) || slices.ContainsFunc(cells, func(c *cell) bool { return postcode.MatchString(c.value() + c.Text) }) {
		return false
	}
	for _, row := range r.rows[below.index:min(len(r.rows), below.index+lookDown)] {
		for _, c := range row.cells {
			if ends(c) || row.page != top.row.page {
				return false
			}
			if (aligned(top, c) || last.number < len(last.row.cells) && aligned(last.row.cells[last.number], c)) && postcode.MatchString(c.Text) {
				return true
			}
		}
	}
	return false
}

// depth is the number of lines below a cell in which the particulars of a party may be: on a page with positions other
// columns may have lines between them.
func (r *reading) depth(top *cell) int {
	if top.row.top > top.row.bottom {
		return 2 * maxBlock
	}
	return maxBlock
}

// hasName reports whether one of the cells may be a name.
func hasName(cells []*cell) bool {
	for _, c := range cells {
		if !c.isNumber() {
			return true
		}
	}
	return false
}

// isNumber reports whether a cell has the number of a party, such as "Customer no. 4711", "Global number 4300000000001" or "GLN
// 4300000000001": but for words up to the one for number, labels and short words in capitals all its words have digits.
func (c *cell) isNumber() bool {
	if c.namesParty() {
		return false
	}
	digits := false
	for _, w := range c.words[c.announced():] {
		text := c.Text[w.start:w.end]
		switch {
		case strings.ContainsFunc(text, unicode.IsDigit):
			digits = true
		case len(w.concepts) > 0, len(text) <= 4 && strings.ToUpper(text) == text:
		default:
			return false
		}
	}
	return digits || c.rest == "" && (c.label == "other" || c.bare())
}

// announced is the number of words up to the last one that means number.
func (c *cell) announced() int {
	for n := len(c.words); n > 0; n-- {
		if slices.Contains(c.words[n-1].concepts, numero) {
			return n
		}
	}
	return 0
}

// bare reports whether a label says number and not of what.
func (c *cell) bare() bool { return c.label != "" && c.named == 1 && c.words[0].plain == "no" }

// namesParty reports whether a label announces the name of a party.
func (c *cell) namesParty() bool {
	return conceptOf(c) == "name" && (c.label == "other" || c.label == "" && len(c.words) == 1 && strings.HasSuffix(c.Text, ":"))
}

// ends reports whether a cell begins something other than a particular of a party.
func ends(c *cell) bool {
	switch c.label {
	case "", "address", "vatNumber", "eori", "other", "countryOfOrigin", "line":
		return false
	}
	return (c.rest == "" || c.colon || c.named > 1 || strings.Contains(string(c.label), ".")) && !c.bare()
}

var (
	contact  = lazyregexp.New(`(?i)@|www\.|https?:|^(?:tel|phone|fax|mob|t|f|e)[.:]|^\+?[\d ()/-]{8,}$`)
	vatLike  = lazyregexp.New(`\b(?:ATU ?\d{8}|(?:BE|BG|CZ|DE|DK|EE|EL|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI|ES)[ -]?[0-9A-Z](?:[0-9A-Z .-]{5,14})[0-9A-Z]|CHE[- ]?\d{3}\.?\d{3}\.?\d{3}|[A-HJNP-SUVW]\d{7}[0-9A-J]|\d{3} ?\d{4} ?\d{2}|[0-9]{9,12})\b`)
	eoriLike = lazyregexp.New(`\b(?:GB|XI)\d{12}(?:\d{3})?\b|\b[A-Z]{2}[A-Z0-9]{6,15}\b`)
)

// salutations stand on a line of their own above the name in an address.
var salutations = strings.Fields("herrn herr frau firma an mr mrs ms messrs mm mme madame monsieur messieurs spettle spett sig sigra egregio gentile sr sra senor senora senores heer mevrouw pan pani att")

// isSalutation reports whether a text has only words by which letters address people.
func isSalutation(text string) bool {
	words := wordsOf(text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w word) bool { return !slices.Contains(salutations, w.plain) && len(w.plain) > 2 })
}

// isCaption reports whether a cell is one word of labels, such as “Number” at the head of a column.
func (c *cell) isCaption() bool {
	return len(c.words) == 1 && slices.Contains(c.words[0].concepts, numero)
}

// block makes a party of its lines.
func (r *reading) block(cells []*cell, label *cell) *TradeParty {
	var p TradeParty
	var address []string
	var at *cell
	for _, c := range cells {
		if part := r.besideWord(&p, c); c != label && part != "" {
			if address = append(address, part); at == nil {
				at = c
			}
			continue
		}
		if pairs := particularsIn(c); c != label && pairs != nil {
			more := r.addPairs(&p, pairs, c)
			if address = append(address, more...); at == nil && len(more) > 0 {
				at = c
			}
			continue
		}
		text := c.Text
		if c == label || c.label == "address" {
			text = c.rest
		}
		if c != label && (c.namesParty() || c.label == "address") {
			text = r.wholeValue(c)
		}
		from := candidate{text: text, cell: c, label: c, sure: beneath}
		if c == label {
			from.sure = behindColon
		}
		for i, part := range r.pieces(text) {
			switch {
			case c != label && c.namesParty() && countLetters(part) > 0:
				from.label = c
				p.Name, address, at = field(part, from, certain), nil, nil
			case c != label && r.identify(&p, c, from):
			case p.Name == nil && c != label && (c.isNumber() || c.isCaption() || isSalutation(part)) && !r.companyLike(part):
			case p.Name == nil && statesGoods(part):
				return nil
			case c != label && p.Name == nil && strings.HasSuffix(part, ":") && countLetters(c.value()) > shortestPart && !contact.MatchString(c.value()):
				from.label = c
				p.Name = field(c.value(), from, fair)
			case c != label && strings.HasSuffix(part, ":"), p.Name != nil && c != label && c.isNumber() && longNumber.MatchString(part):
			case contact.MatchString(part) || c != label && c.label == "other" && !c.namesParty() && !r.companyLike(part):
			case p.Name == nil:
				if !strings.ContainsFunc(part, unicode.IsLetter) || len(part) > maxName {
					return nil
				}
				from.label = nil
				p.Name = field(part, from, certain)
			case at == nil && isLegalForm(part):
				p.Name.Value += " " + part // the name's last word is on a line of its own
			default:
				if country, ok := r.countries.country(part); ok && len(part) > 2 && !strings.ContainsFunc(part, unicode.IsDigit) {
					p.Country = field(country, candidate{cell: c, sure: beneath}, certain)
					continue
				}
				if country, ok := r.countries.ending(part); ok {
					p.Country = field(country, candidate{cell: c, sure: beneath}, 95)
				}
				if address = append(address, part); at == nil {
					at = c
				}
			}
			if i > 12 {
				break
			}
		}
	}
	if p.Name == nil {
		return nil
	}
	if at != nil {
		p.Address = field(strings.Join(address, ", "), candidate{cell: at, sure: beneath}, 95)
	}
	return &p
}

// longNumber matches a number of identification, which is longer than those of houses and towns.
var longNumber = lazyregexp.New(`\d{8}`)

// pieces splits a line with several particulars of a party.
func (r *reading) pieces(text string) []string {
	for _, separator := range []string{" · ", " • ", " ● ", " | ", "; "} {
		if strings.Contains(text, separator) {
			return strings.Split(text, separator)
		}
	}
	if parts := senderLine(text); parts != nil {
		return parts
	}
	if parts := strings.Split(text, " - "); len(parts) > 2 && postcode.MatchString(text) {
		return parts
	}
	name, rest, ok := strings.Cut(text, ", ")
	if ok && r.companyLike(name) && strings.Contains(rest, ", ") {
		return []string{name, rest}
	}
	return []string{text}
}

// identify reads a VAT number or an EORI from a line with such a label.
func (r *reading) identify(p *TradeParty, c *cell, from candidate) bool {
	switch c.label {
	case "":
		whole := strings.TrimSpace(c.Text)
		if shapedVAT.FindString(whole) != whole || whole == "" {
			return false
		}
		p.VATNumber = field(compactID(whole), from, certain)
		return true
	case "vatNumber":
		if vat := findVAT(c.value()); vat != "" {
			p.VATNumber = field(compactID(vat), from, certain)
		} else if vat := findVAT(c.Text); vat != "" {
			p.VATNumber = field(compactID(vat), from, certain)
		}
		if at := strings.Index(strings.ToUpper(c.rest), "EORI"); at >= 0 {
			r.takeEORI(p, c.rest[at+4:], from)
		}
		return true
	case "eori":
		r.takeEORI(p, c.value(), from)
		return true
	}
	return false
}

func (r *reading) takeEORI(p *TradeParty, text string, from candidate) {
	text = strings.ReplaceAll(strings.ToUpper(text), " ", "")
	if found := eoriLike.FindString(text); found != "" {
		if eori, err := ident.ParseEORI(found); err == nil {
			p.EORI = field(string(eori), from, certain)
		}
	}
}

// particularsOf adds values with labels such as "Exporter VAT number", and the country that
// numbers and postcodes imply.
func (r *reading) particularsOf(role key, p *TradeParty) *TradeParty {
	if p == nil {
		p = &TradeParty{}
	}
	set := func(to **Text, particular key, read func(candidate) (string, Confidence, bool)) {
		if *to == nil {
			*to = firstOf(r.candidates(role+"."+particular), read)
		}
	}
	set(&p.Name, "name", r.phraseOf)
	for _, c := range r.repeated {
		if c.key == role && p.Name == nil {
			p.Name = firstOf([]candidate{c.value}, r.phraseOf)
		}
	}
	set(&p.Address, "address", r.phraseOf)
	set(&p.Country, "country", r.country)
	set(&p.VATNumber, "vatNumber", func(c candidate) (string, Confidence, bool) {
		vat := findVAT(c.text)
		return compactID(vat), certain, vat != ""
	})
	set(&p.EORI, "eori", func(c candidate) (string, Confidence, bool) {
		eori, err := ident.ParseEORI(strings.TrimSpace(c.text))
		return string(eori), certain, err == nil
	})
	if town := firstOf(r.candidates(role+".town"), r.phraseOf); town != nil && p.Address != nil && !strings.Contains(p.Address.Value, town.Value) {
		p.Address.Value += ", " + town.Value
	}
	if *p == (TradeParty{}) {
		return nil
	}
	r.implyCountry(p)
	return p
}
