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
	"incoterm":        "price term|price basis|leveringsbetingelser|leveransvillkor|condicoes de entrega|dodaci podminky|leveringsbetingelse|delivery basis|incoterm|incoterms|incoterms 2020|incoterms 2010|incoterm 2020|terms of delivery|delivery terms|delivery term|trade terms|trade term|terms of sale|shipping terms|lieferbedingung|lieferbedingungen|conditions de livraison|condizioni di consegna|resa|leveringsvoorwaarden|leveringsconditie|condiciones de entrega|price terms|terms of delivery and payment|warunki dostawy",
	"countryOfOrigin": "country of origin|country of origin of goods|origin|origin of goods|made in|ursprungsland|warenursprung|pays d origine|origine|paese di origine|pais de origen|land van oorsprong|kraj pochodzenia|goods of origin|country of manufacture",
	"grossMassKg":     "gross weight|total gross weight|gross mass|total gross mass|gross wt|gw|bruttogewicht|gesamtbruttogewicht|poids brut|poids brut total|peso lordo|peso lordo totale|peso bruto|peso bruto total|brutogewicht|waga brutto|total gross|gross weight total|gross weight in total|total weight gross|brutto",
	"netMassKg":       "net weight|total net weight|nett weight|net mass|total net mass|net wt|nw|nettogewicht|gesamtnettogewicht|poids net|poids net total|peso netto|peso netto totale|peso neto|peso neto total|nettogewicht|waga netto|total net|net weight total|netto",
	"packageCount":    "number of packages|no of packages|total packages|total no of packages|packages|total number of packages|total cartons|number of cartons|no of cartons|total no of cartons|anzahl packstucke|packstucke|kolli|anzahl kolli|nombre de colis|colis|numero colli|colli|numero de bultos|bultos|aantal colli|liczba opakowan|total pallets|number of pallets|no of pallets|total ctns|package count|total pkgs|no of pkgs|total quantity of packages",
	"volumeM3":        "volume|total volume|measurement|total measurement|cbm|total cbm|volumen|rauminhalt|cubage|volume total|cube|measurement cbm|total cube|volumes",
	"marks":           "marks|shipping marks|marks and numbers|marks no|marks and nos|shipping mark|case marks|marks no s",
	"vatNumber":       "dic|cvr|cvr vat|cvr no|cvr nr|moms|moms no|momsnr|org no|uid no|our vat no|our vat|nif pt|dic cz|vat number|vat|vat no|vat reg no|vat registration no|vat registration|vat id|vat id no|gb vat no|vat reg|tva|no tva|no de tva|tva intracom|tva intracommunautaire|no tva intracommunautaire|ust id|ust idno|ust id no|ustid|ustidno|ust idnr|umsatzsteuer id|mwst no|uid|uid no|p iva|partita iva|piva|btw no|btw|btw nr|nif|cif|nip|tax id|tax no|tax id no|vat number|nif iva|che mwst|eu vat no",
	"eori":            "our eori|our eori no|eori|eori no|eori number|gb eori|eori nr|no eori|exporter eori|importer eori|eu eori|eori code|xi eori",
	"address":         "address|street address|postal address|registered address|adresse|anschrift|indirizzo|direccion|adres",
	"other":           "tel|telephone|phone|fax|email|e mail|web|www|bank|iban|bic|swift|swift code|account no|sort code|account name|company no|company registration no|registered office|page|seite|contact|attn|attention|bank details|bankverbindung|kundenno|customer no|customer code|kunden no|siret|rcs|hrb|duns|our ref|your ref|reference|ref|order date|delivery date|delivery note|delivery note no|remarks|declaration|signature|authorised signature|signed|reason for export|type of export|lc no|l c no|letter of credit no|export licence|mobile|website|beneficiary|beneficiary bank|notes|comments|tax point|place of issue|name|lieferdatum|kundennummer|sachbearbeiter|your order|prepared by|special instructions|date of delivery|delivery|shipping date|ship date|mode of transport|transport mode|despatch|dispatch method|ship via|sales person|salesperson|sales rep|tracking no|awb no|air waybill no|final destination|country of final destination|country of destination|hs code|commodity code|tariff code|code|aan|stand",
}

