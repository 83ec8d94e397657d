package extract_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// A value is found where its structure says what it is, without a label of its own. “-” is for no value.
func TestValuesByStructure(t *testing.T) {
	const head, goods = "RECHNUNG Nr. 77\n\n", "\n\nArtikel;;Menge;;Preis;;Betrag\nSeil;;2;;5,00;;10,00\n\n"
	engine := extract.New()
	for name, c := range map[string]struct{ text, want string }{
		"a place and a day":          {"FACTURE N° 9\n\nToulouse, le 3 mars 2026" + goods, "invoiceDate=2026-03-03"},
		"a day of another invoice":   {"Gutschrift Nr. 5\nzu Rechnung Nr. 4 vom 12.01.2026\n\nBonn, 03.02.2026" + goods, "invoiceDate=2026-02-03"},
		"a day behind a time to pay": {head + "Zahlung innerhalb 30 Tagen, also am 14.02.2026" + goods, "dueDate=2026-02-14"},
		"a day behind due":           {head + "Der Betrag ist fällig am 04.03.2026 und wird eingezogen." + goods, "dueDate=2026-03-04"},
		"an amount until a day":      {"FACTUUR Nr. 8\n\nWij verzoeken u het bedrag vóór 18 maart 2026 over te maken." + goods, "dueDate=2026-03-18"},
		"a period is no time to pay": {head + "Beitrag und Betrag für die Zeit vom 01.01.2026 bis 31.12.2026" + goods, "dueDate=-"},
		"a currency by its name":     {head + goods + "Gesamtbetrag 10,00 Euro", "currency=EUR;totals.grand=10"},
		"a rate before the tax":      {head + goods + "Netto;;10,00\n19 % Umsatzsteuer;;1,90\nBrutto;;11,90\nbezahlt;;8,00\nRest;;3,90", "totals.vat=1.9"},
		"goods, carriage and tax":    {"INVOICE No. 4\n\nItem;;Qty;;Price;;Amount\nRope;;2;;50.00;;100.00\n\nGoods;;100.00\nCarriage;;8.50\nVAT;;21.70\nTotal;;130.20", "totals.goods=100;totals.vat=21.7;totals.freight=8.5"},
		"a number is no name":        {head + "Kunde: C0098\nDatum: 03.02.2026\n\nRechnung an:\nHafenamt Emden\nAm Delft 1\n26721 Emden" + goods, "buyer.name=Hafenamt Emden"},
		"particulars in pairs":       {head + "Käufer\nName: Teatro Nuovo SpA\nIndirizzo: Via Larga 3\nComune: Milano Provincia: MI\nCap: 20122 Nazione: IT" + goods, "buyer.name=Teatro Nuovo SpA;buyer.country=IT"},
		"numbers between name and street": {"Sociedad Ebro SL\nCIF B50123456\nCalle Mayor 3\n50016 Zaragoza\n\nFactura nº 5\n\nFacturar a:\nCooperativa San Isidro\nPlaza Mayor 1\n22300 Barbastro" + goods,
			"seller.name=Sociedad Ebro SL;buyer.name=Cooperativa San Isidro"},
		"a sender in one line":      {"Absender: Omnibus Krüger e.K., Am Depot 1, 23566 Lübeck\n\n" + head + goods, "seller.name=Omnibus Krüger e.K.;seller.address=Am Depot 1, 23566 Lübeck"},
		"a part of France abroad":   {"Vendeur : Savonnerie SAS\n3 route d'Apt\n84400 Gargas\nFrance\n\nAcheteur : Hotel Bleu\n2 rue du Port\n97232 Le Lamentin\n\nFacture n° 3" + goods, "seller.country=FR;buyer.country=MQ"},
		"totals in one line":        {"FACTURE N° 3\n\nDésignation;;Qté;;PU;;Total\nPose;;1;;800,00;;800,00\n\nTotal HT : 800,00 €;;TVA 10 % : 80,00 €;;Total TTC : 880,00 €", "totals.goods=800;totals.vat=80;totals.grand=880"},
		"a company called port":     {"FAKTURA nr 2\n\nNabywca\nPort Marina S.A.\nul. Morska 10\n81-225 Gdynia" + goods, "buyer.name=Port Marina S.A.;buyer.address=ul. Morska 10, 81-225 Gdynia"},
		"a number without a name":   {head + "Kunde: 40012\n\nRechnungsempfänger\nZimmerei Ober GmbH\nAm Hang 3\n6330 Kufstein\nÖsterreich\nATU61122334" + goods, "buyer.name=Zimmerei Ober GmbH;buyer.vatNumber=ATU61122334"},
		"a label in two languages":  {head + "Consignee / Empfänger:\nZürcher Brillen AG\nBahnhofstrasse 77\n8001 Zürich\nSwitzerland" + goods, "buyer.name=Zürcher Brillen AG;buyer.country=CH"},
		"two labels of one date":    {head + "Rechnungsdatum/Lieferdatum 02.03.2026" + goods, "invoiceDate=2026-03-02"},
		"the buyer's order":         {head + "Auftragsnummer: 48-2207\nIhre Bestellnummer: HB 778" + goods, "purchaseOrderNumber=HB 778"},
		"an association":            {"Deutsche Gesellschaft für Licht e. V.\nLudwigstr. 22\n20459 Hamburg\nTelefon 040 / 333 111\n\nLUX Systeme GmbH\nGlasweg 8\n55120 Mainz\n\nRechnung Nr. 5" + goods, "seller.name=Deutsche Gesellschaft für Licht e. V.;buyer.name=LUX Systeme GmbH"},
		"a receipt without a table": {"Quittung / Rechnung Nr. 5527\n\nFahrpreis;;31,78 EUR\n7 % MwSt.;;2,22 EUR\nGesamt;;34,00 EUR", "totals.goods=31.78;totals.vat=2.22;totals.grand=34"},
		"a street is no label":      {"Turm Verlag GmbH\nSchloßgasse 2\n97070 Würzburg\nDeutschland\n\nBuchladen Lesen OHG\nMarktstraße 15\nD-97199 Ochsenfurt\n\nRechnung Nr. 7" + goods, "buyer.name=Buchladen Lesen OHG"},
	} {
		text := strings.ReplaceAll(c.text, ";;", "      ")
		checkValues(t, engine, extract.Request{File: []byte(text), DocumentType: extract.Invoice}, name, c.want)
	}
}

// checkValues reads a document and compares values that it has, such as "currency=EUR;dueDate=-"; “-” is for no value.
func checkValues(t *testing.T, engine *extract.Engine, r extract.Request, name, want string) {
	t.Helper()
	a, err := engine.Extract(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(a.Document)
	if err != nil {
		t.Fatal(err)
	}
	found, err := documents.Values(document)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range strings.SplitSeq(want, ";") {
		field, value, _ := strings.Cut(pair, "=")
		if got := found[field].Text; got != strings.TrimPrefix(value, "-") {
			t.Errorf("%s: %s is %q, not %q", name, field, got, value)
		}
	}
}
