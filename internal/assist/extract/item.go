package extract

import (
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// codeLine matches a commodity code inside a description.
var codeLine = lazyregexp.New(`(?i)\b(?:h\.?s\.?(?: ?tariff)?|hts|commodity|tariff|customs tariff|cn|taric|zolltarif(?:nummer)?|warennummer|code sh|nomenclature|codice doganale|hsn|n\.? ?c\.?|intrastat|harmoni[sz]ed)[- ]*(?:code|no|nr|number|num)?\.?s?[ :#.-]*((?:\d[ .]?){5,9}\d)`)

var originLine = lazyregexp.New(`(?i)(?:country of origin|origin|made in|ursprung(?:sland)?|origine|origen|oorsprong|c/o|coo)[ :.-]*(\pL[\pL .'-]{1,30})`)

var massLine = lazyregexp.New(`(?i)\b(net|nett|netto|gross|brutto)(?: ?(?:weight|wt|mass|gewicht))?\.?[ :]*([\d][\d .,']*) ?(kgs?|g|lbs?|t)\b`)

// lineItems makes lines of goods from the tables.
func (r *reading) lineItems() (lines []LineItem) {
	for _, t := range r.tables {
		if t.isContainers() {
			continue
		}
		for _, i := range t.items {
			if line, ok := r.lineItem(i); ok && len(lines) < maxItems {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func (t *table) isContainers() bool {
	container, description := false, false
	for _, c := range t.columns {
		container = container || c.key == "container"
		description = description || c.key == "description"
	}
	return container && !description
}

func (r *reading) lineItem(i *item) (l LineItem, ok bool) {
	r.describe(i, &l)
	l.Quantity = fieldOf(i, "quantity", r.quantityOf)
	l.UnitPrice = fieldOf(i, "unitPrice", r.amount)
	l.Amount = fieldOf(i, "amount", r.amount)
	l.Unit = fieldOf(i, "unit", r.unitOf)
	if l.Unit == nil {
		l.Unit = fieldOf(i, "quantity", r.unitAfter)
	}
	if net := fieldOf(i, "net", r.mass); net != nil {
		l.NetMassKg = net
	}
	if gross := fieldOf(i, "gross", r.mass); gross != nil {
		l.GrossMassKg = gross
	}
	l.VolumeM3 = fieldOf(i, "volume", r.volume)
	l.PackageCount = fieldOf(i, "packages", r.count)
	l.Packages = fieldOf(i, "kind", r.phraseOf)
	if l.Packages == nil {
		l.Packages = fieldOf(i, "packages", r.unitAfter)
	}
	if marks := fieldOf(i, "marks", r.phraseOf); marks != nil {
		marks.Value = strings.TrimSpace(i.text("marks"))
		l.Marks = marks
	}
	if code := fieldOf(i, "code", r.commodityCode); code != nil {
		l.CommodityCode = code
	}
	if origin := fieldOf(i, "origin", r.country); origin != nil {
		l.CountryOfOrigin = origin
	}
	return l, l.Description != nil || l.CommodityCode != nil
}

// fieldOf reads the first cell of a column.
func fieldOf[T any](i *item, k key, read func(candidate) (T, Confidence, bool)) *Field[T] {
	c, ok := i.candidate(k)
	if !ok {
		return nil
	}
	v, sure, ok := read(c)
	if !ok {
		return nil
	}
	f := field(v, c, sure)
	f.Found.Text = c.cell.Text
	return f
}

// describe reads the description, and removes from it what has a field of its own.
func (r *reading) describe(i *item, l *LineItem) {
	cells := i.cells["description"]
	if len(cells) == 0 {
		return
	}
	var parts []string
	for _, c := range cells {
		text := r.details(c, l)
		if text = strings.Trim(text, " ;:-–|/"); strings.Trim(text, ",()") != "" && len(parts) < 12 && (c.label != "other" || !c.colon) {
			parts = append(parts, text)
		}
	}
	text := strings.Trim(strings.Join(parts, " "), " ,")
	if len(text) > 512 {
		text = strings.ToValidUTF8(text[:512], "")
	}
	if strings.ContainsFunc(text, unicode.IsLetter) {
		l.Description = field(text, candidate{cell: cells[0], sure: beside}, certain)
	}
}

// details removes code, origin and masses from a line of a description and stores them.
func (r *reading) details(c *cell, l *LineItem) string {
	text := c.Text
	from := candidate{cell: c, sure: beneath}
	if m := codeLine.FindStringSubmatchIndex(text); m != nil {
		code := digits(text[m[2]:m[3]])
		if l.CommodityCode == nil && len(code) >= 6 && len(code) <= 10 {
			l.CommodityCode = field(code, from, certain)
		}
		text = text[:m[0]] + text[m[1]:]
	}
	if m := originLine.FindStringSubmatchIndex(text); m != nil {
		name, rest := text[m[2]:m[3]], text[m[1]:]
		if code, length, ok := r.countryAtStart(name); ok {
			if l.CountryOfOrigin == nil {
				l.CountryOfOrigin = field(code, from, certain)
			}
			text = text[:m[0]] + name[length:] + rest
		}
	}
	for m := massLine.FindStringSubmatchIndex(text); m != nil; m = massLine.FindStringSubmatchIndex(text) {
		from.text = text[m[4]:m[7]]
		if v, sure, ok := r.mass(from); ok {
			if strings.EqualFold(text[m[2]:m[2]+1], "n") {
				l.NetMassKg = field(v, from, sure)
			} else {
				l.GrossMassKg = field(v, from, sure)
			}
		}
		text = text[:m[0]] + text[m[1]:]
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "  ", " "))
}

// countryAtStart finds a country at the beginning of a text.
func (r *reading) countryAtStart(text string) (code string, length int, ok bool) {
	words := wordsOf(text)
	for n := min(longestName, len(words)); n > 0; n-- {
		end := words[n-1].end
		if code, ok := r.countries.country(text[:end]); ok {
			return code, end, true
		}
	}
	return "", 0, false
}

func digits(text string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
}

// commodityCode reads four to ten digits with points or spaces between them.
func (r *reading) commodityCode(c candidate) (string, Confidence, bool) {
	text := strings.Trim(c.text, " .")
	code := digits(text)
	if strings.Trim(text, "0123456789. ") != "" || len(code) < 4 || len(code) > 10 {
		if m := codeLine.FindStringSubmatch(c.text); m != nil {
			return digits(m[1]), fair, true
		}
		return "", 0, false
	}
	if len(code)%2 != 0 {
		return code, doubtful, true // a leading zero may have been lost
	}
	return code, certain, true
}

// quantityOf reads a number, with or without a unit after it.
func (r *reading) quantityOf(c candidate) (quantity.Number, Confidence, bool) {
	plain, _ := unsigned(c.text)
	if n, ok := findNumber(plain, r.style); !ok || n.before != "" {
		return quantity.Number{}, 0, false
	}
	return r.number(c.text, c.plain)
}

var unitText = lazyregexp.New(`^[\pL][\pL0-9²³./ ]{0,19}$`)

func (r *reading) unitOf(c candidate) (string, Confidence, bool) {
	text := strings.Trim(c.text, " .")
	return text, certain, unitText.MatchString(text)
}

// unitAfter returns the unit after a number.
func (r *reading) unitAfter(c candidate) (string, Confidence, bool) {
	n, ok := findNumber(c.text, r.style)
	if !ok {
		return "", 0, false
	}
	c.text = n.after
	return r.unitOf(c)
}
