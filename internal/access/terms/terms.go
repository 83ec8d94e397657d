// Package terms holds what an organisation and its clients agree on with customs for all their declarations: accounts,
// guarantees, authorisations, and how import VAT is paid. Clients and organisations have the same members; those of a client
// take precedence.
package terms

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
)

// Terms are the standing arrangements of a trader with customs.
type Terms struct {
	XIEORI                  string              `json:"xiEori,omitempty" pattern:"^XI[0-9]{12}([0-9]{3})?$" doc:"EORI number for Northern Ireland, used where a declaration requires it" example:"XI123456789000"`
	RepresentationAuthority *WrittenAuthority   `json:"representationAuthority,omitempty" doc:"Written authority for the representation"`
	DefermentAuthority      string              `json:"defermentAuthority,omitempty" enum:"NONE,STANDING,SPECIFIC" doc:"Whether a representative may charge the deferment account"`
	VATDefermentAccount     string              `json:"vatDefermentAccount,omitempty" pattern:"^[0-9]{7}$" doc:"Second deferment account, for VAT" example:"7654321"`
	PaymentMethod           string              `json:"paymentMethod,omitempty" pattern:"^[A-Z]$" doc:"Method of payment (DE 4/8): E deferment, P cash account, or another" example:"E"`
	VATAccounting           string              `json:"vatAccounting,omitempty" enum:"POSTPONED,PAID" doc:"Whether import VAT is accounted for on the VAT return or paid. POSTPONED needs a VAT number"`
	Guarantees              []HeldGuarantee     `json:"guarantees,omitempty" maxItems:"99" doc:"Standing guarantees (DE 8/2, 8/3)"`
	Authorisations          []HeldAuthorisation `json:"authorisations,omitempty" maxItems:"99" doc:"Authorisations held (DE 3/39)"`
	UKIMS                   string              `json:"ukims,omitempty" minLength:"1" maxLength:"35" doc:"Authorisation under the UK Internal Market Scheme" example:"XIUKIM12345678900020240101000000"`
}

// Values of DefermentAuthority and VATAccounting.
const (
	NoAuthority = "NONE"
	Standing    = "STANDING"
	Specific    = "SPECIFIC"

	Postponed = "POSTPONED"
	Paid      = "PAID"
)

// WrittenAuthority is a written authority and its validity.
type WrittenAuthority struct {
	From      string `json:"from,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"First day" example:"2024-01-01"`
	Until     string `json:"until,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"Last day"`
	Reference string `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Your reference of it" example:"POA-17"`
}

// HeldGuarantee is a standing guarantee. A waiver has type 0 and reference Guaranteenotrequired.
type HeldGuarantee struct {
	Type           string         `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of guarantee; 0 for a waiver (DE 8/2)" example:"1"`
	Reference      string         `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Guarantee reference number (DE 8/3)" example:"GBCGU55320273485220191113093459"`
	OtherReference string         `json:"otherReference,omitempty" minLength:"1" maxLength:"35" doc:"Account or other reference (DE 8/3)"`
	Amount         *CoveredAmount `json:"amount,omitempty" doc:"Amount that is covered (DE 8/3)"`
	AccessCode     secret.Text    `json:"accessCode,omitempty" doc:"Access code of at most 4 characters (DE 8/3), stored encrypted and shown as {\"set\": true}, which keeps the stored one when it is sent"`
	Office         string         `json:"office,omitempty" minLength:"1" maxLength:"17" doc:"Office of guarantee (DE 8/3)"`
	ValidFrom      string         `json:"validFrom,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"First day"`
	ValidUntil     string         `json:"validUntil,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"Last day"`
}

// CoveredAmount is an amount in a currency.
type CoveredAmount struct {
	Amount   quantity.Sum `json:"amount" doc:"Amount" example:"10000"`
	Currency string       `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217)" example:"GBP"`
}

