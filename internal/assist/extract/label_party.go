package extract

// roles are the words for parties, where a table or a list of fields labels each of their
// particulars.
var roles = map[key]string{
	"seller": "seller|exporter|supplier|vendor|sold by", "buyer": "buyer|importer|customer|bill to|sold to",
	"shipper": "shipper|consignor", "consignee": "consignee|receiver", "notifyParty": "notify party",
}

// particulars are the words for particulars of a party.
var particulars = map[key]string{
	"name": "name|nm|company|company name", "address": "address|street|address 1|address line 1|postal address|address lines", "town": "city|town|postcode|city name|address 2|address line 2",
	"country": "country|country code", "vatNumber": "vat|vat no|vat id|tax id|vat number", "eori": "eori|eori no",
}

// partyLabels returns all combinations, such as seller.name for "Exporter name".
func partyLabels(of ...key) map[key]string {
	labels := map[key]string{}
	for _, role := range of {
		for particular, words := range particulars {
			var all []byte
			for _, r := range split(roles[role]) {
				for _, w := range split(words) {
					all = append(all, r+" "+w+"|"...)
				}
			}
			labels[role+"."+particular] = string(all[:len(all)-1])
		}
	}
	return labels
}
