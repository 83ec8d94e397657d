package documents

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"
)

//go:embed wordings.txt
var wordingsText string

// language is the wordings of one language, by field: for development, and held apart.
type language struct {
	code, date string
	comma      bool
	words      map[string][2][]string
}

// Layouts are the ways in which generated invoices are laid out.
var Layouts = []string{"lines", "boxes", "columns", "pairs", "flat", "sheet"}

// perLayout is the number of documents of each language and layout.
const perLayout = 6

// Generated returns invoices of generated content: each in a language and a layout, with labels drawn from that
// language's wordings. The name of a sample begins with its layout and language.
func Generated() []Sample {
	var samples []Sample
	for _, side := range []int{0, 1} {
		for l, lang := range languages() {
			for y, layout := range Layouts {
				for n := range perLayout {
					random := rand.New(rand.NewPCG(uint64(1+side), uint64(l*10_000+y*100+n)))
					samples = append(samples, generate(random, lang, layout, side))
				}
			}
		}
	}
	return samples
}

func languages() (found []language) {
	for line := range strings.Lines(wordingsText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			_, rest, _ := strings.Cut(line, "date=")
			date, comma, _ := strings.Cut(rest, "; comma=")
			found = append(found, language{code: line[1:3], date: date, comma: comma == "yes", words: map[string][2][]string{}})
		default:
			field, list, _ := strings.Cut(line, ": ")
			made, held, _ := strings.Cut(list, " | ")
			found[len(found)-1].words[field] = [2][]string{strings.Split(made, "; "), strings.Split(held, "; ")}
		}
	}
	return found
}

// draft is an invoice while it is generated.
type draft struct {
	*rand.Rand
	language
	side   int
	layout string
	want   map[string]string
	labels map[string]string

	disturbed bool // some labels are distorted
}

func (d *draft) label(field string) string {
	if d.labels[field] == "" {
		d.labels[field] = pick(d, d.words[field][d.side])
		if d.disturbed && d.IntN(distorted) == 0 {
			d.labels[field] = d.distort(d.labels[field])
		}
	}
	return d.labels[field]
}

func pick[T any](d *draft, from []T) T { return from[d.IntN(len(from))] }

var (
	firms = []string{"Brenwick Tools Ltd", "Hafenkraft GmbH", "Atelier Corvane SARL", "Molino Terrán S.L.", "Officine Velluti S.p.A.", "Van Rijssel B.V.",
		"Tidefall Trading Ltd", "Nordwerk AG", "Lumivert SAS", "Oriol Cerámicas S.A.", "Fratelli Gandossi S.r.l.", "De Kempen Import B.V."}
	wares = []string{"Oak shelf brackets", "Ceramic mug 300 ml", "Stainless hinge 40 mm", "Cotton tea towel", "LED desk lamp", "Bicycle bell brass", "Glass carafe 1 l", "Linen cushion cover"}
	codes = []string{"4421999900", "69120023", "8302100000", "6302910000", "94052000", "8306100000", "70134999", "630492"}
	lands = []string{"DE", "FR", "IT", "ES", "NL", "CN", "VN", "TR", "IN", "PL"}
	money = []string{"EUR", "GBP", "USD", "CHF"}
)

func generate(random *rand.Rand, lang language, layout string, side int) Sample {
	d := &draft{Rand: random, language: lang, side: side, layout: layout, want: map[string]string{}, labels: map[string]string{}}
	file, format := d.render()
	return Sample{Name: layout + "-" + lang.code, Type: "invoice", Format: format, File: file, Want: d.want, Held: side == 1}
}

// amount writes hundredths in the language's notation.
func (d *draft) amount(cents int) string {
	plain := fmt.Sprintf("%d.%02d", cents/100, cents%100)
	if d.comma {
		if cents >= 100_000 && d.layout != "flat" && d.layout != "sheet" {
			plain = fmt.Sprintf("%d.%03d,%02d", cents/100_000, cents/100%1000, cents%100)
		}
		if d.layout == "sheet" {
			return plain
		}
		return strings.Replace(plain, ".", ",", boolean(!strings.Contains(plain, ",")))
	}
	return plain
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func decimal(cents int) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%02d", cents/100, cents%100), "0"), ".")
}

