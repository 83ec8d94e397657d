package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// cell is a piece of text, and its label if it begins with one.
type cell struct {
	source.Cell
	row    *row
	number int // on its line, from 1
	words  []word
	label  key
	named  int    // words of the label
	hint   string // in brackets after the label, such as kg
	rest   string // after the label
	colon  bool   // the label ends with a colon
	taken  bool   // belongs to a table
}

// row is a line.
type row struct {
	page, number int // from 1
	sheet        string
	index        int // in the whole document
	apart        bool
	bottom, top  int           // edges of the text on a page of a PDF
	pitch        int           // usual distance of the lines of the page
	dots         func(int) int // converts places on a picture file; may be nil
	cells        []*cell
}

// reading is a document while it is read.
type reading struct {
	kind      DocumentType
	labels    *lexicon
	columns   *lexicon
	countries countryIndex
	rows      []*row
	style     style
	order     order
	tables    []table
	tabular   bool       // a CSV file or a workbook
	repeated  []constant // fields of the document that each line of a table repeats
	notes     []string
	measured  bool // its confidences are calibrated
	guessed   bool // the order of dates is guessed from the sender's country
}

func (r *reading) note(text string) {
	for _, n := range r.notes {
		if n == text {
			return
		}
	}
	r.notes = append(r.notes, text)
}

// newReading finds the labels of all cells. A cell with several labels, each with a colon, is
// split.
func newReading(kind DocumentType, labels *lexicon, a countryIndex, doc source.Document) *reading {
	r := &reading{kind: kind, labels: labels, countries: a, tabular: doc.Format == source.CSV || doc.Format == source.XLSX}
	for p, page := range doc.Pages {
		for l, line := range page.Lines {
			now := &row{page: p + 1, number: l + 1, sheet: page.Name, index: len(r.rows), apart: line.Apart || l == 0, bottom: line.Bottom, top: line.Top}
			for _, c := range line.Cells {
				if strings.HasPrefix(c.Text, ":") {
					now.endLabel()
					if c.Text = strings.TrimLeft(c.Text, ": "); c.Text == "" {
						continue
					}
				}
				for _, part := range r.parts(c) {
					part.row, part.number = now, len(now.cells)+1
					now.cells = append(now.cells, part)
				}
			}
			if doc.Dots > 0 {
				now.dots = doc.InDots
			}
			r.rows = append(r.rows, now)
		}
	}
	r.nameCompanies()
	r.measurePitch()
	r.detectNotation()
	return r
}

// measurePitch sets the usual distance of lines, the median on each page.
func (r *reading) measurePitch() {
	for from := 0; from < len(r.rows); {
		to := from + 1
		var distances []int
		for ; to < len(r.rows) && r.rows[to].page == r.rows[from].page; to++ {
			if d := r.rows[to-1].bottom - r.rows[to].bottom; d > 0 {
				distances = append(distances, d)
			}
		}
		slices.Sort(distances)
		for _, row := range r.rows[from:to] {
			if len(distances) > 0 {
				row.pitch = distances[len(distances)/2]
			}
		}
		from = to
	}
}

// parts splits a cell before each label with a colon, and before a label of a measure that follows another measure.
func (r *reading) parts(c source.Cell) []*cell {
	words := wordsOf(c.Text)
	cuts := []int{0}
	colon, digits := strings.Contains(c.Text, ":"), strings.ContainsAny(c.Text, "0123456789")
	first := 0 // words of the label at the beginning, if others follow
	if len(words) > 2 && len(words[0].concepts) > 0 {
		_, first = r.labels.begin(words)
	}
	for i := 1; i < len(words) && (colon || digits || i <= first); i++ {
		if c.Text[words[i].start-1] != ' ' || strings.HasSuffix(c.Text[:words[i].start], "/ ") || !colon && i != first && !endsMeasure(c.Text[:words[i].start]) {
			continue
		}
		k, n := r.labels.begin(words[i:])
		if n > 0 && ((words[i+n-1].colon || isMeasure(k) && endsMeasure(c.Text[:words[i].start])) && !r.within(words, cuts[len(cuts)-1], i) || i == first && r.follows(c.Text, words, i, n)) {
			cuts = append(cuts, words[i].start)
			i += n - 1
		}
	}
	if len(cuts) == 1 {
		return []*cell{r.labelled(c, words)}
	}
	var parts []*cell
	width := max(1, c.Right-c.Left)
	for i, from := range cuts {
		to := len(c.Text)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		piece := c
		piece.Text = strings.TrimSpace(c.Text[from:to])
		piece.Left, piece.Right = c.Left+width*from/len(c.Text), c.Left+width*to/len(c.Text)
		parts = append(parts, r.labelled(piece, wordsOf(piece.Text)))
	}
	return parts
}

