package followup

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Trader is a trader or a place with its address.
type Trader struct {
	ID           string `json:"id,omitempty"` // excise number, or identification of a tax warehouse
	Name         string `json:"name"`
	Street       string `json:"street"`
	StreetNumber string `json:"streetNumber,omitempty"`
	Postcode     string `json:"postcode"`
	City         string `json:"city"`
}

func (t *Trader) element(name string) *emcs.Element {
	if t == nil {
		return nil
	}
	return emcs.Group(name, emcs.Leaf("Traderid", t.ID), emcs.Leaf("TraderName", t.Name), emcs.Leaf("StreetName", t.Street), emcs.Leaf("StreetNumber", t.StreetNumber),
		emcs.Leaf("Postcode", t.Postcode), emcs.Leaf("City", t.City)).In("en")
}

// Destination is a change of destination (IE813) by the consignor.
type Destination struct {
	Type        string  `json:"type"`                  // code of the destination type
	Consignee   *Trader `json:"consignee,omitempty"`   // nil if it stays
	Place       *Trader `json:"place,omitempty"`       // of delivery
	Office      string  `json:"office,omitempty"`      // customs office of export
	JourneyDays int     `json:"journeyDays,omitempty"` // new journey time; 0 if it stays
}

// Destination returns the body of an IE813.
func (m Movement) Destination(d Destination) *emcs.Element {
	update := emcs.Group("UpdateEadEsad", emcs.Leaf("AdministrativeReferenceCode", m.ARC()))
	if d.JourneyDays > 0 {
		update.Add(emcs.Leaf("JourneyTime", fmt.Sprintf("D%02d", d.JourneyDays)))
	}
	changed := emcs.Group("DestinationChanged", emcs.Leaf("DestinationTypeCode", d.Type), d.Consignee.element("NewConsigneeTrader"), d.Place.element("DeliveryPlaceTrader"))
	if d.Office != "" {
		changed.Add(emcs.Group("DeliveryPlaceCustomsOffice", emcs.Leaf("ReferenceNumber", d.Office)))
	}
	return emcs.Group("ChangeOfDestination", emcs.Group("Attributes"), update, changed)
}
