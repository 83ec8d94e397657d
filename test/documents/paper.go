package documents

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Papers are invoices composed at random of parts: where the seller, the buyer and the references stand and how they are
// aligned, how dates are written, how the table and the totals look, and what the foot says. All of them are of the
// development side.
func Papers() []Sample {
	var samples []Sample
	for l, lang := range languages() {
		for n := range papersPerLanguage {
			random := rand.New(rand.NewPCG(1907, uint64(l*1000+n)))
			samples = append(samples, newPaper(random, lang, n))
		}
	}
	return samples
}

const papersPerLanguage = 120

// Parts of papers: places of the seller, of the buyer and of the references.
var (
	paperSellers    = []string{"left", "right", "flushright", "centred", "line", "footer", "logo"}
	paperBuyers     = []string{"window", "labelled", "flushright", "centred", "pairs", "salutation", "inline", "boxed", "delivery", "department", "capitals"}
	paperReferences = []string{"colons", "columns", "row", "title", "twice", "flushright", "sentence"}
)

// firm is a party of papers: its name, the lines of its address, and what they mean.
type firm struct {
	name             string
	lines            []string
	town, code, land string
	vat              string
}

var paperFirms = map[string][]firm{
	"en": {
		{"Total Fitness Equipment Ltd", []string{"22 Delivery Road", "Bristol BS1 6XN"}, "Bristol", "GB", "United Kingdom", "GB333289454"},
		{"Freight & Transport Services Ltd", []string{"Port House, 3 Dock Street", "Hull HU1 2AA"}, "Hull", "GB", "United Kingdom", "GB614239987"},
		{"Date Palm Foods", []string{"8 Market Place", "York YO1 8RZ"}, "York", "GB", "United Kingdom", "GB771204561"},
		{"Ashdown Fixings Limited", []string{"Unit 14, Weald Park", "Uckfield", "East Sussex", "TN22 1QT"}, "Uckfield", "GB", "United Kingdom", "GB245719348"},
		{"Marlow & Prentice LLP", []string{"Kings House, 9-11 Castle Row", "Norwich NR2 1DD"}, "Norwich", "GB", "United Kingdom", "GB118276345"},
		{"Redfern Garden Supplies", []string{"The Old Dairy", "Church Road", "Ludlow", "SY8 1AZ"}, "Ludlow", "GB", "United Kingdom", "GB902184756"},
		{"Calder Instruments Inc.", []string{"4100 Lakeside Drive, Suite 210", "Austin, TX 78701"}, "Austin", "US", "USA", ""},
	},
	"de": {
		{"Transport Müller GmbH", []string{"Versandstraße 8", "90402 Nürnberg"}, "Nürnberg", "DE", "Deutschland", "DE198765432"},
		{"Gross & Partner", []string{"Postfach 12 34", "10115 Berlin"}, "Berlin", "DE", "Deutschland", "DE176543219"},
		{"Hotel am Hafen", []string{"An der Alster 72", "20099 Hamburg"}, "Hamburg", "DE", "Deutschland", "DE165432198"},
		{"Möbelhof Anders", []string{"Bahnhofstraße 17", "34117 Kassel"}, "Kassel", "DE", "Deutschland", "DE214365870"},
		{"Schreiber & Söhne OHG", []string{"Industriestr. 4-6", "D-70565 Stuttgart"}, "Stuttgart", "DE", "Deutschland", "DE811907980"},
		{"Ingenieurbüro Dr. Petra Holm", []string{"Am Stadtgraben 2a", "48143 Münster"}, "Münster", "DE", "Deutschland", "DE129273398"},
		{"Alpenfein Käserei GmbH & Co. KG", []string{"Hauptplatz 3", "A-6020 Innsbruck"}, "Innsbruck", "AT", "Österreich", "ATU62345678"},
	},
	"fr": {
		{"Transports Duval SAS", []string{"Zone du Port", "2 quai des Marchandises", "76600 Le Havre"}, "Le Havre", "FR", "France", "FR52410409460"},
		{"Le Fournil", []string{"1 bis, impasse des Lilas", "35000 Rennes"}, "Rennes", "FR", "France", "FR18535200847"},
		{"Établissements Roussel", []string{"ZI des Grands Prés", "18, rue de l'Industrie", "59000 LILLE"}, "Lille", "FR", "France", "FR40303265045"},
		{"La Ferme du Moulin SARL", []string{"Lieu-dit Le Bourg", "24200 Sarlat-la-Canéda"}, "Sarlat-la-Canéda", "FR", "France", "FR83404833048"},
		{"Boulangerie Martin", []string{"5 place de la République", "13001 Marseille"}, "Marseille", "FR", "France", "FR61954506077"},
		{"Horlogerie Perrin SA", []string{"Rue du Rhône 42", "CH-1204 Genève"}, "Genève", "CH", "Suisse", "CHE-116.281.710"},
	},
	"es": {
		{"Transportes Ruiz S.L.", []string{"Puerto Pesquero s/n", "36202 Vigo (Pontevedra)"}, "Vigo", "ES", "España", "ESB36114422"},
		{"Aceites del Sur S.L.", []string{"Polígono Industrial La Vega, nave 7", "29651 Mijas (Málaga)"}, "Mijas", "ES", "España", "ESB29805314"},
		{"Hijos de Ramón Vidal", []string{"C/ Sant Pere, 33, 2º", "08003 Barcelona"}, "Barcelona", "ES", "España", "ESA08215477"},
		{"Suministros Navarro S.A.", []string{"Avda. de la Paz 101", "50012 Zaragoza"}, "Zaragoza", "ES", "España", "ESA50112233"},
	},
	"it": {
		{"Trasporti Neri S.r.l.", []string{"Via del Porto 4/B", "57123 Livorno LI"}, "Livorno", "IT", "Italia", "IT01234509876"},
		{"Ceramiche Bellini S.p.A.", []string{"Via dell'Artigianato, 15", "41042 Fiorano Modenese (MO)"}, "Fiorano Modenese", "IT", "Italia", "IT02345678901"},
		{"Studio Tecnico Ferri", []string{"Piazza Dante 8", "16121 Genova"}, "Genova", "IT", "Italia", "IT01928374650"},
		{"Tessitura Colombo & C. snc", []string{"Strada Provinciale 12, km 3", "22063 Cantù (CO)"}, "Cantù", "IT", "Italia", "IT00737811209"},
	},
	"nl": {
		{"Van den Berg", []string{"Kade 1", "4381 LA Vlissingen"}, "Vlissingen", "NL", "Nederland", "NL112233445B01"},
		{"Transport De Boer B.V.", []string{"Havenstraat 100 unit 2", "2583 NW Den Haag"}, "Den Haag", "NL", "Nederland", "NL556677889B01"},
		{"Bloemenhandel De Wit", []string{"Legmeerdijk 313", "1431 GB Aalsmeer"}, "Aalsmeer", "NL", "Nederland", "NL823456789B01"},
		{"Jansen Scheepsbouw B.V.", []string{"Postbus 140", "3330 AC Zwijndrecht"}, "Zwijndrecht", "NL", "Nederland", "NL001234567B12"},
		{"Drukkerij Peeters NV", []string{"Nijverheidslaan 22", "B-2030 Antwerpen"}, "Antwerpen", "BE", "België", "BE0417497106"},
	},
}

