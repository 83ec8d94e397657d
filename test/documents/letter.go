package documents

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Letters are invoices of generated content in the layouts of business letters: parties without labels, numbers in
// blocks beside the address or in rows of references, totals in rows or columns, tax numbers in the footer.
func Letters() []Sample {
	var samples []Sample
	for _, side := range []int{0, 1} {
		for l, lang := range languages() {
			for p := range lettersPerLanguage {
				random := rand.New(rand.NewPCG(uint64(77+side), uint64(l*1000+p)))
				samples = append(samples, letter(random, lang, p, side, false))
			}
		}
	}
	return samples
}

// lettersPerLanguage is the number of letters of each language and side: each layout of the head with each of the
// totals.
const lettersPerLanguage = 48

// LetterHeads are the layouts of the heads of letters.
var LetterHeads = []string{"window", "twocolumn", "letterhead", "references", "formular", "title", "sections", "threeboxes", "sidebyside", "centred", "stacked", "sheet"}

// side of a letter: one party's particulars in its country.
type address struct{ name, street, town, country, code, vat string }

// addresses are parties of each language's country; some names have no legal form.
var addresses = map[string][]address{
	"en": {{"Harlow & Finch", "14 Quay Street", "Dover CT17 9BU", "United Kingdom", "GB", "GB123456789"}, {"Brenwick Tools Ltd", "Unit 3, Mill Lane", "Leeds LS1 4AP", "United Kingdom", "GB", "GB987654321"}},
	"de": {{"Elektrohaus Brandauer", "Lindenallee 12", "20457 Hamburg", "Deutschland", "DE", "DE123456781"}, {"Nordwerk Maschinen GmbH", "Am Hafen 3a", "28195 Bremen", "Deutschland", "DE", "DE287654321"}},
	"fr": {{"Atelier Corvane", "12 rue des Tanneurs", "69007 Lyon", "France", "FR", "FR12345678901"}, {"Lumivert SAS", "3 avenue Foch", "33000 Bordeaux", "France", "FR", "FR98765432109"}},
	"es": {{"Oriol Cerámicas S.A.", "Calle Mayor 8", "46001 Valencia", "España", "ES", "ESA12345678"}, {"Talleres Quintana", "Avenida del Puerto 40", "08003 Barcelona", "España", "ES", "ESB87654321"}},
	"it": {{"Fratelli Gandossi S.r.l.", "Via Garibaldi 21", "20121 Milano", "Italia", "IT", "IT12345678901"}, {"Officine Velluti", "Corso Roma 7", "10121 Torino", "Italia", "IT", "IT98765432109"}},
	"nl": {{"Van Rijssel B.V.", "Havenweg 5", "3011 AB Rotterdam", "Nederland", "NL", "NL123456789B01"}, {"Kempenhof Import", "Dorpsstraat 19", "5611 CD Eindhoven", "Nederland", "NL", "NL987654321B01"}},
}

// written is a letter while it is written.
type written struct {
	draft
	sheet
	seller, buyer address
	x             float64 // left edge
	currency      string
}

func letter(random *rand.Rand, lang language, n, side int, disturbed bool) Sample {
	w := &written{draft: draft{Rand: random, language: lang, side: side, layout: "letter", want: map[string]string{}, labels: map[string]string{}, disturbed: disturbed}, x: 50}
	own := addresses[lang.code]
	w.seller, w.buyer = own[n%2], own[(n+1)%2]
	if abroad := addresses[pick(&w.draft, []string{"en", "de", "fr", "nl"})]; n%3 == 2 {
		w.buyer = abroad[(n+1)%2]
	}
	w.want["seller.name"], w.want["buyer.name"] = "^"+w.seller.name, "^"+w.buyer.name
	w.want["seller.country"], w.want["buyer.country"] = w.seller.code, w.buyer.code
	w.want["seller.vatNumber"] = w.seller.vat
	w.want["currency"] = pick(&w.draft, []string{"EUR", "EUR", "GBP", "USD"})
	w.currency = w.want["currency"]
	head := LetterHeads[n%len(LetterHeads)]
	heads, table := w.heads(), w.goods()
	if disturbed {
		heads = w.disturb(heads)
	}
	if head == "formular" || n%2 == 0 {
		heads = without(heads, w.label("currency"))
	}
	w.y = 520
	w.head(head, heads)
	w.formHead(head, heads)
	style := n / len(LetterHeads)
	if style == 3 && !strings.Contains(w.out.String(), w.want["currency"]) {
		delete(w.want, "currency") // the page does not show it
	}
	if style == 3 {
		w.formTable(table)
	} else {
		w.table(table, n)
	}
	w.totals(style)
	delete(w.want, "sum")
	return Sample{Name: head + "-" + lang.code + "-" + fmt.Sprint(n), Type: "invoice", Format: "pdf", File: w.file(), Want: w.want, Held: side == 1}
}