// invoiceLabels are labels in invoices.
var invoiceLabels = map[key]string{
	"invoiceNumber":       "fatura no|fatura n o|fatura|fakturano|fakturanr|faktura c|cislo faktury|faktura no|cislo dokladu|szamla|laskun numero|no|invoice no|invoice and no|invoice|invoice ref|inv no|invoice id|commercial invoice no|proforma invoice no|pro forma invoice no|rechnungsno|rechnungs no|rechnungsnummer|rechnung no|rechnungsnr|rechnung|facture no|facture|no de facture|no facture|fattura no|fattura n|fattura|no fattura|no di fattura|factura no|factura|no de factura|no factura|factuurnummer|factuurno|factuur|faktura no|faktura|faktura vat no|invoice and date|commercial invoice|document no|tax invoice no|tax invoice|export invoice no|belegno|belegnummer|factuurnr|fakturanummer|invoice no and date|no and date of invoice|invoice no date",
	"invoiceDate":         "fakturadato|data da fatura|data de emissao|datum vystaveni|vystaveno|fakturadag|invoice date issued|laskun paivays|invoice date|date|date of invoice|dated|issue date|date of issue|rechnungsdatum|datum|date de facture|date facture|date d emission|le|data|data fattura|fecha|fecha de factura|fecha factura|factuurdatum|data wystawienia|tax date|invoice dated|belegdatum|date tax point|document date|fakturadatum|issued|issued on|date issued",
	"dueDate":             "vencimento|data de vencimento|forfaldsdato|forfaldsdag|betalingsdato|datum splatnosti|splatnost|forfallodatum|sista betalningsdag|erapaiva|due date|payment due|due|payment due date|pay by|due by|faelligkeit|falligkeit|fallig am|zahlbar bis|faellig am|date d echeance|echeance|scadenza|data scadenza|vencimiento|fecha de vencimiento|vervaldatum|termin platnosci|date due|due on|payable by|please pay by|betaaldatum|forfallsdato",
	"purchaseOrderNumber": "order|encomenda|encomenda no|ordreno|ordrenr|ordernummer|ordernr|objednavka|cislo objednavky|deres ordre|er order|ert ordernr|rekvisition|your order|po|po no|purchase order|purchase order no|order no|customer order|customer order no|customer po|your order no|customer po no|cust po|bestellno|bestellnummer|ihre bestellung|bestellung|ihre bestellno|auftragsno|commande|no de commande|bon de commande|votre commande|ordine|ordine no|ordine n|vs ordine|no ordine|pedido|no de pedido|su pedido|bestelling|bestelnummer|uw bestelling|uw ordernummer|zamowienie|zamowienie no|buyers order no|buyer order no|buyers order|customers order no|order ref|order reference|customer reference|client order no|p o|your po|uw referentie|buyers reference|nr zamowienia|no zamowienia",
	"currency":            "currency|currency of invoice|invoice currency|wahrung|waehrung|devise|monnaie|valuta|moneda|waluta|all prices in|all amounts in|prices in|amounts in|currency code|munteenheid|divisa|betrage in|montants en",
	"paymentTerms":        "condicoes de pagamento|betalingsbetingelser|betalningsvillkor|platebni podminky|zpusob platby|betalingsvilkar|terms payment|payment terms|terms of payment|payment|terms|zahlungsbedingungen|zahlungsbedingung|zahlungsziel|zahlung|conditions de paiement|conditions de reglement|reglement|paiement|condizioni di pagamento|pagamento|forma de pago|condiciones de pago|betalingsvoorwaarden|betalingstermijn|betalingsconditie|payment conditions|payment term|sposob zaplaty|terms and method of payment|betaling|mode de paiement|modalita di pagamento|platnosc",
	"seller":              "fornecedor|exportador|saelger|saljare|leverandor|leverantor|dodavatel|prodavajici|avsender|avsandare|afsender|ship from|shipped from|sender|cedente prestatore|seller|exporter|shipper|supplier|from|vendor|shipper exporter|exporter shipper|seller exporter|sold by|verkaufer|verkaeufer|lieferant|exporteur|absender|vendeur|fournisseur|expediteur|exportateur|vendeur exportateur|venditore|mittente|esportatore|cedente|fornitore|vendedor|proveedor|exportador|emisor|verkoper|leverancier|sprzedawca|exporter seller|seller exporter name and address|exporter name and address|shipper name and address|manufacturer|beneficiary exporter|company|eksporter|name and address of exporter|seller shipper|supplier exporter",
	"buyer":               "receiver|comprador|kunde|kober|kund|koper|odberatel|kupujici|mottaker|mottagare|modtager|kjoper|faktureres til|faktureringsadress|receiver of goods|bill to ship to|ship to bill to|bill to and ship to|buyer|importer|bill to|sold to|invoice to|consignee|customer|client|buyer importer|importer buyer|to|billed to|invoiced to|invoice address|billing address|kaufer|kaeufer|kunde|empfanger|rechnungsempfanger|rechnung an|rechnungsadresse|acheteur|facture a|adresse de facturation|destinataire|importateur|acheteur importateur|acquirente|cliente|destinatario|cessionario|spett le|spettle|comprador|facturar a|importador|koper|klant|factuur aan|factuuradres|importeur|nabywca|buyer if other than consignee|messrs|m s|for account of|sold to bill to|bill to sold to|bill to ship to|importer of record|consignee importer|name and address of importer|to messrs|faktura til|an",
	"deliverTo":           "ship to|deliver to|delivery address|delivered to|ship to address|lieferadresse|lieferanschrift|adresse de livraison|livraison a|livre a|luogo di consegna|destinazione|afleveradres|direccion de envio|dostawa do|shipping address|consignee if other than buyer|consignee if not buyer|notify party|notify|buyers bank",
	"totals.goods":        "total de mercadorias|total liquido|nettobelob|varebelob|celkem bez dph|netto i alt|summa exkl moms|fob value|goods total value|lines total|items total|subtotal|sub total|net total|total net|goods total|total goods|goods value|value of goods|total goods value|total ex vat|total excl vat|net amount|total excluding vat|nettobetrag|zwischensumme|summe netto|warenwert|gesamt netto|nettosumme|netto|total ht|montant ht|sous total|total hors taxes|imponibile|totale imponibile|totale merce|base imponible|subtotaal|totaal excl btw|total exw|total ex works|merchandise total|merchandise|total fca|wartosc netto|razem netto|total fob|fob value|fob total|ex works value|totaal exclusief btw|delsum|total marchandises|summe warenwert|sum of goods|total fob value|net value",
	"totals.freight":      "transporte|frete|fragt|frakt|doprava|fracht und verpackung|freight to uk border|freight to border|freight and packing|levering|cost of freight|inland freight|freight|freight charges|freight charge|shipping|carriage|transport|ocean freight|air freight|sea freight|freight cost|shipping and handling|shipping handling|fracht|frachtkosten|versandkosten|versand|transportkosten|frais de port|port|frais de transport|fret|spese di trasporto|trasporto|nolo|gastos de envio|portes|flete|transport cost|vracht|vrachtkosten|verzendkosten|delivery charge|carriage and packing|international freight|koszt transportu|frakt|frachtanteil|carriage charges|freight amount|spedizione",
	"totals.insurance":    "forsikring|pojisteni|forsakring|insurance|insurance charge|insurance charges|marine insurance|versicherung|transportversicherung|assurance|assicurazione|seguro|verzekering|ubezpieczenie|insurance premium|insurance cost|forsikring",
	"totals.vat":          "vat amount|total vat|sales tax|tax|tax amount|mwst|ust|umsatzsteuer|mehrwertsteuer|zzgl mwst|montant tva|total tva|iva|importo iva|btw bedrag|gst|kwota vat|total tax|vat total|vat at|vat 20|vat 0|vat zero rated|zzgl|plus vat|imposta|btw 21|btw 0|mva",
	"totals.grand":        "i alt|total i alt|at betale|celkem|celkem k uhrade|k uhrade|att betala|totalt att betala|summa|valor total|total da fatura|yhteensa|totalbelob|total|grand total|invoice total|total due|amount due|total amount|total invoice value|total amount due|total to pay|balance due|total payable|total invoice amount|total value|invoice value|total invoice|total incl vat|total inc vat|total including vat|gesamtbetrag|gesamtsumme|endbetrag|rechnungsbetrag|zu zahlen|gesamt|summe|bruttobetrag|gesamt brutto|total ttc|net a payer|montant total|total general|totale|totale fattura|totale documento|totale da pagare|importe total|total factura|total a pagar|totaal|totaalbedrag|te betalen|totaal incl btw|do zaplaty|razem|razem do zaplaty|total cif|total dap|total cfr|total cip|total ddp|total cpt|cif value|total cif value|total invoice value cif|total price|a payer|importo totale|totaal inclusief btw|total eur|total usd|total gbp|total chf|amount payable|totalt|a betale|rechnungssumme|total payable amount",
}

