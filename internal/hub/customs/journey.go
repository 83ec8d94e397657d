package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// mode is a mode of transport: its code (DE 7/4), and the kinds of identity (DE 7/9) of a means that is named by number or by
// name. A number in the air is a flight (40) or an aircraft (41), so that only a guess knows its kind.
type mode struct {
	code, byNumber, byName string
	ambiguous              bool
}

var modes = map[string]mode{
	"SEA":  {"1", "10", "11", false},
	"RAIL": {"2", "20", "20", false},
	"ROAD": {"3", "30", "30", false},
	"AIR":  {"4", "40", "40", true},
}

// means returns the means of transport of the shipment by number or, without one, by name; nil if neither is known. Usual
// values include the kind of an ambiguous number, and the shipment's reference for a means that is not known.
func (d *documentData) means(usual bool) *datamodel.Means {
	m := modes[d.shipment.TransportMode]
	if number := trimmedUpper(d.shipment.TransportID); number != "" {
		if m.ambiguous && !usual {
			return &datamodel.Means{ID: number}
		}
		return &datamodel.Means{ID: number, IDType: m.byNumber}
	}
	if name := strings.ReplaceAll(d.shipment.VesselName, " ", ""); name != "" {
		if m.ambiguous && !usual {
			return &datamodel.Means{ID: name}
		}
		return &datamodel.Means{ID: name, IDType: m.byName}
	}
	if usual {
		return &datamodel.Means{ID: d.reference, IDType: m.byName}
	}
	return nil
}

// counterparty returns the counterparty of the shipment; nil if nothing is known of it.
func (d *documentData) counterparty() *datamodel.Party {
	p := datamodel.Party{Name: d.shipment.CounterpartyName}
	a := datamodel.Address{
		Line: d.shipment.CounterpartyAddress, City: d.shipment.CounterpartyCity, Postcode: d.shipment.CounterpartyPostcode,
		Country: d.shipment.CounterpartyCountry,
	}
	if a != (datamodel.Address{}) {
		p.Address = &a
	}
	if p == (datamodel.Party{}) {
		return nil
	}
	return &p
}

// equipment returns the containers of the shipment.
func (d *documentData) equipment() []datamodel.Equipment {
	if d.shipment.Equipment != nil {
		return d.shipment.Equipment
	}
	var all []datamodel.Equipment
	for _, container := range d.shipment.Containers {
		all = append(all, datamodel.Equipment{Container: trimmedUpper(container)})
	}
	return all
}

// goodsLocation returns the location of goods of the shipment; nil if it has none.
func (d *documentData) goodsLocation() *datamodel.Location {
	if d.shipment.Location != nil || d.shipment.GoodsLocation == "" {
		return d.shipment.Location
	}
	return locationOf(d.shipment.GoodsLocation)
}

// locationOf splits a location code (DE 5/23); nil for a code of another form.
func locationOf(code string) *datamodel.Location {
	l, ok := wco.SplitGoodsLocation(code)
	if !ok {
		return nil
	}
	return &datamodel.Location{Country: l.Address.CountryCode, Type: l.TypeCode, Qualifier: l.Address.TypeCode, Name: l.Name}
}

// deliveryTerms returns the terms of delivery of the shipment; nil if it has none.
func (d *documentData) deliveryTerms() *datamodel.DeliveryTerms {
	if d.shipment.DeliveryTerms != nil {
		return d.shipment.DeliveryTerms
	}
	t := datamodel.DeliveryTerms{Incoterm: d.shipment.Incoterm, Place: d.shipment.IncotermLocation}
	if t == (datamodel.DeliveryTerms{}) {
		return nil
	}
	return &t
}

// security returns the safety and security data of the shipment.
func (d *documentData) security() (s datamodel.Security) {
	if d.shipment.Security != nil {
		s = *d.shipment.Security
	}
	if eori := trimmedUpper(d.shipment.CarrierEORI); eori != "" && s.Carrier == nil {
		s.Carrier = &datamodel.Carrier{EORI: eori}
	}
	return s
}

// party returns the name and address of the client.
func (c *Client) party() (name string, address *datamodel.Address) {
	a := datamodel.Address{Line: c.AddressLine1, City: c.City, Postcode: c.Postcode, Country: c.Country}
	if a == (datamodel.Address{}) {
		return cut(c.Name, maxName), nil
	}
	return cut(c.Name, maxName), &a
}

// maxName is the schema's limit of a name in characters.
const maxName = 70

func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}
