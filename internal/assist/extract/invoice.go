package extract

import (
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func (r *reading) readInvoice(d *TradeDocument) {
	d.Seller, d.Buyer = r.sides()
	r.assignLooseNumbers(d.Seller, d.Buyer)
	r.shapedNumber(d.Seller, d.Buyer)
	r.completeCountries(d.Seller, d.Buyer)
	r.guessOrder(d.Seller)
	d.InvoiceKind = r.readCredit()
	d.InvoiceNumber = firstOf(r.candidates("invoiceNumber"), r.identifier)
	d.InvoiceDate = r.dateOf("invoiceDate", "invoiceNumber")
	if placed := r.placeAndDay(); placed != nil && (d.InvoiceDate == nil || d.InvoiceKind != nil && r.dateOf("invoiceDate") == nil) {
		d.InvoiceDate = placed // behind the number of a credit note may stand the date of the invoice
	}
	if d.InvoiceNumber == nil {
		r.readTitle(d)
	}
	if d.InvoiceNumber == nil {
		d.InvoiceNumber = r.plainNumber()
	}
	if d.InvoiceDate == nil {
		d.InvoiceDate = r.onlyDay()
	}
	if d.InvoiceReference = firstOf(r.candidates("invoiceReference"), r.identifier); d.InvoiceKind != nil {
		r.splitCredit(d)
	}
	if d.DueDate = r.dateOf("dueDate"); d.DueDate == nil {
		if d.DueDate = r.payUntil(); d.DueDate == nil {
			d.DueDate = r.collectedOn(d.InvoiceDate)
		}
	}
	if d.PurchaseOrderNumber = firstOf(yoursFirst(r.candidates("purchaseOrderNumber")), r.identifier); d.PurchaseOrderNumber == nil {
		d.PurchaseOrderNumber = firstOf(r.candidates("yourReference"), r.orderLike)
	}
	if d.PaymentTerms = firstOf(r.candidates("paymentTerms"), r.phraseOf); d.PaymentTerms == nil {
		d.PaymentTerms = r.paymentSentence()
	}
	r.readIncoterm(d)
	r.readShared(d)
	d.LineItems = r.lineItems()
	d.Totals = r.totals(d)
	d.Currency = r.currencyOf(d)
	if d.InvoiceKind != nil && !d.hasNegative() {
		d.InvoiceKind.Confidence = d.InvoiceKind.Confidence.times(fair)
	}
}

// guessOrder sets the order of dates by the sender's country if no date proves it.
func (r *reading) guessOrder(p *TradeParty) {
	if r.order != unknownOrder {
		return
	}
	r.guessed, r.order = true, dayFirst
	if p != nil && p.Country != nil && p.Country.Value == "US" {
		r.order = monthFirst
	}
}

func (r *reading) dateOf(keys ...key) *Text {
	all := r.candidates(keys...)
	for _, c := range all {
		for n := c.cell.number; n < len(c.cell.row.cells) && c.cell.row.cells[n].label == ""; n++ { // "No. and date"
			next := c.cell.row.cells[n]
			all = append(all, candidate{next.Text, next, c.label, 80, next.Plain})
		}
	}
	return firstOf(all, r.date)
}

// orderLike reads the buyer's reference, which mostly is the number of the order.
func (r *reading) orderLike(c candidate) (string, Confidence, bool) {
	text, _, ok := r.identifier(c)
	return text, doubtful, ok && strings.ContainsFunc(text, unicode.IsLetter)
}

var incoterm = lazyregexp.New(`(?i)\b(EXW|FCA|FAS|FOB|CFR|CNF|C&F|CIF|CPT|CIP|DAP|DPU|DAT|DDP)\b[ ,:-]*`)

var incotermYear = lazyregexp.New(`(?i)[ ,;(-]*(?:\(?incoterms?\b.*|\b20[12]\d\b\)?.*)$`)

// readIncoterm reads the term and its place: after a label, or in capitals at the beginning of
// a line.
func (r *reading) readIncoterm(d *TradeDocument) {
	all := r.candidates("incoterm", "paymentTerms")
	for _, row := range r.rows {
		for _, c := range row.cells {
			m := incoterm.FindStringIndex(c.Text)
			if m == nil || c.taken || c.label == "totals.grand" || c.Text[m[0]:m[0]+3] != strings.ToUpper(c.Text[m[0]:m[0]+3]) {
				continue
			}
			switch {
			case m[0] == 0:
				all = append(all, candidate{text: c.Text, cell: c, sure: 75})
			case len(c.words) <= maxSentence && (c.speaksOf("delivery") || incotermYear.MatchString(c.Text)):
				all = append(all, candidate{text: c.Text[:m[1]] + nameAt(c.Text[m[1]:]), cell: c, sure: 75})
			}
		}
	}
	for _, c := range all {
		m := incoterm.FindStringSubmatchIndex(c.text)
		if m == nil {
			continue
		}
		term := strings.ToUpper(c.text[m[2]:m[3]])
		if term == "CNF" || term == "C&F" {
			term = "CFR"
		}
		d.Incoterm = field(term, c, certain)
		place := strings.Trim(incotermYear.ReplaceAllString(c.text[m[1]:], ""), " ,.;()-")
		if len(place) > 2 && len(place) < 60 && numeral.FindString(place) != place {
			d.IncotermPlace = field(place, c, 95)
		}
		return
	}
}

// nameAt returns the words at the beginning of a text that are written as a name.
func nameAt(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if !unicode.IsUpper(firstLetter(w)) {
			words = words[:i]
			break
		}
	}
	return strings.Join(words, " ")
}

