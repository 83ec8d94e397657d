package datamodel

import "github.com/tidewaiter/tidewaiter/internal/platform/quantity"

// Amount is an exact amount in a currency.
type Amount struct {
	object
	Amount   *quantity.Sum `json:"amount" nullable:"false" doc:"Amount, with at most three decimal places" example:"1950.5"`
	Currency string        `json:"currency,omitempty" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217). Only a declaration with fill NONE can leave it out" example:"USD"`
}

// Measure is a quantity with its unit.
type Measure struct {
	object
	Value *quantity.Number `json:"value" nullable:"false" doc:"Quantity, with at most six decimal places" example:"4"`
	Unit  string           `json:"unit,omitempty" minLength:"1" maxLength:"5" doc:"Unit, with its qualifier if it has one" example:"KGM#G"`
}

// Address is a postal address.
type Address struct {
	object
	Line            string `json:"line,omitempty" minLength:"1" maxLength:"70" doc:"Street and number" example:"12 Rue du Port"`
	City            string `json:"city,omitempty" minLength:"1" maxLength:"35" doc:"Town or city" example:"Calais"`
	Postcode        string `json:"postcode,omitempty" minLength:"1" maxLength:"9" doc:"Postcode" example:"62100"`
	Country         string `json:"country,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country" example:"FR"`
	SubdivisionCode string `json:"subdivisionCode,omitempty" minLength:"1" maxLength:"9" doc:"Code of the region"`
	SubdivisionName string `json:"subdivisionName,omitempty" minLength:"1" maxLength:"35" doc:"Name of the region"`
}

// Communication is a telephone number or another way to reach a trader.
type Communication struct {
	object
	ID   string `json:"id,omitempty" minLength:"1" maxLength:"50" doc:"Number or address" example:"+44 1394 555000"`
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of communication" example:"TE"`
}

// Destination is the country of destination (DE 5/8).
type Destination struct {
	object
	Country string `json:"country,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country of destination (DE 5/8)" example:"GB"`
	Region  string `json:"region,omitempty" minLength:"1" maxLength:"9" doc:"Region of destination"`
}

// UCR is the reference of the consignment (DE 2/4).
type UCR struct {
	object
	Reference       string `json:"reference,omitempty" minLength:"1" maxLength:"35" doc:"Unique consignment reference (DE 2/4)" example:"6GB123456789000-17"`
	TraderReference string `json:"traderReference,omitempty" minLength:"1" maxLength:"35" doc:"The trader's own reference (DE 2/4)" example:"2GB553202734852-12345"`
}

// Charge is an addition to the price or a deduction from it (DE 4/9).
type Charge struct {
	object
	Code   string  `json:"code,omitempty" minLength:"1" maxLength:"3" doc:"Kind of charge: AK for transport and insurance (DE 4/9)" example:"AK"`
	Amount *Amount `json:"amount,omitempty" doc:"Amount"`
}

// PreviousDocument is a previous document of the goods (DE 2/1).
type PreviousDocument struct {
	object
	Category  string `json:"category,omitempty" minLength:"1" maxLength:"3" doc:"Category: X, Y or Z (DE 2/1)" example:"Z"`
	Type      string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Type: DCR for a DUCR, MCR for a MUCR, SDE for a simplified declaration" example:"DCR"`
	Reference string `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Number of the document" example:"4GB553202734852-12345"`
	GoodsItem *int64 `json:"goodsItem,omitempty" minimum:"0" maximum:"99999" doc:"Item of that document" example:"1"`
}

// Statement is an additional information statement (DE 2/2).
type Statement struct {
	object
	Code string `json:"code,omitempty" minLength:"1" maxLength:"17" doc:"Code of the statement (DE 2/2)" example:"00500"`
	Text string `json:"text,omitempty" minLength:"1" maxLength:"512" doc:"Text of the statement" example:"IMPORTER"`
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Type of the statement"`
}
