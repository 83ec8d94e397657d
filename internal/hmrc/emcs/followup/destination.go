package followup

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// TraderAddress is a trader or a place with its address.
type TraderAddress struct {
	ID           string `json:"id,omitempty" maxLength:"16" doc:"Excise number, or number of a tax warehouse" example:"GBWK240176600"`
	Name         string `json:"name" minLength:"1" maxLength:"182" doc:"Name" example:"Thames Bond Warehousing Ltd"`
	Street       string `json:"street" minLength:"1" maxLength:"65" doc:"Street" example:"Dock Road"`
	StreetNumber string `json:"streetNumber,omitempty" maxLength:"11" doc:"Number in the street" example:"12"`
	Postcode     string `json:"postcode" minLength:"1" maxLength:"10" doc:"Postcode" example:"RM18 7EH"`
	City         string `json:"city" minLength:"1" maxLength:"50" doc:"City" example:"Tilbury"`
}

func (t *TraderAddress) element(name string) *emcs.Element {
	if t == nil {
		return nil
	}
	return emcs.Group(name, emcs.Leaf("Traderid", t.ID), emcs.Leaf("TraderName", t.Name), emcs.Leaf("StreetName", t.Street), emcs.Leaf("StreetNumber", t.StreetNumber),
		emcs.Leaf("Postcode", t.Postcode), emcs.Leaf("City", t.City)).In("en")
}

// DestinationChange is a change of destination (IE813) by the consignor.
type DestinationChange struct {
	Type        string         `json:"type" enum:"1,2,3,4,6,9,10,11" doc:"1 tax warehouse, 2 registered consignee, 3 temporary registered consignee, 4 direct delivery, 6 export, 9 certified consignee, 10 temporary certified consignee, 11 return to the place of dispatch" example:"1"`
	Consignee   *TraderAddress `json:"consignee,omitempty" doc:"New consignee; absent if it stays"`
	Place       *TraderAddress `json:"place,omitempty" doc:"Place of delivery"`
	Office      string         `json:"office,omitempty" maxLength:"8" doc:"Customs office of export" example:"GB000060"`
	JourneyDays int            `json:"journeyDays,omitempty" minimum:"1" maximum:"92" doc:"New journey time in days; absent if it stays" example:"3"`
}

// Destination returns the body of an IE813.
func (m Movement) Destination(d DestinationChange) *emcs.Element {
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