// isMeasure reports whether a field is a mass or a volume.
func isMeasure(k key) bool {
	return k == "grossMassKg" || k == "netMassKg" || k == "volumeM3"
}

// measureEnd matches a number with a unit at the end of a text.
var measureEnd = lazyregexp.New(`(?i)\d ?(?:kgs?|lbs?|t|cbm|m3|m³|ctns?|cartons?|pkgs?|packages?|pallets?)\.?[,;/]? $`)

// endsMeasure reports whether a text ends with a mass or a volume, as before the next label of "G.W. 13 kgs N.W. 12
// kgs".
func endsMeasure(text string) bool { return measureEnd.MatchString(text) }

func firstLetter(text string) rune {
	first, _ := utf8.DecodeRuneInString(text)
	return first
}

// follows reports whether a label of several words or a compound, with a value behind it, follows a label that has no value:
// "Vessel Port of discharge Hull".
func (r *reading) follows(text string, words []word, i, n int) bool {
	if i+n == len(words) || n == 1 && len(words[i].concepts) < 2 || !unicode.IsUpper(firstLetter(text[words[i].start:])) {
		return false
	}
	k, _ := r.labels.begin(words[:i])
	next, _ := r.labels.begin(words[i:])
	return k != "other" && next != "other" && next != k
}

// within reports whether a word belongs to a longer label that begins before it: "Gross
// weight:" is not two labels.
func (r *reading) within(words []word, from, i int) bool {
	first := i
	for first > 0 && words[first-1].start >= from && i-first < longestLabel {
		first--
		if _, n := r.labels.begin(words[first:]); first+n > i || first+r.labels.foreign(words[first:], n) > i {
			return true
		}
	}
	return false
}

// labelled finds the label at the beginning of a cell, also with the same label in another
// language after a slash.
func (r *reading) labelled(c source.Cell, words []word) *cell {
	p := &cell{Cell: c, words: words}
	if len(words) > 1 && boxNumber.MatchString(c.Text) {
		words = words[1:]
	}
	if len(words) == 0 || strings.TrimLeft(c.Text[:words[0].start], " *•-–(0123456789.)ab") != "" {
		return p
	}
	k, n := r.labels.begin(words)
	if behind := afterRate(c.Text, words); behind != nil {
		if tax, named := r.labels.begin(behind); tax == "totals.vat" || tax == "vatNumber" {
			words, k, n = behind, "totals.vat", named
		}
	}
	if n == 0 && len(words) > 1 && slices.Contains(determiners, words[0].plain) {
		words = words[1:]
		k, n = r.labels.begin(words)
	}
	if m := r.labels.foreign(words, n); m > 0 && !(n > 0 && strings.HasPrefix(c.Text[words[n-1].end:], "/")) && (m == len(words) || words[m-1].colon || numberFollows(c.Text[words[m-1].end:])) {
		k, n = "other", m
	}
	if n == 0 || codeBehind.MatchString(c.Text[words[n-1].end:]) {
		return p
	}
	p.label, p.named, p.rest = k, n, c.Text[words[n-1].end:]
	for range 3 {
		p.rest = strings.TrimLeft(p.rest, " .)")
		if p.dropHint() || r.dropTwin(p) {
			continue
		}
		break
	}
	if strings.HasPrefix(p.rest, ":") {
		p.colon, p.rest = true, p.rest[1:]
	}
	p.rest = strings.TrimSpace(p.rest)
	if k == "vatNumber" && rateFirst.MatchString(p.rest) {
		p.label = "totals.vat" // "BTW 21 %"
	}
	if k == "totals.vat" && shapedVAT.FindString(p.rest) == p.rest && p.rest != "" { // "VAT: IT01234567890"
		p.label = "vatNumber"
	}
	if strings.HasPrefix(string(k), "totals.") && onlyCurrency(p.rest) { // "Total EUR"
		p.hint, p.rest = p.hint+" "+p.rest, ""
	}
	if r.isNoLabel(p, words[0]) {
		p.label = ""
	}
	return p
}