// paper is an invoice while it is composed.
type paper struct {
	written
	from, to firm
	day      time.Time
	form     int    // how dates are written
	heads    []pair // references with their values
}

func newPaper(random *rand.Rand, lang language, n int) Sample {
	p := &paper{written: written{draft: draft{Rand: random, language: lang, layout: "paper", want: map[string]string{}, labels: map[string]string{}}, x: 50}}
	own := paperFirms[lang.code]
	p.from, p.to = own[p.IntN(len(own))], pick(&p.draft, paperFirms[pick(&p.draft, []string{lang.code, lang.code, "en", "de", "fr"})])
	for p.to.name == p.from.name {
		p.to = own[p.IntN(len(own))]
	}
	p.form = p.IntN(6)
	p.currency = pick(&p.draft, []string{"EUR", "EUR", "GBP", "USD", "CHF"})
	p.want["currency"] = p.currency
	p.wantParties()
	p.references()
	seller, buyer, refs := paperSellers[n%len(paperSellers)], paperBuyers[n%len(paperBuyers)], paperReferences[n/2%len(paperReferences)]
	p.y = 540
	p.placeSeller(seller)
	p.placeBuyer(buyer, seller)
	p.placeReferences(refs, seller)
	p.y -= 30
	table := p.goods()
	p.shortTable(table)
	p.sums(n % paperSums)
	p.footer(p.IntN(4), seller == "footer" || seller == "logo")
	delete(p.want, "sum")
	name := fmt.Sprintf("%s/%s/%s-%s-%d", seller, buyer, refs, lang.code, n)
	return Sample{Name: name, Type: "invoice", Format: "pdf", File: p.file(), Want: p.want}
}

