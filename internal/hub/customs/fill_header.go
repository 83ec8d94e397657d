package customs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const (
	sterling          = "GBP"
	home              = "GB"
	defaultExitOffice = "GB000060" // Dover and the Channel Tunnel
	defaultPort       = "GBFXT"
	defaultIncoterm   = "CIF"
	transferPayment   = "D" // DE 4/2: electronic funds transfer
	saleImport        = "1" // DE 8/5 at the header
	saleExport        = "11"
	noSeals           = "NOSEALS"
	maxTotalPackages  = 99_999_999
)

// addDeclarant adds the declarant (DE 3/18), whatever the filling.
func (f *filler) addDeclarant() {
	from := fromOrganisation
	if f.ownEORI() == "" {
		from = fromClient
	}
	if eori := f.declarant(); eori != "" {
		fill(f, &f.header.Declarant, "declarant", &datamodel.Trader{EORI: eori}, from)
	}
}

// addType adds direction (DE 1/1) and additional type (DE 1/2): whether the goods have arrived.
func (f *filler) addType() {
	code, arrived, ahead := "IM", "A", "D"
	if !f.isImport() {
		code = "EX"
	}
	f.text(&f.header.DeclarationCode, "declarationCode", code, computed)
	if !f.usual && f.set.Allows("J") {
		arrived, ahead = "J", "K"
	}
	if !f.usual && !f.set.Allows(arrived) {
		return // who simplifies, and under what, is not known
	}
	if !f.shipment.Arrived && f.shipment.ExpectedArrival != nil && f.shipment.ExpectedArrival.After(f.now) {
		arrived = ahead
	}
	f.text(&f.header.AdditionalType, "additionalType", arrived, fromShipment)
}

// addTransport adds the means of transport.
func (f *filler) addTransport() {
	t := datamodel.Transport{}
	if f.header.Transport != nil {
		t = *f.header.Transport
	}
	own := datamodel.Transport{}
	if f.shipment.Transport != nil {
		own = *f.shipment.Transport
	}
	f.addBorder(&t, own.Border)
	if f.isImport() {
		f.addMeans(&t.Arrival, "transport.arrival", own.Arrival, "7/9")
	} else {
		f.addMeans(&t.Departure, "transport.departure", own.Departure, "7/7")
	}
	if t != (datamodel.Transport{}) {
		f.header.Transport = &t
	}
}

// addMeans adds the means of transport on arrival or departure: the one that the shipment states in full, or the one that its
// number or name says. A usual value that nothing says is a constant.
func (f *filler) addMeans(member **datamodel.Means, field string, own *datamodel.Means, element string) {
	if own != nil {
		fill(f, member, field, own, fromShipment, element)
		return
	}
	means := f.means(f.usual)
	if *member != nil || means == nil || !f.can(field, element) {
		return
	}
	if f.usual && !f.isImport() {
		means.InlandMode = modes[f.shipment.TransportMode].code
	}
	*member = means
	from, guessed := fromShipment, f.usual && f.documentData.means(false) == nil
	if guessed {
		from = constant
	}
	f.note(field, means, from)
	if f.usual && !guessed && modes[f.shipment.TransportMode].ambiguous {
		f.note(field+".idType", means.IDType, constant)
	}
}

// addBorder adds the means of transport at the border. Its identity is a matter of exports.
func (f *filler) addBorder(t *datamodel.Transport, own *datamodel.Border) {
	b := datamodel.Border{}
	if t.Border != nil {
		b = *t.Border
	}
	if own == nil {
		own = &datamodel.Border{}
	}
	f.text(&b.Mode, "transport.border.mode", orDefault(own.Mode, modes[f.shipment.TransportMode].code), fromShipment, "7/4")
	f.text(&b.Nationality, "transport.border.nationality", orDefault(own.Nationality, f.shipment.TransportNationality), fromShipment, "7/15")
	if f.usual {
		f.text(&b.Nationality, "transport.border.nationality", home, constant)
	}
	f.text(&b.Name, "transport.border.name", own.Name, fromShipment)
	f.text(&b.Type, "transport.border.type", own.Type, fromShipment)
	if b.ID == "" && b.IDType == "" {
		f.addBorderIdentity(&b, own)
	}
	if b != (datamodel.Border{}) {
		t.Border = &b
	}
}

// addBorderIdentity adds the number or name of the means of transport at the border of an export, and what it is.
func (f *filler) addBorderIdentity(b, own *datamodel.Border) {
	id, kind, from, kindFrom := own.ID, own.IDType, fromShipment, fromShipment
	if m := f.documentData.means(f.usual); id == "" && !f.isImport() && m != nil {
		id, kind = m.ID, m.IDType
		if stated := f.documentData.means(false); stated == nil {
			from, kindFrom = constant, constant
		} else if stated.IDType == "" {
			kindFrom = constant
		}
	}
	f.text(&b.ID, "transport.border.id", id, from, "7/14")
	f.text(&b.IDType, "transport.border.idType", kind, kindFrom, "7/14")
}

