package documents

import (
	"fmt"
	"strings"
)

// wordsOfPapers are a language's words beside those of labels.
type wordsOfPapers struct {
	months                                                   string
	customer, delivered, note, clerk, tax                    string
	company, street, town, land                              string
	phone, bank, holder, court, managers, salutation, thanks string
	insurance, freight, rate, base                           string
	delivery, department, dueSentence                        string
}

var paperWords = map[string]wordsOfPapers{
	"en": {"January February March April May June July August September October November December", "Customer no.", "Delivery date", "Delivery note", "Contact", "Tax ref.",
		"Company", "Street", "City", "Country", "Phone", "Bank details", "Account holder", "Registered in England No. 04711881", "Directors: J. Ashe, M. Holt", "Mr Alex Winter", "Thank you for your business.",
		"Insurance", "Carriage", "Rate", "Net",
		"Delivery address", "Accounts payable", "Please pay the amount without deduction by %s."},
	"de": {"Januar Februar März April Mai Juni Juli August September Oktober November Dezember", "Kundennummer", "Lieferdatum", "Lieferschein", "Ansprechpartner", "Steuernummer",
		"Firma", "Straße", "Ort", "Land", "Telefon", "Bankverbindung", "Kontoinhaber", "Amtsgericht Kassel HRB 4711", "Geschäftsführer: Jan Anders", "Herrn Alex Winter", "Vielen Dank für Ihren Auftrag.",
		"Versicherung", "Fracht", "Satz", "Netto",
		"Lieferanschrift", "Abteilung Buchhaltung", "Zahlbar ohne Abzug bis zum %s."},
	"fr": {"janvier février mars avril mai juin juillet août septembre octobre novembre décembre", "N° client", "Date de livraison", "Bon de livraison", "Contact", "N° SIRET",
		"Société", "Rue", "Ville", "Pays", "Tél.", "Coordonnées bancaires", "Titulaire du compte", "RCS Lille 303 265 045", "Gérant : Paul Roussel", "Monsieur Alex Winter", "Merci de votre confiance.",
		"Assurance", "Transport", "Taux", "HT",
		"Adresse de livraison", "Service comptabilité", "Merci de régler cette facture avant le %s."},
	"es": {"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "N.º de cliente", "Fecha de entrega", "Albarán", "Contacto", "Registro",
		"Empresa", "Calle", "Ciudad", "País", "Teléfono", "Datos bancarios", "Titular", "Registro Mercantil de Málaga, tomo 4711", "Administrador: Luis Vidal", "Sr. Alex Winter", "Gracias por su pedido.",
		"Seguro", "Portes", "Tipo", "Base",
		"Dirección de entrega", "Departamento de contabilidad", "Rogamos el pago antes del %s."},
	"it": {"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", "Codice cliente", "Data di consegna", "DDT", "Contatto", "Codice fiscale",
		"Azienda", "Via", "Città", "Paese", "Telefono", "Coordinate bancarie", "Intestatario", "REA MO 471188", "Amministratore: Carlo Bellini", "Gentile Alex Winter", "Grazie per l'ordine.",
		"Assicurazione", "Trasporto", "Aliquota", "Imponibile",
		"Indirizzo di consegna", "Ufficio contabilità", "Si prega di pagare entro il %s."},
	"nl": {"januari februari maart april mei juni juli augustus september oktober november december", "Klantnummer", "Leverdatum", "Pakbon", "Contactpersoon", "KvK",
		"Bedrijf", "Straat", "Plaats", "Land", "Telefoon", "Bankgegevens", "Ten name van", "KvK Amsterdam 34118811", "Directeur: P. de Wit", "De heer Alex Winter", "Dank voor uw bestelling.",
		"Verzekering", "Vracht", "Tarief", "Netto",
		"Afleveradres", "Afdeling crediteuren", "Gelieve te betalen vóór %s."},
}

// ownLines are the lines of the seller's letterhead, and address those of the buyer.
func (p *paper) ownLines() []string {
	lines := append([]string{p.from.name}, p.from.lines...)
	if p.IntN(2) == 0 {
		lines = append(lines, p.from.land)
	}
	return lines
}

func (p *paper) address() []string {
	lines := append([]string{p.to.name}, p.to.lines...)
	if p.to.code != p.from.code {
		lines = append(lines, pick(&p.draft, []string{p.to.land, strings.ToUpper(p.to.land)}))
	}
	return lines
}