func (p *paper) wantParties() {
	for role, f := range map[string]firm{"seller": p.from, "buyer": p.to} {
		p.want[role+".name"], p.want[role+".country"], p.want[role+".address"] = "^"+f.name, f.code, "~"+f.town
	}
	if p.from.vat != "" {
		p.want["seller.vatNumber"] = compact(p.from.vat)
	}
}

func compact(number string) string { return strings.NewReplacer(".", "", "-", "").Replace(number) }

// date writes a day in words, in figures with points or strokes, or as ISO 8601 does.
func (p *paper) date(day time.Time) string {
	months := strings.Fields(paperWords[p.code].months)
	month := months[day.Month()-1]
	switch {
	case p.form == 0 && p.code == "en":
		return day.Format("2 January 2006")
	case p.form == 1 && p.code == "en":
		return day.Format("January 2, 2006")
	case p.form == 0 && p.code == "de":
		return fmt.Sprintf("%d. %s %d", day.Day(), month, day.Year())
	case p.form == 0 && p.code == "es":
		return fmt.Sprintf("%d de %s de %d", day.Day(), month, day.Year())
	case p.form == 0:
		return fmt.Sprintf("%d %s %d", day.Day(), month, day.Year())
	case p.form == 1 && p.code != "de":
		return day.Format("02/01/2006")
	case p.form == 2:
		return day.Format(time.DateOnly)
	case p.form == 3 && p.code == "en":
		return day.Format("02-Jan-2006")
	case p.form == 4 && p.code == "en":
		return day.Format("Mon 2 Jan 2006")
	case p.form == 5 && p.code != "en":
		return day.Format("02.01.06")
	}
	return day.Format("02.01.2006")
}

// references draws the numbers and dates of the invoice, among them some that the reader has no field for.
func (p *paper) references() {
	words := paperWords[p.code]
	p.day = time.Date(2026, time.Month(1+p.IntN(12)), 13+p.IntN(15), 0, 0, 0, 0, time.UTC)
	number := pick(&p.draft, []string{"2026-0%d", "RE%d", "%d", "26/%d", "FA-26-%d", "%d/A"})
	number = fmt.Sprintf(number, 1000+p.IntN(9000))
	p.heads = append(p.heads, pair{p.label("invoiceNumber"), number}, pair{p.label("invoiceDate"), p.date(p.day)})
	p.want["invoiceNumber"], p.want["invoiceDate"] = number, p.day.Format(time.DateOnly)
	if p.IntN(2) == 0 {
		due := p.day.AddDate(0, 0, 30)
		p.heads = append(p.heads, pair{p.label("dueDate"), p.date(due)})
		p.want["dueDate"] = due.Format(time.DateOnly)
	}
	if p.IntN(2) == 0 {
		order := fmt.Sprintf("B-%d", 40_000+p.IntN(9000))
		p.heads = append(p.heads, pair{p.label("purchaseOrderNumber"), order})
		p.want["purchaseOrderNumber"] = order
	}
	others := []pair{
		{words.customer, fmt.Sprint(10_000 + p.IntN(9000))}, {words.delivered, p.date(p.day.AddDate(0, 0, -4))},
		{words.note, fmt.Sprintf("L%d", 1000+p.IntN(9000))}, {words.clerk, pick(&p.draft, []string{"Robin Sample", "A. Keller", "Ms Duval"})},
		{words.tax, fmt.Sprintf("%d/%d", 100+p.IntN(800), 1000+p.IntN(9000))},
	}
	p.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	p.heads = append(p.heads, others[:p.IntN(4)]...)
	p.Shuffle(len(p.heads), func(i, j int) { p.heads[i], p.heads[j] = p.heads[j], p.heads[i] })
}

// helvetica are the widths of the characters from space to tilde in thousandths of the size, as Adobe's metrics give them; others are
// as wide as an n.
var helvetica = [95]float64{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// advance is the width of a text in points.
func advance(text string, size float64) (sum float64) {
	for _, r := range text {
		w := 556.0
		if r >= ' ' && r <= '~' {
			w = helvetica[r-' ']
		}
		sum += w
	}
	return sum * size / 1000
}

// flush writes lines that end at a place, middle lines around one.
func (p *paper) flush(right, y, step, size float64, lines ...string) {
	for i, line := range lines {
		p.put(right-advance(line, size), y-float64(i)*step, size, line)
	}
}

func (p *paper) middle(x, y, step, size float64, lines ...string) {
	for i, line := range lines {
		p.put(x-advance(line, size)/2, y-float64(i)*step, size, line)
	}
}
