package extract

import (
	"slices"
	"strings"
	"unicode"
)

// particular is one value about a party behind a word with a colon.
type particular struct {
	value          string
	names, country bool
}

// particularsIn returns the values of a line such as "City: Milan Country: IT", in which each has a word with a colon before it; nil for
// other lines.
func particularsIn(c *cell) (all []particular) {
	if c.label != "" || len(c.words) < 2 || !c.words[0].colon {
		return nil
	}
	for i, w := range c.words {
		if !w.colon {
			continue
		}
		end := len(c.Text)
		if next := slices.IndexFunc(c.words[i+1:], func(o word) bool { return o.colon }); next >= 0 {
			end = c.words[i+1+next].start
		}
		one := particular{value: strings.Trim(c.Text[w.end:end], " .:")}
		switch {
		case slices.Contains(w.concepts, "name"), slices.Contains(w.concepts, "description"):
			one.names = true
		case slices.Contains(w.concepts, "country"):
			one.country = true
		case !slices.Contains(w.concepts, "city") && !slices.Contains(w.concepts, "address"):
			return nil
		}
		if one.value != "" {
			all = append(all, one)
		}
	}
	return all
}

// addPairs gives a party its name and country, and returns the other values: parts of its address.
func (r *reading) addPairs(p *TradeParty, pairs []particular, c *cell) (address []string) {
	for _, one := range pairs {
		from := candidate{text: one.value, cell: c, label: c, sure: behindColon}
		country, known := r.countries.country(one.value)
		switch {
		case one.names && p.Name == nil:
			p.Name = field(one.value, from, certain)
		case one.country && known:
			p.Country = field(country, from, certain)
		default:
			address = append(address, one.value)
		}
	}
	return address
}

// besideWord returns the part of an address that stands beside a word such as "City:": one with a number of a house, a postcode or a
// country, or one whose word says so.
func (r *reading) besideWord(p *TradeParty, c *cell) string {
	if p.Name == nil || c.label != "" || c.rest != "" || len(c.words) != 1 || !c.words[0].colon {
		return ""
	}
	value, concept := c.value(), conceptOf(c)
	country, known := r.countries.country(value)
	switch {
	case concept == "country" && known:
		p.Country = field(country, candidate{cell: c, label: c, sure: behindColon}, certain)
		return value
	case concept == "city", postcode.MatchString(value), houseNumber.MatchString(value):
		return value
	}
	return ""
}

// nameCompanies takes the label "Company" for the name of the party whose label stands above it.
func (r *reading) nameCompanies() {
	for n, row := range r.rows {
		for _, c := range row.cells {
			if c.label == "seller" && c.named == 1 && conceptOf(c) == "name" && c.isBelowParty(r.rows[max(0, n-lookDown):n]) {
				c.label = "other"
			}
		}
	}
}

// buyersCompany takes the label "Company" for the buyer's if it is the only one of a party and an address without a label, the sender's,
// stands above it.
func (r *reading) buyersCompany() {
	var only *cell
	for _, row := range r.rows {
		for _, c := range row.cells {
			switch {
			case c.label == "buyer", c.label == "seller" && (c.named > 1 || conceptOf(c) != "name"):
				return
			case c.label == "seller" && only == nil:
				only = c
			}
		}
	}
	if only == nil || r.isBelowGoods(only) {
		return
	}
	if slices.ContainsFunc(r.windows(), func(b addressBlock) bool { return b.cells[0].row.index < only.row.index }) {
		only.label = "buyer"
	}
}

// isBelowParty reports whether the label of a party stands above a cell in some lines.
func (c *cell) isBelowParty(lines []*row) bool {
	for _, above := range lines {
		for _, d := range above.cells {
			if (d.label == "seller" || d.label == "buyer" || d.label == "deliverTo") && d.rest == "" && aligned(d, c) && above.page == c.row.page {
				return true
			}
		}
	}
	return false
}

// isCode reports whether a text is the number of a party and not its name: each of its words has a digit.
func isCode(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !strings.ContainsFunc(w, unicode.IsDigit) })
}

// hasCode reports whether the number of a party follows its label, in its cell or close beside it: another column may have one too.
func (c *cell) hasCode() bool {
	if c.rest != "" || c.number >= len(c.row.cells) || c.row.cells[c.number].Left-c.Right > maxApart {
		return isCode(c.rest)
	}
	return isCode(c.value())
}

// leastDigits is the smallest number of digits in a VAT number.
const leastDigits = 5

// findVAT returns the first VAT number in a text.
func findVAT(text string) string {
	for _, found := range vatLike.FindAllString(strings.ToUpper(text), maxInCell) {
		if len(digits(found)) >= leastDigits {
			return found
		}
	}
	return ""
}

func compactID(text string) string {
	return strings.NewReplacer(" ", "", ".", "", "-", "").Replace(text)
}

// wholeValue is the value of a label with the lines above that belong to it: a label may stand in the middle of its value.
func (r *reading) wholeValue(c *cell) string {
	text := c.value()
	if c.rest != "" || c.number >= len(c.row.cells) || c.row.index == 0 {
		return text
	}
	above, value := r.rows[c.row.index-1], c.row.cells[c.number]
	if len(above.cells) == 1 && above.cells[0].label == "" && aligned(above.cells[0], value) && !c.row.apart && above.page == c.row.page {
		return above.cells[0].Text + " " + text
	}
	return text
}

// value returns the text after a label, or the cell beside it.
func (c *cell) value() string {
	if c.rest == "" && c.number < len(c.row.cells) && c.row.cells[c.number].label == "" {
		return c.row.cells[c.number].Text
	}
	return c.rest
}