func (p *paper) contactLines() []string {
	lines := []string{paperWords[p.code].phone + ": +49 40 123456", "info@example.com", "www.example.com"}
	return lines[:p.IntN(4)]
}

func (p *paper) vatLine() string {
	return p.label("vat") + pick(&p.draft, []string{": ", " "}) + p.from.vat
}

// placeSeller writes the seller at the head; its VAT number is there or in the foot.
func (p *paper) placeSeller(place string) {
	lines := append(p.ownLines(), p.contactLines()...)
	if p.from.vat != "" && p.IntN(2) == 0 && place != "footer" && place != "logo" && place != "line" {
		lines = append(lines, p.vatLine())
		p.want["vat shown"] = "yes"
	}
	switch place {
	case "left":
		p.put(p.x, 800, 14, lines[0])
		p.column(p.x, 784, 11, lines[1:]...)
	case "right":
		p.column(380, 800, 11, lines...)
	case "flushright":
		p.flush(545, 800, 11, 9, lines...)
	case "centred":
		p.middle(297, 805, 11, 16, lines[0])
		p.middle(297, 790, 11, 9, lines[1:]...)
	case "line":
		p.put(p.x, 690, 7, strings.Join(append([]string{p.from.name}, p.from.lines...), pick(&p.draft, []string{" · ", " - ", ", ", " | "})))
	case "logo":
		p.put(p.x, 800, 20, p.from.name)
	}
}

// placeBuyer writes the buyer, with or without a label.
func (p *paper) placeBuyer(place, seller string) {
	y, words := 670.0, paperWords[p.code]
	lines := p.address()
	switch place {
	case "window":
		p.column(p.x, y, 12, lines...)
	case "labelled":
		p.put(p.x, y+12, 8, p.label("buyer")+pick(&p.draft, []string{"", ":"}))
		p.column(p.x, y, 12, lines...)
	case "flushright":
		p.put(p.x, y, 9, p.label("buyer")+":")
		p.flush(545, y, 12, 9, lines...)
	case "centred":
		p.middle(150, y+14, 12, 8, p.label("buyer"))
		p.middle(150, y, 12, 9, lines...)
	case "pairs":
		p.put(p.x, y+12, 9, p.label("buyer"))
		p.pairsAt(p.x, y, 12, 90, append([]pair{{words.company + ":", lines[0]}, {words.street + ":", strings.Join(p.to.lines[:len(p.to.lines)-1], ", ")}, {words.town + ":", p.to.lines[len(p.to.lines)-1]}},
			pair{words.land + ":", p.to.land}))
	case "salutation":
		p.put(p.x, y+12, 9, map[string]string{"en": "To", "de": "Firma", "fr": "À", "es": "A", "it": "Spett.le", "nl": "Aan"}[p.code])
		p.column(p.x, y, 12, append([]string{lines[0], words.salutation}, lines[1:]...)...)
	case "inline":
		p.put(p.x, y, 9, p.label("buyer")+": "+strings.Join(lines, ", "))
	case "delivery": // beside the address to which the goods go
		p.put(p.x, y+14, 8, p.label("buyer"))
		p.put(310, y+14, 8, words.delivery)
		p.column(p.x, y, 11, lines...)
		p.column(310, y, 11, append([]string{"Depot Nord"}, "Ringweg 9", "5611 AA Eindhoven")...)
	case "department":
		p.put(p.x, y+12, 8, p.label("buyer"))
		p.column(p.x, y, 12, append([]string{lines[0], words.department}, lines[1:]...)...)
	case "capitals": // the legal form on a line of its own
		name, form := lines[0], ""
		if at := strings.LastIndexByte(name, ' '); strings.Contains("LLP Inc. OHG SARL SA S.L. S.A. S.p.A. B.V. NV", name[at+1:]) {
			name, form = name[:at], name[at+1:]
		}
		own := []string{strings.ToUpper(name)}
		if form != "" {
			own = append(own, form)
		}
		p.want["buyer.name"] = "^" + strings.TrimSpace(own[0])
		p.column(p.x, y, 12, append(own, lines[1:]...)...)
	case "boxed":
		p.put(p.x, y+14, 8, p.label("buyer"))
		p.put(310, y+14, 8, words.delivered)
		p.column(p.x, y, 11, lines...)
		p.put(310, y, 9, p.date(p.day.AddDate(0, 0, -4)))
	}
}