// rateFirst matches a rate of tax at the beginning of a text.
var rateFirst = lazyregexp.New(`^\d{1,2}(?:[.,]\d{1,2})? ?%`)

// numberFollows reports whether a number stands behind a label without a colon, and not the rest of a code such as CN-17.
func numberFollows(behind string) bool {
	rest := strings.TrimLeft(behind, " ")
	return len(rest) < len(behind) && rest[0] >= '0' && rest[0] <= '9'
}

// determiners may stand before a label.
var determiners = strings.Fields("our all alle tous toutes tutti tutte todos todas alla")

// isSentence reports whether a text goes on as a sentence does: with a word in small letters that no label has.
func isSentence(rest string) bool {
	words := wordsOf(rest)
	if len(words) < 3 || numbersIn(words) >= len(words)-1 || words[0].start > 0 || strings.ToLower(rest[:words[0].end]) != rest[:words[0].end] || !unicode.IsLetter([]rune(rest)[0]) {
		return false
	}
	return len(words[0].concepts) == 0 && !slices.Contains(joiners, words[0].plain)
}

// numbersIn is the number of words that are numbers.
func numbersIn(words []word) (n int) {
	for _, w := range words {
		if strings.Trim(w.plain, "0123456789") == "" {
			n++
		}
	}
	return n
}

// joiners may stand between a label and its value.
var joiners = []string{"vom", "dated", "dd", "vs", "prepaid", "collect", "via", "x"}

var (
	// boxNumber matches the numbers of boxes in forms, such as 5a.
	boxNumber = lazyregexp.New(`^\d{1,2}[a-z]?[.)] `)
	// codeBehind matches what follows the beginning of a code such as PO-123, which is not a
	// label.
	codeBehind = lazyregexp.New(`^[-/]\w*\d`)
)

// dropHint skips words in brackets.
func (p *cell) dropHint() bool {
	if !strings.HasPrefix(p.rest, "(") && !strings.HasPrefix(p.rest, "[") {
		return false
	}
	end := strings.IndexAny(p.rest, ")]")
	if end < 0 {
		return false
	}
	p.hint += " " + p.rest[1:end]
	p.rest = p.rest[end+1:]
	return true
}

// dropTwin skips the same label in another language.
func (r *reading) dropTwin(p *cell) bool {
	stroke := strings.IndexAny(p.rest, "/|–-")
	if stroke != 0 {
		return false
	}
	behind := strings.TrimLeft(p.rest, "/|–- ")
	words := wordsOf(behind)
	k, n := r.labels.begin(words)
	if n == 0 || k != p.label && k != "buyer" && k != "consignee" {
		return false
	}
	p.label = k // of "Ship to / Bill to" it is the buyer that counts
	p.rest = behind[words[n-1].end:]
	return true
}

// endLabel gives the last label of a line the colon that begins the next cell.
func (row *row) endLabel() {
	if len(row.cells) > 0 {
		last := row.cells[len(row.cells)-1]
		last.colon = last.colon || last.label != "" && last.rest == ""
	}
}

func (c *cell) place() Place {
	if c.Path != "" {
		return Place{XPath: c.Path, Text: c.Text}
	}
	p := Place{Page: c.row.page, Sheet: c.row.sheet, Line: c.row.number, Cell: c.number, Text: c.Text}
	if c.row.top > c.row.bottom {
		p.Box = Box{c.Left, c.row.bottom, c.Right, c.row.top}
	}
	for i := range p.Box {
		if c.row.dots != nil {
			p.Box[i] = c.row.dots(p.Box[i])
		}
	}
	return p
}

// detectNotation determines the notation of numbers and dates from all of them.
func (r *reading) detectNotation() {
	points, commas, days, months := 0, 0, 0, 0
	for _, row := range r.rows {
		for _, c := range row.cells {
			if d, ok := findDate(c.Text, unknownOrder); ok {
				switch d.seen {
				case dayFirst:
					days++
				case monthFirst:
					months++
				}
				continue
			}
			if c.Plain {
				continue
			}
			for _, n := range numeral.FindAllString(c.Text, 8) {
				switch decisive(n) {
				case pointStyle:
					points++
				case commaStyle:
					commas++
				}
			}
		}
	}
	switch {
	case points > commas:
		r.style = pointStyle
	case commas > points:
		r.style = commaStyle
	}
	switch {
	case days > months:
		r.order = dayFirst
	case months > days:
		r.order = monthFirst
	}
}

func split(words string) []string { return strings.Split(words, "|") }