// billLabels are labels in bills of lading.
var billLabels = map[key]string{
	"billOfLadingNumber": "no|bl no|b l no|bill of lading no|b l|bill no|bl|b l number|bill of lading|sea waybill no|waybill no|mbl no|hbl no|master bl no|house bl no|master b l no|house b l no|document no|fbl no|konnossement no|no de connaissement|connaissement no|conocimiento no|polizza no|bill of lading document no|swb no|bol no|b l no waybill",
	"issueDate":          "date of issue|issue date|date|place and date of issue|place and date|dated|issued|date of bill of lading|b l date|place date of issue|date issued|bl date|date place of issue",
	"shippedOnBoardDate": "shipped on board date|shipped on board|on board date|laden on board|laden on board date|on board|date shipped on board|clean on board|shipped on board the vessel|date laden on board|sob date|loaded on board",
	"bookingNumber":      "booking no|booking|booking reference|booking ref|carriers reference|carrier booking no|bkg no|carriers booking no",
	"carrier":            "carrier|name of carrier|carrier name|shipping line|ocean carrier|carrying line|line|signed for the carrier|as carrier|signed for and on behalf of the carrier|signed as carrier|for the carrier",
	"carrierCode":        "scac|scac code|carrier code|carrier scac",
	"vessel":             "vessel|ocean vessel|vessel name|ship|name of vessel|vessel ship|intended vessel|vessel voyage|vessel voyage no|ocean vessel voyage|ocean vessel voyage no|vessel and voyage|vessel and voyage no|vessel and voy no|vessel voy|vessel voy no|exporting carrier|vsl|vsl voy|vessel flight|schiff|navire|buque|nave|mv|m v|ocean vessel voy no|vessel voyage flag",
	"voyage":             "voyage|voyage no|voy|voy no|voyage number|reise no|viaggio|viaje|no de voyage",
	"placeOfReceipt":     "place of receipt|place of receipt by pre carrier|place of receipt by precarrier|place of acceptance|pre carriage from|received at",
	"portOfLoading":      "port of loading|pol|port of lading|load port|loading port|loading pier|port of load|place of loading|verladehafen|ladehafen|port de chargement|puerto de carga|porto di carico|port of export|from port",
	"portOfDischarge":    "port of discharge|pod|discharge port|port of unloading|unloading port|foreign port of unloading|loschhafen|port de dechargement|puerto de descarga|porto di scarico|port of discharging|to port",
	"placeOfDelivery":    "place of delivery|final destination|place of delivery by on carrier|place of delivery by oncarrier|delivery|final place of delivery|destination|place of final delivery|place of delivery final destination|for transhipment to|delivery at",
	"freightTerms":       "freight|freight terms|freight payable at|freight and charges|freight payable|payment of freight|freight charges|freight payment|freight term",
	"shipper":            "shipper|shipper exporter|exporter|consignor|shipper name and address|shipper complete name and address|absender|ablader|chargeur|expediteur|embarcador|caricatore|shipper consignor|shipper principal|shipper exporter complete name and address|shippers name and address|1 shipper",
	"consignee":          "receiver|consignee|consigned to|consigned to order of|consignee complete name and address|consignee name and address|empfanger|destinataire|destinatario|consignatario|ricevitore|consignee if order state notify party|consigned to the order of|consignee not negotiable unless consigned to order|consignee or order|2 consignee",
	"notifyParty":        "notify address|notify|notify party|notify party complete name and address|notify address|notify party name and address|also notify|notify party no claim shall attach for failure to notify|notify party intermediate consignee|meldeadresse|notifier|parte a notificare|notificar a|3 notify party|notify 1|notify party 1",
	"containerNumber":    "container|container no|container nos|cntr no|containers|container number s|container seal no|container no seal no|container numbers|container no s",
	"seal":               "seal|seal no|seal nos|seals|seal number s|seal numbers|carrier seal",
	"placeOther":         "pre carriage by|pre carriage|precarriage by|export references|forwarding agent|forwarding agent references|agent|delivery agent|for delivery apply to|for delivery of goods please apply to|destination agent|no of originals|number of originals|number of original b ls|no of original bls|no of original b s l|point and country of origin|type of movement|movement|service|service type|excess value declaration|revenue tons|declared value|rate|ref no|customs reference|fmc no|no of original bs l|originals|type of service|movement type|transhipment port|transshipment port|flag|number of original bills|shipped in apparent good order",
	"invoiceNumberOther": "invoice no|commercial invoice no|order no|po no|shipper reference|shippers reference|shippers ref|consignee reference",
}