func without(pairs []pair, label string) (kept []pair) {
	for _, p := range pairs {
		if p.label != label {
			kept = append(kept, p)
		}
	}
	return kept
}

// lines returns the lines of a party, as letters have them.
func (w *written) lines(a address, withCountry bool) []string {
	lines := []string{a.name, a.street, a.town}
	switch {
	case withCountry:
		lines = append(lines, a.country)
	case a.code != w.seller.code:
		lines = append(lines, strings.ToUpper(a.country))
	}
	return lines
}

// head writes the parties and the fields of the invoice, and moves below them.
func (w *written) head(layout string, heads []pair) {
	title := strings.ToUpper(w.label("title"))
	vat := w.label("vat") + ": " + w.seller.vat
	switch layout {
	case "window": // sender in small letters above the address, fields beside it on other baselines, numbers in the footer
		w.put(w.x, 700, 7, w.seller.name+" · "+w.seller.street+" · "+w.seller.town)
		w.column(w.x, 680, 13, w.lines(w.buyer, false)...)
		for i, p := range heads {
			w.put(330, 683-float64(i)*14, 9, p.label)
			w.put(460, 680-float64(i)*14, 9, p.value)
		}
		w.put(w.x, 560, 14, title)
		w.column(w.x, 60, 10, w.seller.name, w.seller.street, w.seller.town)
		w.column(220, 60, 10, "Bank Nord", "IBAN: DE89370400440532013000", "BIC: COBADEFFXXX")
		w.column(400, 60, 10, vat, "Tel. +49 40 123456", "www.example.com")
	case "twocolumn": // labels above, parties beside each other
		w.put(w.x, 760, 16, title)
		w.put(w.x, 720, 9, w.label("seller"))
		w.put(310, 720, 9, w.label("buyer"))
		w.column(w.x, 705, 12, append(w.lines(w.seller, true), vat)...)
		w.column(310, 705, 12, w.lines(w.buyer, true)...)
		for i, p := range heads {
			w.put(w.x, 620-float64(i)*12, 9, p.label+": "+p.value)
		}
	case "letterhead": // sender at the top with its numbers, address below it
		w.column(340, 790, 12, append(w.lines(w.seller, false), "Tel. +33 1 23 45 67 89", "info@example.com", vat)...)
		w.column(w.x, 700, 12, w.lines(w.buyer, false)...)
		w.put(w.x, 640, 14, title)
		for i, p := range heads {
			w.put(w.x, 622-float64(i)*12, 9, p.label)
			w.put(w.x+150, 622-float64(i)*12, 9, p.value)
		}
	case "references": // a row of labels above a row of values
		w.column(w.x, 790, 12, append(w.lines(w.seller, false), vat)...)
		w.put(330, 715, 9, w.label("buyer"))
		w.column(330, 702, 12, w.lines(w.buyer, true)...)
		w.put(w.x, 640, 14, title)
		for i, p := range heads {
			w.put(w.x+float64(i%3)*170, 610-float64(i/3)*34, 8, p.label)
			w.put(w.x+float64(i%3)*170, 598-float64(i/3)*34, 9, p.value)
		}
	case "formular": // labels at the left of a colon, all below each other, parties with codes of countries
		w.put(w.x, 790, 12, title)
		y := 770.0
		for _, p := range heads {
			w.put(w.x, y, 9, p.label)
			w.put(w.x+160, y, 9, ": "+p.value)
			y -= 12
		}
		for i, a := range []address{w.seller, w.buyer} {
			w.put(w.x, y, 9, w.label([]string{"seller", "buyer"}[i])+":")
			lines := []string{a.name, a.street, a.code + " " + a.town}
			if i == 0 {
				lines = append(lines, vat)
			}
			w.column(w.x, y-12, 11, lines...)
			y -= 64
		}
	case "title": // number and date in the title
		w.column(w.x, 800, 12, append(w.lines(w.seller, false), vat)...)
		w.column(330, 720, 12, w.lines(w.buyer, false)...)
		number, day, others := w.titled(heads)
		w.put(w.x, 650, 14, w.label("title")+" "+map[string]string{"fr": "N° ", "it": "n. ", "es": "n.º "}[w.code]+number+" "+joining[w.code]+" "+day)
		for i, p := range others {
			w.put(w.x, 625-float64(i)*12, 9, p.label+": "+p.value)
		}
	}
}