// readShared reads the fields of the whole consignment that all types of document may have.
func (r *reading) readShared(d *TradeDocument) {
	if d.CountryOfOrigin = firstOf(r.candidates("countryOfOrigin"), r.country); d.CountryOfOrigin == nil {
		d.CountryOfOrigin = r.originSentence()
	}
	d.PackageCount = firstOf(r.candidates("packageCount"), r.count)
	d.NetMassKg = firstOf(r.candidates("netMassKg"), r.mass)
	d.GrossMassKg = firstOf(r.candidates("grossMassKg"), r.mass)
	d.VolumeM3 = firstOf(r.candidates("volumeM3"), r.volume)
	defer r.readSentences(d)
	for _, t := range r.tables {
		if t.sums == nil {
			continue
		}
		fill(&d.NetMassKg, t.sums, "net", r.mass)
		fill(&d.GrossMassKg, t.sums, "gross", r.mass)
		fill(&d.VolumeM3, t.sums, "volume", r.volume)
		fill(&d.PackageCount, t.sums, "packages", r.count)
	}
}

// readSentences reads what sentences state of the whole consignment, if no label and no sum does.
func (r *reading) readSentences(d *TradeDocument) {
	if d.PackageCount == nil {
		d.PackageCount = r.packageSentence()
	}
	if d.NetMassKg == nil {
		d.NetMassKg = r.massSentence("net")
	}
	if d.GrossMassKg == nil {
		d.GrossMassKg = r.massSentence("gross")
	}
	if d.VolumeM3 == nil {
		d.VolumeM3 = r.volumeSentence()
	}
}

func fill[T any](to **Field[T], i *item, k key, read func(candidate) (T, Confidence, bool)) {
	if *to == nil {
		*to = fieldOf(i, k, read)
	}
}

// totals reads the sums. A sum labelled only Total is the amount to pay.
func (r *reading) totals(d *TradeDocument) *InvoiceTotals {
	t := InvoiceTotals{
		Goods: r.sum("totals.goods"), Freight: r.sum("totals.freight"), Insurance: r.sum("totals.insurance"),
		VAT: r.sum("totals.vat"), Grand: r.sum("totals.grand"),
	}
	r.fitTotals(&t)
	for _, table := range r.tables {
		if table.sums == nil {
			continue
		}
		to := &t.Grand
		if table.sums.row.cells[0].label == "totals.goods" {
			to = &t.Goods
		}
		fill(to, table.sums, "amount", r.amount)
	}
	if t.VAT == nil {
		t.VAT = r.sum("vatNumber") // "VAT 20 %: 12.00", where no number of registration follows
	}
	if t.Grand == nil {
		t.Grand = r.sum("dueDate") // "Due: 571.04"
	}
	if t.Grand == nil {
		t.Grand = r.payable()
	}
	if tax := nothing(t.VAT).Sign(); tax*nothing(t.Grand).Sign() < 0 || tax*nothing(t.Goods).Sign() < 0 {
		t.VAT = nil // of another line
	}
	r.completeTotals(&t, d.LineItems)
	if t == (InvoiceTotals{}) {
		return nil
	}
	return &t
}

// sum is the last amount that labels of a key have on their line or under them.
func (r *reading) sum(k key) *Amount {
	var best *Amount
	for _, f := range r.sums(k) {
		if best == nil || f.Confidence >= best.Confidence {
			best = f
		}
	}
	return best
}