// pair is a label with its value.
type pair struct{ label, value string }

// heads returns the fields of the whole invoice.
func (d *draft) heads() (pairs []pair) {
	day := time.Date(2026, time.Month(1+d.IntN(12)), 13+d.IntN(15), 0, 0, 0, 0, time.UTC)
	put := func(field, value, want string) {
		pairs = append(pairs, pair{d.label(field), value})
		d.want[field] = want
	}
	number := fmt.Sprintf("%s-%d", pick(d, []string{"INV", "R", "F26", "A"}), 1000+d.IntN(9000))
	put("invoiceNumber", number, number)
	put("invoiceDate", day.Format(d.dates()), day.Format(time.DateOnly))
	put("currency", d.want["currency"], d.want["currency"])
	if d.IntN(2) == 0 {
		due := day.AddDate(0, 0, 30)
		put("dueDate", due.Format(d.dates()), due.Format(time.DateOnly))
	}
	if d.IntN(2) == 0 {
		order := fmt.Sprintf("PO%d", 10_000+d.IntN(90_000))
		put("purchaseOrderNumber", order, order)
	}
	if d.IntN(2) == 0 {
		pairs = append(pairs, pair{d.label("incoterm"), "CIP Dover"})
		d.want["incoterm"], d.want["incotermPlace"] = "CIP", "Dover"
	}
	d.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return pairs
}

func (d *draft) dates() string {
	if d.layout == "flat" || d.layout == "sheet" {
		return time.DateOnly
	}
	return d.date
}

// goods returns the header and the lines of the table.
func (d *draft) goods() [][]string {
	columns := []string{"description", "code", "quantity", "price", "amount"}
	if d.IntN(2) == 0 {
		columns = []string{"code", "description", "origin", "quantity", "price", "amount"}
	}
	if d.IntN(2) == 0 {
		columns = append(columns, "net")
	}
	var table [][]string
	var head []string
	for _, c := range columns {
		head = append(head, d.label(c))
	}
	table = append(table, head)
	sum := 0
	for n := range 2 + d.IntN(4) {
		ware := d.IntN(len(wares))
		quantity, price, net := 2+d.IntN(200), 50+d.IntN(4000), 100*(1+d.IntN(300))
		sum += quantity * price
		land := pick(d, lands)
		at := fmt.Sprintf("lineItems[%d].", n)
		values := map[string]pair{
			"description": {"description", wares[ware]}, "code": {"commodityCode", codes[ware]}, "quantity": {"quantity", fmt.Sprint(quantity)},
			"price": {"unitPrice", decimal(price)}, "amount": {"amount", decimal(quantity * price)}, "origin": {"countryOfOrigin", land}, "net": {"netMassKg", decimal(net)},
		}
		written := map[string]string{
			"description": wares[ware], "code": codes[ware], "quantity": fmt.Sprint(quantity), "price": d.amount(price), "amount": d.amount(quantity * price), "origin": land,
			"net": decimal(net),
		}
		var row []string
		for _, c := range columns {
			row = append(row, written[c])
			d.want[at+values[c].label] = values[c].value
		}
		table = append(table, row)
	}
	d.want["sum"] = fmt.Sprint(sum)
	return table
}

// feet returns the totals and the fields of the consignment.
func (d *draft) feet() (pairs []pair) {
	var sum int
	fmt.Sscan(d.want["sum"], &sum)
	tax := sum / 5
	put := func(field, member, value, want string) {
		pairs = append(pairs, pair{d.label(field), value})
		d.want[member] = want
	}
	put("goods", "totals.goods", d.amount(sum), decimal(sum))
	put("tax", "totals.vat", d.amount(tax), decimal(tax))
	put("grand", "totals.grand", d.amount(sum+tax), decimal(sum+tax))
	gross, packages := 5000+d.IntN(4000), 1+d.IntN(60)
	put("gross", "grossMassKg", fmt.Sprintf("%d kg", gross), fmt.Sprint(gross))
	if d.IntN(2) == 0 {
		put("net", "netMassKg", fmt.Sprintf("%d kg", gross-200), fmt.Sprint(gross-200))
	}
	put("packages", "packageCount", fmt.Sprint(packages), fmt.Sprint(packages))
	if d.want["lineItems[0].countryOfOrigin"] == "" {
		land := pick(d, lands)
		put("origin", "countryOfOrigin", land, land)
	}
	return pairs
}