// addPlaces adds where the goods are, come from and go to.
func (f *filler) addPlaces() {
	fill(f, &f.header.Location, "location", f.goodsLocation(), fromShipment, "5/23")
	if f.usual {
		place := f.port()[2:]
		if code := home + "AU" + place + place + place; codelist.Locations().Has(code) {
			fill(f, &f.header.Location, "location", locationOf(code), constant)
		}
	}
	fill(f, &f.header.LoadingPlace, "loadingPlace", f.shipment.LoadingPlace, fromShipment, "5/21")
	f.addEquipment()
	f.addDeliveryTerms()
	f.addCountries()
	if !f.isImport() {
		f.text(&f.header.ExitOffice, "exitOffice", f.shipment.ExitOffice, fromShipment, "5/12")
		if f.usual {
			f.text(&f.header.ExitOffice, "exitOffice", defaultExitOffice, constant)
		}
		f.addSecurity()
	}
}

// port returns the port of entry if it is given as a UN/LOCODE.
func (d *documentData) port() string {
	if port := trimmedUpper(d.shipment.PortOfEntry); isLocode(port) {
		return port
	}
	return defaultPort
}

func isLocode(text string) bool {
	return len(text) == 5 && strings.HasPrefix(text, home) && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789") == ""
}

// addEquipment adds containers and seals. An export without any says so, as the guide prescribes.
func (f *filler) addEquipment() {
	fillList(f, &f.header.Equipment, "equipment", f.equipment(), fromShipment, "7/10")
	contained := slices.ContainsFunc(f.header.Equipment, func(e datamodel.Equipment) bool { return e.Container != "" }) ||
		slices.ContainsFunc(f.items, func(i datamodel.Item) bool { return len(i.Containers) > 0 })
	fill(f, &f.header.Containerised, "containerised", &contained, computed, "7/2")
	if !f.isImport() {
		none := int64(0)
		fillList(f, &f.header.Equipment, "equipment", []datamodel.Equipment{{Number: &none, Seals: []datamodel.Seal{{ID: noSeals, Number: &none}}}}, fromGuide, "7/18")
	}
}

func (f *filler) addDeliveryTerms() {
	if !f.isImport() {
		return
	}
	t := f.deliveryTerms()
	if f.header.DeliveryTerms != nil || !f.usual || f.shipment.DeliveryTerms != nil {
		fill(f, &f.header.DeliveryTerms, "deliveryTerms", t, fromShipment, "4/1")
		return
	}
	if t == nil {
		t = &datamodel.DeliveryTerms{}
	}
	if !f.can("deliveryTerms") {
		return
	}
	f.header.DeliveryTerms = &datamodel.DeliveryTerms{}
	f.text(&f.header.DeliveryTerms.Incoterm, "deliveryTerms.incoterm", t.Incoterm, fromShipment)
	f.text(&f.header.DeliveryTerms.Incoterm, "deliveryTerms.incoterm", defaultIncoterm, constant)
	f.text(&f.header.DeliveryTerms.Place, "deliveryTerms.place", t.Place, fromShipment)
	f.text(&f.header.DeliveryTerms.Place, "deliveryTerms.place", f.port(), constant)
}

// addCountries adds the countries of dispatch (DE 5/14) and of destination (DE 5/8).
func (f *filler) addCountries() {
	s := &f.shipment
	fill(f, &f.header.Destination, "destination", s.Destination, fromShipment, "5/8")
	f.addDestination(s.CountryOfDestination, fromShipment)
	f.text(&f.header.DispatchCountry, "dispatchCountry", orDefault(s.DispatchCountry, s.CountryOfDispatch), fromShipment, "5/14")
	if !f.usual {
		return
	}
	if f.isImport() {
		f.addDestination(home, constant)
		f.text(&f.header.DispatchCountry, "dispatchCountry", s.CounterpartyCountry, fromShipment)
		f.text(&f.header.DispatchCountry, "dispatchCountry", f.items[0].CountryOfOrigin, constant)
		return
	}
	f.addDestination(s.CounterpartyCountry, fromShipment)
	f.addDestination(home, constant)
	f.text(&f.header.DispatchCountry, "dispatchCountry", home, constant)
}

func (f *filler) addDestination(country, from string) {
	if country != "" && f.header.Destination == nil && f.can("destination.country", "5/8") {
		f.header.Destination = &datamodel.Destination{Country: country}
		f.note("destination.country", country, from)
	}
}