// packingLabels are labels in packing lists.
var packingLabels = map[key]string{
	"packingListNumber":   "no|packlisten no|packing list no|packing list|pl no|p l no|packinglist no|list no|packliste no|packliste|packlistennummer|liste de colisage no|liste de colisage|distinta imballo|packing list n|distinta imballo no|lista de empaque no|lista de contenido no|paklijst no|paklijstnummer|packing slip no|document no|packing note no|packlist no|packing no|paklijst|specyfikacja no|packing list reference|packing slip|lista de empaque|no liste de colisage|pl number",
	"packingListDate":     "date|packing list date|dated|datum|date of issue|issue date|data|fecha|date issued|packing date|packlistendatum|date of packing list|pl date|document date|packdatum|issued",
	"invoiceReference":    "invoice no|invoice|invoice ref|inv no|commercial invoice no|invoice reference|rechnungsno|rechnungs no|rechnungsnummer|zu rechnung|zu rechnung no|zur rechnung|rechnung no|facture no|facture|no de facture|fattura no|fattura|factura no|factura|factuurnummer|ref invoice|ref invoice no|related invoice|our invoice no|invoice no and date|to invoice|for invoice|rif fattura|bij factuur|for invoice no|factuur|faktura no",
	"purchaseOrderNumber": invoiceLabels["purchaseOrderNumber"],
	"seller":              invoiceLabels["seller"] + "|consignor|ship from|shipped from",
	"buyer":               invoiceLabels["buyer"],
	"deliverTo":           invoiceLabels["deliverTo"],
}