// HeldAuthorisation is an authorisation that the trader holds.
type HeldAuthorisation struct {
	Type              string         `json:"type" minLength:"1" maxLength:"4" doc:"Type of authorisation, such as DPO, CGU, SDE or CWP (DE 3/39)" example:"DPO"`
	Number            string         `json:"number,omitempty" minLength:"1" maxLength:"70" doc:"Number, which becomes the reference of its document (DE 2/3)" example:"GBDPO1108654"`
	Holder            string         `json:"holder,omitempty" minLength:"1" maxLength:"17" doc:"EORI of the holder; the EORI of the record when left out" example:"GB553202734852"`
	ValidFrom         string         `json:"validFrom,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"First day"`
	ValidUntil        string         `json:"validUntil,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"Last day"`
	SupervisingOffice string         `json:"supervisingOffice,omitempty" minLength:"1" maxLength:"17" doc:"Supervising office (DE 5/27)" example:"GBLBA001"`
	Warehouse         *HeldWarehouse `json:"warehouse,omitempty" doc:"Warehouse of the authorisation (DE 2/7)"`
	DischargePeriod   string         `json:"dischargePeriod,omitempty" pattern:"^P([0-9]{1,3}Y)?([0-9]{1,3}M)?([0-9]{1,3}W)?([0-9]{1,4}D)?$" doc:"Period for discharge of the special procedure, from the tax point" example:"P6M"`
	Procedures        []string       `json:"procedures,omitempty" maxItems:"99" doc:"Requested procedures that it covers, such as 71; all when left out"`
	Commodities       []string       `json:"commodities,omitempty" maxItems:"999" doc:"First digits of the commodity codes that it covers; all when left out"`
}

// HeldWarehouse is a warehouse.
type HeldWarehouse struct {
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of warehouse: R, S, T, U, V, Y or Z (DE 2/7)" example:"U"`
	ID   string `json:"id,omitempty" minLength:"1" maxLength:"35" doc:"Its number (DE 2/7)" example:"1212342GB"`
}

// Allows reports whether a representative may charge the deferment account.
func (t *Terms) Allows() bool {
	return t.DefermentAuthority == Standing || t.DefermentAuthority == Specific
}

// Holds returns the authorisation of a type that is valid on a day (YYYY-MM-DD) for a requested procedure and a commodity
// code; nil for none. An empty procedure or code is covered by each.
func (t *Terms) Holds(kind, day, procedure, code string) *HeldAuthorisation {
	for i := range t.Authorisations {
		a := &t.Authorisations[i]
		if a.Type == kind && within(a.ValidFrom, day, a.ValidUntil) && covers(a.Procedures, procedure) && covers(a.Commodities, code) {
			return a
		}
	}
	return nil
}

func covers(prefixes []string, value string) bool {
	if len(prefixes) == 0 || value == "" {
		return true
	}
	for _, p := range prefixes {
		if strings.HasPrefix(value, p) {
			return true
		}
	}
	return false
}

// Valid returns the guarantees that are valid on a day (YYYY-MM-DD).
func (t *Terms) Valid(day string) (all []HeldGuarantee) {
	for _, g := range t.Guarantees {
		if within(g.ValidFrom, day, g.ValidUntil) {
			all = append(all, g)
		}
	}
	return all
}

// within reports whether a day is in a period whose ends may be open.
func within(from, day, until string) bool { return from <= day && (until == "" || day <= until) }

// AccessCodes is the member with the access codes of guarantees.
var AccessCodes = secret.Member{List: "guarantees", Name: "accessCode", Same: []string{"type", "reference", "otherReference"}}

// Secrets returns the access codes of the guarantees.
func (t *Terms) Secrets() (all []secret.Given) {
	for n := range t.Guarantees {
		if g := &t.Guarantees[n]; g.AccessCode != "" {
			all = append(all, secret.Given{Index: n, Same: secret.Same(g.Type, g.Reference, g.OtherReference), Text: g.AccessCode})
		}
	}
	return all
}
