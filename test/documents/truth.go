package documents

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// truth returns the values of a Cross Industry Invoice of either edition. Values that an invoice may state in more than
// one way are separated by bars.
func truth(file []byte) map[string]string {
	doc, err := source.Read(context.Background(), file)
	if err != nil || doc.Root == nil {
		return nil
	}
	want := map[string]string{}
	put := func(member string, values ...string) {
		var kept []string
		for _, v := range values {
			if v = strings.Join(strings.Fields(v), " "); v != "" {
				kept = append(kept, v)
			}
		}
		if len(kept) > 0 {
			want[member] = strings.Join(kept, "|")
		}
	}
	root := doc.Root
	put("invoiceNumber", at(root, "ExchangedDocument|HeaderExchangedDocument", "ID"))
	put("invoiceDate", day(at(root, "ExchangedDocument|HeaderExchangedDocument", "IssueDateTime", "DateTimeString")))
	trade := find(root, "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction")
	agreement := find(trade, "ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement")
	settlement := find(trade, "ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement")
	for member, element := range map[string]string{"seller": "SellerTradeParty", "buyer": "BuyerTradeParty"} {
		if name := at(agreement, element, "Name"); name != "" {
			put(member+".name", "^"+registered.ReplaceAllString(strings.Join(strings.Fields(name), " "), ""))
		}
		if home := find(agreement, element, "PostalTradeAddress"); at(home, "CityName") != "" {
			put(member+".address", "~"+at(home, "CityName"))
			put(member+".country", at(home, "CountryID"))
		}
		for _, registration := range all(find(agreement, element), "SpecifiedTaxRegistration") {
			if id := find(registration, "ID"); id != nil && id.Attrs["schemeID"] == "VA" {
				put(member+".vatNumber", strings.NewReplacer(" ", "", ".", "", "-", "").Replace(id.Text))
			}
		}
	}
	put("purchaseOrderNumber", at(agreement, "BuyerOrderReferencedDocument", "IssuerAssignedID|ID"))
	put("currency", at(settlement, "InvoiceCurrencyCode"))
	put("dueDate", day(at(settlement, "SpecifiedTradePaymentTerms", "DueDateDateTime", "DateTimeString")))
	sums := find(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation")
	put("totals.goods", number(at(sums, "LineTotalAmount")), number(at(sums, "TaxBasisTotalAmount")))
	put("totals.vat", number(at(sums, "TaxTotalAmount")))
	put("totals.grand", number(at(sums, "GrandTotalAmount")), number(at(sums, "DuePayableAmount")))
	n := 0
	for _, line := range all(trade, "IncludedSupplyChainTradeLineItem") {
		name := at(line, "SpecifiedTradeProduct", "Name")
		if name == "" {
			continue // a line of text
		}
		member := func(of string) string { return fmt.Sprintf("lineItems[%d].%s", n, of) }
		trade := find(line, "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement")
		put(member("description"), "~"+name)
		put(member("quantity"), number(at(line, "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery", "BilledQuantity")))
		put(member("unitPrice"), number(at(trade, "NetPriceProductTradePrice", "ChargeAmount")), number(at(trade, "GrossPriceProductTradePrice", "ChargeAmount")))
		put(member("amount"), number(at(line, "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement",
			"SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation", "LineTotalAmount")))
		n++
	}
	return want
}

// registered matches numbers that some editions write before the name of a party.
var registered = regexp.MustCompile(`^(?:GLN \d{13} )?(?:[\pL-]+\.? ?: ?\d+ )?`)

// find returns the first element below another; each step has the names of both editions.
func find(e *source.Element, steps ...string) *source.Element {
	for _, step := range steps {
		found := all(e, step)
		if len(found) == 0 {
			return nil
		}
		e = found[0]
	}
	return e
}

func all(e *source.Element, names string) (found []*source.Element) {
	if e == nil {
		return nil
	}
	for _, child := range e.Children {
		for name := range strings.SplitSeq(names, "|") {
			if child.Name.Local == name {
				found = append(found, child)
			}
		}
	}
	return found
}

func at(e *source.Element, steps ...string) string {
	if found := find(e, steps...); found != nil {
		return strings.TrimSpace(found.Text)
	}
	return ""
}

// day returns a date of the form 20260102 as 2026-01-02.
func day(text string) string {
	if len(text) < 8 {
		return ""
	}
	return text[:4] + "-" + text[4:6] + "-" + text[6:8]
}

// number returns a number without zeros at its end.
func number(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(6), "0"), ".")
}

// page is the text of a PDF's pages: its letters and digits alone, and its numbers.
type page struct {
	letters string
	numbers map[string]bool
}

// pageText reads the pages as the service does.
func pageText(ctx context.Context, file []byte) (page, error) {
	doc, err := source.Read(ctx, file)
	if err != nil {
		return page{}, err
	}
	p := page{numbers: map[string]bool{}}
	var text strings.Builder
	for _, one := range doc.Pages {
		for _, line := range one.Lines {
			for _, c := range line.Cells {
				text.WriteString(c.Text)
				for word := range strings.FieldsSeq(c.Text) {
					p.addNumber(word)
				}
				p.addNumber(strings.ReplaceAll(c.Text, " ", ""))
			}
		}
	}
	p.letters = letters(text.String())
	return p, nil
}

// addNumber adds the values that a number may have in either notation.
func (p page) addNumber(text string) {
	text = strings.ReplaceAll(strings.Trim(text, "€$£%EURCHFSD:() "), "−", "-")
	for _, groups := range []string{".", ",", "'"} {
		plain := strings.ReplaceAll(strings.ReplaceAll(text, groups, ""), ",", ".")
		if n := number(plain); n != "" {
			p.numbers[n] = true
		}
	}
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// shown returns the values that the page shows.
func (p page) shown(want map[string]string) map[string]string {
	kept := map[string]string{}
	for member, values := range want {
		var visible []string
		for v := range strings.SplitSeq(values, "|") {
			if p.shows(member, v) {
				visible = append(visible, v)
			}
		}
		if len(visible) > 0 {
			kept[member] = strings.Join(visible, "|")
		}
	}
	for _, party := range []string{"seller", "buyer"} {
		if kept[party+".address"] == "" { // two letters of a country may stand anywhere
			delete(kept, party+".country")
		}
	}
	return kept
}

func (p page) shows(member, value string) bool {
	switch {
	case strings.HasSuffix(member, "Date"):
		return p.showsDate(value)
	case member == "currency":
		return strings.Contains(p.letters, strings.ToLower(value)) || value == "EUR"
	case strings.HasPrefix(member, "totals."), strings.HasSuffix(member, ".quantity"), strings.HasSuffix(member, ".unitPrice"), strings.HasSuffix(member, ".amount"):
		return p.numbers[value]
	}
	return strings.Contains(p.letters, letters(value))
}

var monthNames = strings.Fields("januar februar märz april mai juni juli august september oktober november dezember")

// showsDate reports whether the page has a date in one of the usual forms.
func (p page) showsDate(iso string) bool {
	year, month, day := iso[:4], iso[5:7], iso[8:]
	var n int
	fmt.Sscan(month, &n)
	if n < 1 || n > 12 {
		return false
	}
	d, m := strings.TrimPrefix(day, "0"), strings.TrimPrefix(month, "0")
	for _, form := range []string{day + month + year, d + m + year, year + month + day, day + month + year[2:], d + monthNames[n-1] + year, day + monthNames[n-1] + year} {
		if strings.Contains(p.letters, form) {
			return true
		}
	}
	return false
}