// placeReferences writes the title and the references, and moves below them.
func (p *paper) placeReferences(place, seller string) {
	title := pick(&p.draft, []string{strings.ToUpper(p.label("title")), p.label("title")})
	y := 560.0
	heads := p.heads
	if place == "title" {
		w := &p.written
		number, day, others := w.titled(heads)
		p.put(p.x, y, 14, p.label("title")+" "+numberWord[p.code]+" "+number+" "+joining[p.code]+" "+day)
		heads, place = others, "columns"
	} else {
		p.put(p.x, y, 15, title)
	}
	y -= 20
	switch place {
	case "sentence": // the place and the day of issue above, and the day of payment in a sentence
		y = p.inSentences(heads, y)
	case "colons":
		for _, h := range heads {
			p.put(p.x, y, 9, h.label+": "+h.value)
			y -= 12
		}
	case "columns":
		y = p.pairsAt(p.x, y, 12, 140, heads)
	case "row":
		for i, h := range heads {
			x, at := p.x+float64(i%4)*125, y-float64(i/4)*28
			p.put(x, at, 7, h.label)
			p.put(x, at-11, 9, h.value)
		}
		y -= float64((len(heads)+3)/4) * 28
	case "twice":
		for i, h := range heads {
			x, at := p.x+float64(i%2)*250, y-float64(i/2)*13
			p.put(x, at, 9, h.label+":")
			p.put(x+130, at, 9, h.value)
		}
		y -= float64((len(heads)+1)/2) * 13
	case "flushright":
		for _, h := range heads {
			p.flush(440, y, 12, 9, h.label+":")
			p.flush(545, y, 12, 9, h.value)
			y -= 12
		}
	}
	p.y = y
}

// inSentences writes the place before the day of issue, and the day of payment in a sentence.
func (p *paper) inSentences(heads []pair, y float64) float64 {
	for _, h := range heads {
		switch h.label {
		case p.label("invoiceDate"):
			p.flush(545, 580, 12, 9, p.from.town+map[string]string{"de": ", den ", "fr": ", le ", "it": ", "}[p.code]+map[bool]string{true: ", "}[p.code == "en" || p.code == "es" || p.code == "nl"]+h.value)
		case p.label("dueDate"):
			p.put(p.x, 150, 9, fmt.Sprintf(paperWords[p.code].dueSentence, h.value))
		default:
			p.put(p.x, y, 9, h.label+": "+h.value)
			y -= 12
		}
	}
	return y
}

// shortTable writes the goods with numbers at the right edges of their columns.
func (p *paper) shortTable(rows [][]string) {
	switch p.IntN(3) {
	case 0:
		p.formTable(rows)
	default:
		p.table(rows, p.IntN(4))
	}
}

// footer writes the bank, the register and the number of taxation in columns or lines at the foot.
func (p *paper) footer(style int, wholeSeller bool) {
	words := paperWords[p.code]
	shown := p.want["vat shown"] != ""
	delete(p.want, "vat shown")
	own := append([]string{p.from.name}, p.from.lines...)
	bank := []string{words.bank, "Nordbank", "IBAN: DE89370400440532013000", "BIC: COBADEFFXXX"}
	if p.IntN(2) == 0 {
		bank = append(bank, words.holder+": "+p.from.name)
	}
	legal := []string{words.court, words.managers}
	if p.from.vat != "" && !shown {
		legal = append(legal, p.vatLine())
	}
	switch {
	case wholeSeller && style%2 == 0:
		p.column(p.x, 70, 10, own...)
		p.column(230, 70, 10, bank...)
		p.column(400, 70, 10, legal...)
	case wholeSeller:
		p.middle(297, 60, 11, 8, strings.Join(own, " · "), strings.Join(bank, " · "), strings.Join(legal, " · "))
	case style == 0:
		p.column(p.x, 70, 10, bank...)
		p.column(300, 70, 10, legal...)
	case style == 1:
		p.middle(297, 60, 11, 8, strings.Join(bank[1:], "  "), strings.Join(legal, "  "))
	default:
		p.put(p.x, 120, 9, words.thanks)
		p.column(p.x, 70, 10, legal...)
		p.put(300, 70, 9, fmt.Sprint(strings.Join(bank[1:], ", ")))
	}
}