// parties returns the lines about seller and buyer.
func (d *draft) parties() (seller, buyer []string) {
	s := d.IntN(len(firms))
	b := (s + 1 + d.IntN(len(firms)-1)) % len(firms)
	d.want["seller.name"], d.want["buyer.name"] = firms[s], firms[b]
	vat := fmt.Sprintf("DE%09d", 100_000_000+d.IntN(899_999_999))
	d.want["seller.vatNumber"] = vat
	return []string{firms[s], "Hafenstr. 12", "20457 Hamburg", d.label("vat") + ": " + vat}, []string{firms[b], "14 Quay Street", "Dover CT17 9BU", "United Kingdom"}
}

func (d *draft) render() (file []byte, format string) {
	d.want["currency"] = pick(d, money)
	defer delete(d.want, "sum")
	heads, table := d.heads(), d.goods()
	feet := d.feet()
	seller, buyer := d.parties()
	switch d.layout {
	case "flat":
		return []byte(d.flat(heads, table, seller, buyer)), "csv"
	case "pairs", "sheet":
		delete(d.want, "seller.vatNumber")
		var rows [][]string
		rows = append(rows, []string{d.label("title")}, []string{d.label("seller"), seller[0]}, []string{d.label("buyer"), buyer[0]})
		for _, p := range heads {
			rows = append(rows, []string{p.label, p.value})
		}
		rows = append(append(rows, []string{""}), table...)
		rows = append(rows, []string{""})
		for _, p := range feet {
			rows = append(rows, []string{p.label, p.value})
		}
		if d.layout == "pairs" {
			return []byte(csvText(rows, ";")), "csv"
		}
		book, err := workbook(csvText(rows, ","))
		if err != nil {
			panic(err)
		}
		return book, "xlsx"
	}
	text := d.page(heads, table, feet, seller, buyer)
	if d.layout == "lines" {
		return []byte(text), "text"
	}
	return PDF(text, Packed), "pdf"
}

func csvText(rows [][]string, comma string) string {
	var out strings.Builder
	for _, row := range rows {
		for i, c := range row {
			if i > 0 {
				out.WriteString(comma)
			}
			if strings.ContainsAny(c, comma+"\"") {
				c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
			}
			out.WriteString(c)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// spelling writes a header as a program would.
func (d *draft) spelling(text string, style int) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '°' })
	switch style {
	case 0:
		return text
	case 1:
		return strings.ToLower(strings.Join(words, "_"))
	}
	for i, w := range words {
		words[i] = strings.ToLower(w)
		if r := []rune(words[i]); i > 0 {
			words[i] = string(unicode.ToUpper(r[0])) + string(r[1:])
		}
	}
	return strings.Join(words, "")
}

// flat is one row for each line of goods, with the fields of the invoice repeated, and sometimes a column of no known
// name.
func (d *draft) flat(heads []pair, table [][]string, seller, buyer []string) string {
	for _, member := range []string{"totals.goods", "totals.vat", "totals.grand", "grossMassKg", "netMassKg", "packageCount", "countryOfOrigin", "seller.vatNumber"} {
		delete(d.want, member)
	}
	style := d.IntN(3)
	heads = append(heads, pair{d.label("seller"), seller[0]}, pair{d.label("buyer"), buyer[0]})
	unknown := d.IntN(2) == 0
	var rows [][]string
	for i, line := range table {
		var row []string
		for _, p := range heads {
			if i == 0 {
				row = append(row, d.spelling(p.label, style))
			} else {
				row = append(row, p.value)
			}
		}
		for _, c := range line {
			if i == 0 {
				c = d.spelling(c, style)
			}
			row = append(row, c)
		}
		if unknown {
			row = append(row, pick(d, []string{"zz7", "a", "qk"}))
			if i == 0 {
				row[len(row)-1] = "Xqz"
			}
		}
		rows = append(rows, row)
	}
	return csvText(rows, ";")
}
