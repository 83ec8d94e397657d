package extract

import (
	"maps"
	"slices"
	"strings"
)

// key names a field or a column, such as invoiceNumber.
type key string

// dictionary finds labels of values and headers of columns.
type dictionary map[string]key

// longestLabel is the largest number of words in a label.
const longestLabel = 8

// newDictionary combines tables. If two keys have the same words, the later table wins; within
// one table the first key.
func newDictionary(tables ...map[key]string) dictionary {
	d := dictionary{}
	for _, table := range tables {
		own := dictionary{}
		for _, k := range slices.Sorted(maps.Keys(table)) {
			for p := range strings.SplitSeq(table[k], "|") {
				if _, known := own[phrase(p)]; !known {
					own[phrase(p)] = k
				}
			}
		}
		maps.Copy(d, own)
	}
	return d
}

// begin finds the longest label at the beginning of words.
func (d dictionary) begin(words []word) (k key, n int) {
	var text strings.Builder
	for i, w := range words[:min(len(words), longestLabel)] {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(w.plain)
		if found, ok := d[text.String()]; ok {
			k, n = found, i+1
		}
	}
	return k, n
}

// shared are labels in all types of document, in normalised words.
var shared = map[key]string{
	"incoterm":        "leveringsbetingelser|dodaci podminky|leveringsbetingelse|incoterm|incoterms|incoterms 2020|incoterms 2010|incoterm 2020|trade terms|trade term|terms of sale|resa|leveringsconditie|terms of delivery and payment",
	"countryOfOrigin": "country of origin",
	"grossMassKg":     "gw|total gross|brutto",
	"netMassKg":       "nw|total net|netto",
	"packageCount":    "nombre de colis|numero colli",
	"volumeM3":        "volume",
	"marks":           "marks no s",
	"vatNumber":       "dic|cvr|cvr vat|cvr no|cvr nr|moms|org no|our vat|nif pt|dic cz|vat|vat id no|gb vat no|tva|no de tva|tva intracom|tva intracommunautaire|no tva intracommunautaire|ust idno|ust id no|ust idnr|p iva|btw|cif|tax id no|che mwst|eu vat no",
	"eori":            "gb eori|exporter eori|importer eori|eu eori|xi eori",
	"address":         "street address|postal address|registered address",
	"other":           "tel|telephone|phone|fax|email|e mail|web|www|bank|iban|bic|swift|swift code|account no|sort code|account name|company no|company registration no|registered office|page|seite|contact|attn|attention|bank details|bankverbindung|kundenno|customer no|customer code|kunden no|siret|rcs|hrb|duns|our ref|your ref|reference|ref|order date|delivery date|delivery note|delivery note no|remarks|declaration|signature|authorised signature|signed|reason for export|type of export|lc no|l c no|letter of credit no|export licence|mobile|website|beneficiary|beneficiary bank|notes|comments|tax point|place of issue|name|lieferdatum|kundennummer|sachbearbeiter|your order|prepared by|special instructions|date of delivery|delivery|shipping date|ship date|mode of transport|transport mode|despatch|dispatch method|ship via|sales person|salesperson|sales rep|tracking no|awb no|air waybill no|final destination|country of final destination|country of destination|hs code|commodity code|tariff code|code|aan|stand",
}

// invoiceLabels are labels in invoices.
var invoiceLabels = map[key]string{
	"invoiceNumber":       "fatura n o|faktura c|cislo faktury|cislo dokladu|szamla|laskun numero|no|pro forma invoice no|no de facture|no di fattura|no de factura|invoice and date|tax invoice",
	"invoiceDate":         "data de emissao|datum vystaveni|vystaveno|laskun paivays|date|dated|datum|le|data|fecha|tax date|tax point|tax point date|date tax point|issued|issued on",
	"dueDate":             "vencimento|forfaldsdato|forfaldsdag|splatnost|sista betalningsdag|erapaiva|due|faelligkeit|falligkeit|fallig am|faellig am|echeance|scadenza|vencimiento|termin platnosci|due on|please pay by",
	"purchaseOrderNumber": "encomenda|encomenda no|objednavka|cislo objednavky|rekvisition|cust po|no de commande|bon de commande|no de pedido|bestelnummer|p o|uw referentie",
	"currency":            "all prices in|all amounts in|prices in|amounts in|betrage in|montants en",
	"paymentTerms":        "betalingsbetingelser|betalningsvillkor|platebni podminky|zpusob platby|betalingsvilkar|payment|terms|zahlungsziel|zahlung|reglement|paiement|pagamento|forma de pago|betalingstermijn|betalingsconditie|sposob zaplaty|betaling|mode de paiement|platnosc",
	"seller":              "saelger|dodavatel|prodavajici|avsender|afsender|ship from|shipped from|shipped by|remit to|cedente prestatore|from|seller exporter|sold by|verkauft von|vendu par|venduto da|vendido por|verkocht door|vendeur exportateur|cedente|exporter seller|seller exporter name and address|shipper name and address|manufacturer|beneficiary exporter|company|supplier exporter",
	"buyer":               "kober|odberatel|kupujici|mottaker|kjoper|faktureres til|faktureringsadress|receiver of goods|bill to ship to|ship to bill to|bill to and ship to|bill to|sold to|invoice to|buyer importer|importer buyer|to|billed to|invoiced to|billing address|rechnung an|facture a|acheteur importateur|cessionario|spett le|spettle|facturar a|factuur aan|buyer if other than consignee|messrs|m s|for account of|sold to bill to|bill to sold to|bill to ship to|importer of record|name and address of importer|to messrs|faktura til|an|aan",
	"deliverTo":           "ship to|deliver to|delivered to|livraison a|livre a|luogo di consegna|destinazione|dostawa do|consignee if other than buyer|consignee if not buyer|notify party|notify|buyers bank",
	"totals.goods":        "total net|total liquido|varebelob|celkem bez dph|netto i alt|fob value|items total|netto|total ht|montant ht|imponibile|totale imponibile|base imponible|total exw|total ex works|merchandise|total fca|total fob|fob value|fob total|ex works value|delsum|total fob value",
	"totals.freight":      "fragt|doprava|freight to uk border|freight to border|levering|inland freight|shipping|ocean freight|air freight|sea freight|shipping and handling|shipping handling|versand|frais de port|port|portes|international freight|koszt transportu|frachtanteil|spedizione",
	"totals.insurance":    "pojisteni|marine insurance|insurance premium",
	"totals.vat":          "sales tax|tax|mwst|ust|umsatzsteuer|mehrwertsteuer|zzgl mwst|iva|gst|vat at|vat 20|vat 0|vat zero rated|zzgl|plus vat|imposta|btw 21|btw 0|mva",
	"totals.grand":        "i alt|total i alt|at betale|celkem k uhrade|k uhrade|att betala|totalt att betala|yhteensa|grand total|balance due|zu zahlen|total ttc|net a payer|total general|totale documento|te betalen|do zaplaty|total cif|total dap|total cfr|total cip|total ddp|total cpt|cif value|total cif value|total invoice value cif|total price|a payer|total eur|total usd|total gbp|total chf|a betale",
}

