package extract_test

import "testing"

// A letter without a table states its sums in sentences: an amount, the tax on it, and both together.
func TestSumsInSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The premium for your policy is EUR 200.00 plus insurance premium tax of EUR 24.00. Please pay EUR 224.00 by 1 June 2026.", "totals.goods=200; totals.vat=24; totals.grand=224"},
		{"Der Jahresbeitrag beträgt 200,00 EUR. Hinzu kommen 19 % Versicherungsteuer, das sind 38,00 EUR.\nBitte überweisen Sie 238,00 EUR bis zum 01.06.2026.", "totals.goods=200; totals.vat=38; totals.grand=238"},
		{"The deposit of EUR 200.00 is due on 12.03. and the rest of EUR 240.00 on 12.06.", "totals.goods=; totals.vat=; totals.grand="},
	} {
		wanted(t, "INVOICE\n\nInvoice no.: 4711\n\n"+c.text+"\n", c.want)
	}
}

// The taxes of several rates are added if they make the total; a rate behind a word for VAT makes it no number of registration.
func TestSeveralRates(t *testing.T) {
	wanted(t, "INVOICE\n\nNet total       100.00\nVAT 7 %           3.50\nVAT 20 %         10.00\nTotal due       113.50\n", "totals.goods=100; totals.vat=13.5; totals.grand=113.5")
	wanted(t, "FACTUUR\n\nSubtotaal       100,00\nBTW 0 %           0,00\nBTW 21 %         21,00\nTotaal          121,00\n", "totals.vat=21; totals.grand=121")
}