// sums are the amounts that labels of a key have.
func (r *reading) sums(k key) (all []*Amount) {
	for _, row := range r.rows {
		for i, c := range row.cells {
			if c.taken || c.label != k {
				continue
			}
			if f := r.sumOf(c, i); f != nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// sumOf reads the amount of one label: the last one on its line.
func (r *reading) sumOf(c *cell, i int) *Amount {
	if c.label == "dueDate" && !r.statesMoney(c, i) {
		return nil
	}
	if c.label == "vatNumber" && !isTotalsHeader(c.row) && !percent.MatchString(c.Text) && !strings.Contains(c.hint, "%") && !r.statesMoney(c, i) {
		return nil
	}
	for n := len(c.row.cells) - 1; n > i; n-- {
		last := c.row.cells[n]
		if last.label != "" {
			break
		}
		if v, sure, ok := r.amount(candidate{text: last.Text, plain: last.Plain}); ok {
			return field(v, candidate{cell: last, label: c, sure: beside}, sure)
		}
	}
	if c.rest != "" {
		text := afterWords(c.rest)
		if !c.colon {
			text = dashed.ReplaceAllString(text, "") // "Total - EUR 12.00"
		}
		if v, sure, ok := r.amount(candidate{text: text, plain: c.Plain}); ok {
			return field(v, candidate{cell: c, label: c, sure: behindColon}, sure)
		}
		return nil
	}
	if n, ok := r.lastBelow(c); ok {
		return n
	}
	if under := r.under(c); under != nil && c.label != "vatNumber" {
		if v, sure, ok := r.amount(candidate{text: under.Text, plain: under.Plain}); ok {
			return field(v, candidate{cell: under, label: c, sure: beneath}, sure)
		}
	}
	return nil
}

// dashed matches a dash that stands between a label and its value.
var dashed = lazyregexp.New(`^[-–−] +`)

// hundredths matches an amount of money with its fraction.
var hundredths = lazyregexp.New(`^[^\d]{0,5}\d[\d .,'’]*[.,]\d\d[^\d]{0,5}$`)

// statesMoney reports whether an amount of money and no number or date follows a label such as VAT or due.
func (r *reading) statesMoney(c *cell, i int) bool {
	last := c.row.cells[len(c.row.cells)-1]
	return i+1 < len(c.row.cells) && hundredths.MatchString(last.Text) || last == c && hundredths.MatchString(c.rest)
}

// afterWords returns the text after the last colon.
func afterWords(text string) string { return text[strings.LastIndexByte(text, ':')+1:] }

// currencyOf returns the currency that a label names, or otherwise the one of most amounts and
// column headers.
func (r *reading) currencyOf(d *TradeDocument) *Text {
	if f := firstOf(r.candidates("currency"), r.currency); f != nil && f.Confidence > 80 {
		return f
	}
	votes := map[string]int{}
	first := map[string]candidate{}
	vote := func(c *cell, weight int) {
		code, named := findCurrency(c.Text)
		if code == "" {
			return
		}
		if named {
			weight *= 3
		} else if own, ok := dollars[signOf(c.Text)+countryOf(d.Seller)]; ok {
			code = own
		}
		votes[code] += weight
		if _, known := first[code]; !known {
			first[code] = candidate{cell: c, sure: 90}
		}
	}
	for _, t := range r.tables {
		for _, col := range t.columns {
			if col.key == "amount" || col.key == "unitPrice" {
				vote(col.head, 3)
			}
		}
	}
	for _, row := range r.rows {
		for i, c := range row.cells {
			if _, isAmount := findNumber(c.Text, r.style); isAmount || strings.HasPrefix(string(c.label), "totals.") || i > 0 && strings.HasPrefix(string(row.cells[i-1].label), "totals.") {
				vote(c, 1)
			}
		}
	}
	best := ""
	for code := range strings.FieldsSeq(currencyCodes) {
		if votes[code] > votes[best] {
			best = code
		}
	}
	if best == "" {
		return r.currencyAnywhere()
	}
	share := Confidence(100)
	if len(votes) > 1 {
		share = 80
	}
	return field(best, first[best], share)
}

// currencyAnywhere returns the only currency that the document names in any place.
func (r *reading) currencyAnywhere() (only *Text) {
	for _, row := range r.rows {
		for _, c := range row.cells {
			code, _ := findCurrency(c.Text)
			if code == "" {
				continue
			}
			if only != nil && only.Value != code {
				return nil
			}
			if only == nil {
				only = field(code, candidate{cell: c, sure: beneath}, fair)
			}
		}
	}
	return only
}

func countryOf(p *TradeParty) string {
	if p == nil || p.Country == nil {
		return ""
	}
	return p.Country.Value
}

// signOf returns the shared sign in a text: a dollar or yen sign without letters before it.
func signOf(text string) string {
	at := strings.IndexAny(text, "$¥")
	if at < 0 || at > 0 && text[at-1] >= 'A' && text[at-1] <= 'Z' {
		return ""
	}
	if text[at] == '$' {
		return "$"
	}
	return "¥"
}

// nothing returns no amount.
func nothing(a *Amount) quantity.Number {
	if a == nil {
		return quantity.Number{}
	}
	return a.Value
}