// billLabels are labels in bills of lading.
var billLabels = map[key]string{
	"billOfLadingNumber": "no|bl no|b l no|bill of lading no|b l|bill no|bl|b l number|bill of lading|sea waybill no|master bl no|house bl no|master b l no|house b l no|document no|fbl no|no de connaissement|polizza no|bill of lading document no|swb no|b l no waybill",
	"issueDate":          "date|dated|issued|date of bill of lading|b l date|bl date",
	"shippedOnBoardDate": "shipped on board date|shipped on board|on board date|laden on board|laden on board date|on board|date shipped on board|clean on board|shipped on board the vessel|date laden on board|sob date|loaded on board",
	"bookingNumber":      "carrier booking no|carriers booking no",
	"carrier":            "shipping line|ocean carrier|carrying line|line|signed for the carrier|as carrier|signed for and on behalf of the carrier|signed as carrier|for the carrier",
	"carrierCode":        "scac|scac code|carrier scac",
	"vessel":             "ocean vessel|ship|intended vessel|ocean vessel voyage|ocean vessel voyage no|exporting carrier|vessel flight|mv|m v|ocean vessel voy no|vessel voyage flag",
	"voyage":             "no de voyage",
	"placeOfReceipt":     "place of receipt by pre carrier|place of receipt by precarrier|pre carriage from|received at",
	"portOfLoading":      "pol|loading pier|port of export|from port",
	"portOfDischarge":    "pod|foreign port of unloading|to port",
	"placeOfDelivery":    "place of delivery by on carrier|place of delivery by oncarrier|delivery|place of delivery final destination|for transhipment to|delivery at",
	"freightTerms":       "freight payable at",
	"shipper":            "shipper complete name and address|shipper consignor|shipper principal|shipper exporter complete name and address|1 shipper",
	"consignee":          "consigned to|consigned to order of|consignee complete name and address|ricevitore|consignee if order state notify party|consigned to the order of|consignee not negotiable unless consigned to order|consignee or order|2 consignee",
	"notifyParty":        "notify party complete name and address|also notify|notify party no claim shall attach for failure to notify|notify party intermediate consignee|meldeadresse|notifier|parte a notificare|notificar a|3 notify party|notify 1|notify party 1",
	"containerNumber":    "container number s|container no seal no|container no s",
	"seal":               "seal number s|carrier seal",
	"placeOther":         "pre carriage by|pre carriage|precarriage by|export references|forwarding agent|forwarding agent references|agent|delivery agent|for delivery apply to|for delivery of goods please apply to|destination agent|no of originals|number of originals|number of original b ls|no of original bls|no of original b s l|point and country of origin|type of movement|movement|service|service type|excess value declaration|revenue tons|declared value|rate|ref no|customs reference|fmc no|no of original bs l|originals|type of service|movement type|transhipment port|transshipment port|flag|number of original bills|shipped in apparent good order",
	"invoiceNumberOther": "order no|po no|shipper reference|shippers reference|shippers ref|consignee reference",
}

// packingLabels are labels in packing lists.
var packingLabels = map[key]string{
	"packingListNumber":   "no|packlisten no|pl no|p l no|list no|packliste no|packliste|packlistennummer|liste de colisage no|liste de colisage|distinta imballo|distinta imballo no|lista de empaque no|lista de contenido no|paklijst no|paklijstnummer|document no|packlist no|packing no|paklijst|specyfikacja no|lista de empaque|no liste de colisage|pl number",
	"packingListDate":     "date|dated|datum|data|fecha|packlistendatum|pl date|packdatum|issued",
	"invoiceReference":    "zu rechnung|zu rechnung no|zur rechnung|no de facture|related invoice|to invoice|for invoice|bij factuur",
	"purchaseOrderNumber": invoiceLabels["purchaseOrderNumber"],
	"seller":              invoiceLabels["seller"] + "|ship from|shipped from",
	"buyer":               invoiceLabels["buyer"],
	"deliverTo":           invoiceLabels["deliverTo"],
}