// addSecurity adds the safety and security data of an export.
func (f *filler) addSecurity() {
	s := datamodel.Security{}
	if f.header.Security != nil {
		s = *f.header.Security
	}
	own := f.documentData.security()
	fill(f, &s.Carrier, "security.carrier", own.Carrier, fromShipment, "3/31", "3/32")
	fill(f, &s.Consignor, "security.consignor", own.Consignor, fromShipment, "3/7")
	fillList(f, &s.Items, "security.items", own.Items, fromShipment, "4/2")
	fillList(f, &s.Itinerary, "security.itinerary", own.Itinerary, fromShipment, "5/18")
	f.text(&s.TransportCharges, "security.transportCharges", own.TransportCharges, fromShipment, "4/2")
	if f.usual {
		f.text(&s.TransportCharges, "security.transportCharges", transferPayment, constant)
	}
	from := computed
	if f.usual {
		from = constant
	}
	fillList(f, &s.Itinerary, "security.itinerary", f.route(), from, "5/18")
	if s.Carrier != nil || s.Consignor != nil || len(s.Items)+len(s.Itinerary) > 0 || s.TransportCharges != "" {
		f.header.Security = &s
	}
}

// route returns the countries of dispatch and destination.
func (f *filler) route() (route []datamodel.RouteCountry) {
	from, to := f.header.DispatchCountry, ""
	if f.header.Destination != nil {
		to = f.header.Destination.Country
	}
	if f.usual {
		from = home
	}
	for _, country := range []string{from, to} {
		if country != "" && (len(route) == 0 || route[0].Country != country) {
			route = append(route, datamodel.RouteCountry{Country: country})
		}
	}
	return route
}

// addParties adds the traders beside declarant and representative.
func (f *filler) addParties() {
	if counterparty := f.counterparty(); f.isImport() {
		exporter := f.shipment.Exporter
		if exporter == nil && counterparty != nil {
			exporter = &datamodel.Trader{Name: counterparty.Name, Address: counterparty.Address}
		}
		fill(f, &f.header.Exporter, "exporter", exporter, fromShipment, "3/1", "3/2")
		f.addImporter()
		fill(f, &f.header.Buyer, "buyer", f.shipment.Buyer, fromShipment, "3/26", "3/27")
		fill(f, &f.header.Seller, "seller", f.shipment.Seller, fromShipment, "3/24", "3/25")
	} else {
		if eori := f.clientEORI(); eori != "" {
			fill(f, &f.header.Exporter, "exporter", &datamodel.Trader{EORI: eori}, fromClient, "3/1", "3/2")
		}
		consignee := f.shipment.Consignee
		if consignee == nil {
			consignee = counterparty
		}
		fill(f, &f.header.Consignee, "consignee", consignee, fromShipment, "3/9", "3/10")
	}
	if f.usual {
		fill(f, &f.header.Consignor, "consignor", f.shipment.Consignor, fromShipment)
	}
}

// addImporter adds the client as importer: by EORI or, without one, by name and address.
func (f *filler) addImporter() {
	importer := &datamodel.Trader{EORI: f.clientEORI()}
	if importer.EORI == "" {
		importer.Name, importer.Address = f.client.party()
	}
	fill(f, &f.header.Importer, "importer", importer, fromClient, "3/15", "3/16")
}

// addTotals adds the counts and sums of the items.
func (f *filler) addTotals() {
	items := int64(len(f.items))
	fill(f, &f.header.GoodsItemCount, "goodsItemCount", &items, computed, "1/9")
	var packages int64
	known := f.usual
	for n := range f.items {
		for _, p := range f.items[n].AllPackages() {
			if p.Count != nil {
				packages, known = packages+*p.Count, true
			}
		}
	}
	if known && packages <= maxTotalPackages {
		fill(f, &f.header.TotalPackages, "totalPackages", &packages, computed, "6/18")
	}
	fill(f, &f.header.InvoiceTotal, "invoiceTotal", f.invoiceTotal(), computed, "4/10", "4/11")
}

// invoiceTotal returns the sum of the prices if all are known and in one currency. The usual total of an export is that of the
// customs values.
func (f *filler) invoiceTotal() *datamodel.Amount {
	if f.usual {
		if f.isImport() {
			return nil
		}
		return pounds(f.declaration.Value())
	}
	total := datamodel.Amount{}
	for n := range f.items {
		price := f.items[n].ItemPrice
		if price == nil || price.Amount == nil || n > 0 && price.Currency != total.Currency {
			return nil
		}
		if n == 0 {
			total = datamodel.Amount{Amount: price.Amount, Currency: price.Currency}
			continue
		}
		sum, err := quantity.AddSums(*total.Amount, *price.Amount)
		if err != nil {
			return nil
		}
		total.Amount = &sum
	}
	if total.Amount == nil {
		return nil
	}
	return &total
}
