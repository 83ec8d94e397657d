package documents

import (
	"fmt"
	"strings"
)

// formHead writes the heads that programs print, with a label for each particular or boxes beside each other.
func (w *written) formHead(layout string, heads []pair) {
	title := strings.ToUpper(w.label("title"))
	vat := w.label("vat") + ": " + w.seller.vat
	switch layout {
	case "sections": // a heading for each party, and below it labels beside values
		w.put(w.x, 800, 14, title)
		y := w.pairsAt(w.x, 770, 18, 190, heads) - 14
		for i, a := range []address{w.seller, w.buyer} {
			w.put(w.x, y, 9, w.label([]string{"seller", "buyer"}[i]))
			particulars := []pair{{"ID:", fmt.Sprint(549910 + i)}, {particularWords[w.code][0] + ":", a.name}, {particularWords[w.code][1] + ":", a.street}, {"", a.code + " " + a.town}}
			if i == 0 {
				particulars = append(particulars, pair{"E-mail:", "info@example.com"}, pair{w.label("vat") + ":", a.vat})
			}
			y = w.pairsAt(w.x, y-14, 12, 190, particulars) - 12
		}
		w.y = min(w.y, y-20)
	case "threeboxes": // two parties and the numbers beside each other, on different baselines
		w.put(w.x, 790, 8, w.label("seller"))
		w.put(210, 790, 8, w.label("buyer"))
		w.put(370, 790, 12, title)
		w.column(w.x, 780, 10, "GLN 4333741000005", w.seller.name, "", w.seller.street, w.seller.town, "", vat)
		w.column(210, 780, 10, "GLN 4304171000002", w.buyer.name, "", w.buyer.street, w.buyer.town, strings.ToUpper(w.buyer.country))
		w.pairsAt(370, 765.5, 11, 90, heads)
	case "sidebyside": // neither party has a label
		w.column(w.x, 790, 12, append(w.lines(w.seller, false), "Tel. +33 1 23 45 67 89", vat)...)
		w.column(330, 790, 12, w.lines(w.buyer, w.buyer.code != w.seller.code)...)
		w.put(w.x, 690, 14, title)
		w.pairsAt(w.x, 670, 13, 150, heads)
	case "centred": // the sender's letterhead on one line in the middle
		w.put(200, 800, 14, w.seller.name)
		w.put(170, 785, 8, w.seller.street+", "+w.seller.town+", "+w.seller.country)
		w.put(200, 773, 8, vat)
		w.put(w.x, 730, 9, w.label("buyer")+":")
		w.column(w.x, 718, 11, append([]string{w.buyer.name, attention[w.code] + " Robin Sample"}, w.lines(w.buyer, true)[1:]...)...)
		w.put(350, 740, 14, title)
		w.pairsAt(350, 718, 12, 110, heads)
	case "stacked": // small labels above their values in boxes
		w.put(w.x, 800, 14, title)
		w.column(330, 800, 11, append(w.lines(w.seller, true), vat)...)
		w.put(w.x, 735, 6, w.label("buyer"))
		w.column(w.x, 724, 11, w.lines(w.buyer, true)...)
		for i, p := range heads {
			w.put(330+float64(i%2)*110, 725-float64(i/2)*26, 6, p.label)
			w.put(330+float64(i%2)*110, 715-float64(i/2)*26, 9, p.value)
		}
	case "sheet": // number and date in a title after other words, lines of labels with colons, empty lines in addresses
		number, day, others := w.titled(heads)
		w.put(w.x, 800, 12, kinds[w.code]+" - "+w.label("title")+" "+numberWord[w.code]+" "+number+" "+joining[w.code]+" "+day)
		y := w.pairsAt(w.x, 775, 12, 150, others) - 6
		for i, a := range []address{w.seller, w.buyer} {
			w.put(w.x, y, 9, w.label([]string{"seller", "buyer"}[i])+":")
			w.column(w.x, y-14, 11, "GLN 433374100000"+fmt.Sprint(5+i), a.name)
			w.column(w.x, y-46, 11, a.street, a.code+" "+a.town)
			if y -= 80; i == 0 {
				w.put(w.x, y+8, 9, vat)
				y -= 8
			}
		}
		w.y = min(w.y, y-20)
	}
}

