package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

func (r *reading) readBill(d *TradeDocument) {
	d.Shipper, d.Consignee, d.NotifyParty = r.party("shipper"), r.party("consignee"), r.party("notifyParty")
	r.sameAs(d)
	r.guessOrder(d.Shipper)
	d.BillOfLadingNumber = firstOf(r.candidates("billOfLadingNumber"), r.identifier)
	d.IssueDate = r.dateOf("issueDate")
	d.ShippedOnBoardDate = r.dateOf("shippedOnBoardDate")
	d.BookingNumber = firstOf(r.candidates("bookingNumber"), r.identifier)
	r.readVoyage(d)
	for _, port := range []struct {
		to **Text
		k  key
	}{{&d.PlaceOfReceipt, "placeOfReceipt"}, {&d.PortOfLoading, "portOfLoading"}, {&d.PortOfDischarge, "portOfDischarge"}, {&d.PlaceOfDelivery, "placeOfDelivery"}} {
		*port.to = firstOf(r.candidates(port.k), r.phraseOf)
	}
	r.readCarrier(d)
	d.FreightTerms = r.freightTerms()
	r.readShared(d)
	if d.LineItems = r.lineItems(); d.LineItems == nil {
		d.LineItems = r.goodsInSentences()
		r.countPackages(d, d.LineItems)
	}
	d.Containers = r.containers()
	r.readIncoterm(d)
}

// sameAs copies the consignee for a notify party that the document calls the same.
func (r *reading) sameAs(d *TradeDocument) {
	n := d.NotifyParty
	if n == nil || n.Name == nil || d.Consignee == nil || !strings.HasPrefix(phrase(n.Name.Value), "same as") {
		return
	}
	same := *d.Consignee
	name := *d.Consignee.Name
	name.Found, name.Confidence = n.Name.Found, name.Confidence.times(95)
	same.Name = &name
	d.NotifyParty = &same
}

// voyageAfter matches a voyage number after the name of a vessel.
var voyageAfter = lazyregexp.New(`(?i)^(.*?[\pL.)]|.*?[\pL] \d{1,2}?)[ ]*(?:[/,]|\bv(?:oy(?:age)?)?(?:\.|\b)(?: ?no\.?)?|-| )[ /.:-]*([A-Z]{0,3}\d{2,5}[A-Z]{0,2}|\d{1,4}[A-Z]{1,2})$`)

var vesselPrefix = lazyregexp.New(`(?i)^m\.?[/ ]?[vs]\.? `)

func (r *reading) readVoyage(d *TradeDocument) {
	d.Vessel = firstOf(r.candidates("vessel"), r.phraseOf)
	d.Voyage = firstOf(r.candidates("voyage"), r.identifier)
	if d.Vessel == nil {
		return
	}
	if m := voyageAfter.FindStringSubmatch(d.Vessel.Value); m != nil && strings.ContainsAny(strings.ToLower(m[1]), "aeiou") {
		if d.Voyage == nil || d.Voyage.Value == m[2] || d.Voyage.Value == d.Vessel.Value {
			d.Voyage = &Text{m[2], d.Vessel.Confidence, d.Vessel.Found}
		}
		d.Vessel.Value = m[1]
	}
	d.Vessel.Value = strings.TrimRight(strings.TrimSpace(vesselPrefix.ReplaceAllString(d.Vessel.Value, "")), " /,-")
}

// carrierCodes are the first letters of large carriers' bills of lading.
var carrierCodes = map[string]bool{
	"MAEU": true, "MSCU": true, "MEDU": true, "CMDU": true, "HLCU": true, "ONEY": true, "COSU": true, "EGLV": true, "OOLU": true, "YMLU": true, "HDMU": true,
	"ZIMU": true, "PCIU": true, "WHLC": true, "SUDU": true, "APLU": true, "SMLM": true, "ACLU": true, "MATS": true,
}

var scac = lazyregexp.New(`^[A-Z]{4}$`)