// joining stands between the number and the date of an invoice.
var joining = map[string]string{"en": "of", "de": "vom", "fr": "du", "es": "del", "it": "del", "nl": "van"}

// table writes the goods: numbers at the right edges of their columns in some letters, long headers on two lines, and
// in some letters a line with the number of the article below the description.
func (w *written) table(rows [][]string, n int) {
	described := indexOf(rows[0], w.label("description"))
	narrow := 390.0 / float64(len(rows[0])-1)
	left := func(c int) float64 {
		if x := w.x + float64(c)*narrow; c <= described {
			return x
		}
		return w.x + float64(c-1)*narrow + wide
	}
	for i, row := range rows {
		for c, text := range row {
			for l, part := range wrapped(text, i == 0 && c != described, narrow) {
				x := left(c)
				if n%2 == 0 && c > described && c+3 >= len(row) {
					x += narrow*0.9 - width(part, fitting(part, i == 0, narrow))
				}
				w.put(x, w.y-float64(l)*9, fitting(part, i == 0 && c != described, narrow), part)
			}
		}
		if w.y -= 14; i == 0 {
			w.y -= 9
		}
		if i > 0 {
			at := fmt.Sprintf("lineItems[%d].description", i-1)
			w.want[at] = "~" + w.want[at]
			if n%3 == 1 {
				w.put(left(described), w.y+3, 7, "Art. "+fmt.Sprint(4000+n*10+i))
				w.y -= 9
			}
		}
	}
}

// fitting is the size of letters with which a header fits into its column.
func fitting(text string, head bool, narrow float64) float64 {
	if room := narrow * 0.9; head && width(text, 7)*1.1 > room {
		return 7 * room / (width(text, 7) * 1.1)
	}
	return 7
}

// wide is the width of the description in points.
const wide = 110

// wrapped divides a header that is wider than its column into two lines.
func wrapped(text string, head bool, width float64) []string {
	first, rest, ok := strings.Cut(text, " ")
	if !head || !ok || float64(len(text))*3.5 < width*0.9 {
		return []string{text}
	}
	return []string{first, rest}
}

func indexOf(all []string, one string) int {
	for i, a := range all {
		if a == one {
			return i
		}
	}
	return 0
}

// totals writes the sums: below each other, in a row with headers, or with the rates of tax.
func (w *written) totals(style int) {
	var sum int
	fmt.Sscan(w.want["sum"], &sum)
	tax := sum / 5
	code := w.currency
	sign := map[string]string{"EUR": "€", "GBP": "£", "USD": "$"}[code]
	w.want["totals.goods"], w.want["totals.vat"], w.want["totals.grand"] = decimal(sum), decimal(tax), decimal(sum+tax)
	goods, vat, grand := w.label("goods"), w.label("tax"), w.label("grand")
	y := w.y - 20
	switch style {
	case 3:
		w.longTotals(sum, tax, 330)
	case 0:
		for i, p := range []pair{{goods, w.amount(sum)}, {vat + " 20 %", w.amount(tax)}, {grand, w.amount(sum + tax)}} {
			w.put(330, y-float64(i)*13, 9, p.label)
			text := p.value + " " + sign
			if w.code == "en" {
				text = sign + p.value
			}
			w.put(540-width(text, 9), y-float64(i)*13, 9, text)
		}
	case 1:
		for i, p := range []pair{{goods, w.amount(sum)}, {vat, w.amount(tax)}, {grand + " " + code, w.amount(sum + tax)}} {
			w.put(w.x+float64(i)*170, y, 8, p.label)
			w.put(w.x+float64(i)*170, y-12, 9, p.value)
		}
	default:
		for i, p := range []pair{{goods, w.amount(sum)}, {vat, w.amount(tax)}, {grand, w.amount(sum + tax)}} {
			w.put(300, y-float64(i)*13, 9, p.label)
			w.put(440, y-float64(i)*13, 9, code)
			w.put(540-width(p.value, 9), y-float64(i)*13, 9, p.value)
		}
	}
}