// pairsAt writes labels with values beside them, and returns the place below.
func (w *written) pairsAt(x, y, step, apart float64, pairs []pair) float64 {
	for _, p := range pairs {
		w.put(x, y, 9, p.label)
		w.put(x+apart, y, 9, p.value)
		y -= step
	}
	return y
}

// titled takes number and date of the invoice from its fields.
func (w *written) titled(heads []pair) (number, day string, others []pair) {
	for _, p := range heads {
		switch p.label {
		case w.label("invoiceNumber"):
			number = p.value
		case w.label("invoiceDate"):
			day = p.value
		default:
			others = append(others, p)
		}
	}
	return number, day, others
}

// Words of forms by language: for the name and the address of a party, before a person's name, of kinds of invoices, and
// for a number.
var (
	particularWords = map[string][2]string{"en": {"Name", "Address"}, "de": {"Name", "Anschrift"}, "fr": {"Nom", "Adresse"}, "es": {"Nombre", "Dirección"}, "it": {"Nome", "Indirizzo"}, "nl": {"Naam", "Adres"}}
	attention       = map[string]string{"en": "Attn", "de": "z. Hd.", "fr": "À l'attention de", "es": "A la atención de", "it": "All'attenzione di", "nl": "T.a.v."}
	kinds           = map[string]string{"en": "Final account", "de": "Bauvorhaben", "fr": "Solde", "es": "Obra", "it": "Saldo", "nl": "Eindafrekening"}
	numberWord      = map[string]string{"en": "No.", "de": "Nr.", "fr": "N°", "es": "n.º", "it": "n.", "nl": "nr."}
	position        = map[string]string{"en": "Item", "de": "Pos.", "fr": "Ligne", "es": "Pos.", "it": "Pos.", "nl": "Pos."}
	rateWord        = map[string]string{"en": "VAT %", "de": "USt %", "fr": "TVA %", "es": "IVA %", "it": "IVA %", "nl": "BTW %"}
	pieceWord       = map[string]string{"en": "pcs", "de": "Stk", "fr": "pce", "es": "ud", "it": "pz", "nl": "st"}
	prepaid         = map[string]string{"en": "Already paid", "de": "Erhaltene Anzahlungen", "fr": "Acomptes versés", "es": "Anticipos", "it": "Acconti", "nl": "Aanbetaling"}
)

// formTable writes the goods with a number of each line, a unit behind the quantity and the rate of tax between price
// and amount.
func (w *written) formTable(rows [][]string) {
	head := append([]string{position[w.code]}, rows[0]...)
	last := len(head) - 1
	if indexOf(head, w.label("net")) > 0 {
		last--
	}
	head = append(head[:last:last], append([]string{rateWord[w.code]}, head[last:]...)...)
	rows[0] = head
	for i, row := range rows[1:] {
		cells := append([]string{fmt.Sprint(i + 1)}, row...)
		cells = append(cells[:last:last], append([]string{"20 %"}, cells[last:]...)...)
		cells[indexOf(head, w.label("quantity"))] += " " + pieceWord[w.code]
		rows[i+1] = cells
	}
	w.table(rows, 1)
}

// longTotals writes all sums that programs print: also without values, and those that were paid.
func (w *written) longTotals(sum, tax int, x float64) {
	y := w.y - 20
	goods, vat, grand := w.label("goods"), w.label("tax"), w.label("grand")
	for _, p := range []pair{{goods, w.amount(sum)}, {rateWord[w.code] + " 20", ""}, {vat, w.amount(tax)}, {grand, w.amount(sum + tax)}, {prepaid[w.code], w.amount(0)}} {
		w.put(x, y, 9, p.label)
		if p.value != "" {
			w.put(540-width(p.value, 9), y, 9, p.value)
		}
		y -= 12
	}
}