func (r *reading) readCarrier(d *TradeDocument) {
	d.Carrier = firstOf(r.candidates("carrier"), r.phraseOf)
	d.CarrierCode = firstOf(r.candidates("carrierCode"), func(c candidate) (string, Confidence, bool) {
		code := strings.TrimSpace(c.text)
		return code, certain, scac.MatchString(code)
	})
	if number := d.BillOfLadingNumber; d.CarrierCode == nil && number != nil && len(number.Value) > 8 && carrierCodes[number.Value[:4]] {
		d.CarrierCode = &Text{number.Value[:4], number.Confidence.times(fair), number.Found}
	}
	if d.Carrier != nil {
		d.Carrier.Value = strings.TrimPrefix(strings.TrimPrefix(d.Carrier.Value, "for "), "the ")
		return
	}
	for _, row := range r.rows[:min(len(r.rows), headLines)] {
		for _, c := range row.cells {
			if c.label == "" && !c.taken && !r.belongs(c) && carrierLike.MatchString(fold(c.Text)) && len(c.Text) < maxName {
				d.Carrier = field(c.Text, candidate{cell: c, sure: 70}, certain)
				return
			}
		}
	}
}

// carrierLike matches words in names of carriers.
var carrierLike = lazyregexp.New(`\b(?:lines?|shipping|container line|ocean|maritime|navigation|seaways|liner|carriers?|reederei)\b`)

var (
	prepaid = lazyregexp.New(`\b(?:freight|fr?t|ocean freight|charges)? ?(?:is )?pre ?-?paid\b`)
	collect = lazyregexp.New(`\b(?:freight|frt|ocean freight|charges) ?(?:to |is )?(?:be )?(?:collect|payable at destination)\b|^(?:freight )?collect$`)
	payable = lazyregexp.New(`\b(destination|port of discharge)\b|\b(origin|port of loading|shipment)\b`)
)

// hasTickBoxes reports whether a line has a tick box for both terms, so that neither is stated.
func hasTickBoxes(row *row) bool {
	prepaid, collect := false, false
	for _, c := range row.cells {
		prepaid, collect = prepaid || phrase(c.Text) == "prepaid", collect || phrase(c.Text) == "collect"
	}
	return prepaid && collect
}

// freightTerms returns PREPAID or COLLECT, by a label or by the words themselves.
func (r *reading) freightTerms() *Text {
	read := func(c candidate) (string, Confidence, bool) {
		if hasTickBoxes(c.cell.row) {
			return "", 0, false
		}
		text := fold(c.text)
		pre, col := strings.Contains(text, "prepaid") || strings.Contains(text, "pre-paid"), strings.Contains(text, "collect")
		switch m := payable.FindStringSubmatch(text); {
		case pre != col && pre:
			return "PREPAID", certain, true
		case pre != col:
			return "COLLECT", certain, true
		case m != nil && m[1] != "":
			return "COLLECT", fair, true
		case m != nil:
			return "PREPAID", fair, true
		}
		return "", 0, false
	}
	all := r.candidates("freightTerms")
	for _, row := range r.rows {
		for _, c := range row.cells {
			if below := r.below(c); c.label == "freightTerms" && c.rest == "" && below != nil { // such as "Destination", a label itself
				all = append(all, candidate{below.Text, below, c, beneath, below.Plain})
			}
		}
	}
	if f := firstOf(all, read); f != nil {
		return f
	}
	for _, row := range r.rows {
		for _, c := range row.cells {
			text := fold(c.Text)
			pre, col := prepaid.MatchString(text), collect.MatchString(text)
			if pre == col || len(c.Text) > 80 {
				continue
			}
			if pre && text != "prepaid" && text != "total prepaid" {
				return field("PREPAID", candidate{cell: c, sure: 90}, certain)
			} else if col && text != "collect" {
				return field("COLLECT", candidate{cell: c, sure: 90}, certain)
			}
		}
	}
	return nil
}
