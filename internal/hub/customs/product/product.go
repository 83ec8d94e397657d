// Package product is the catalogue of the goods of each client: their commodity codes, origin, preference and documents, which
// the items of declarations take over by the code of the product.
package product

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
)

// Product is one kind of goods of a client. Its members have the names and the form that they have in an item of a declaration.
type Product struct {
	ClientID              string           `json:"clientId" format:"uuid" doc:"The client whose goods they are" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Code                  string           `json:"code" minLength:"1" maxLength:"70" doc:"Your code of the goods, such as a stock number, unique for the client" example:"TS-1001"`
	Description           string           `json:"description" minLength:"1" maxLength:"512" doc:"Description of the goods (DE 6/8)" example:"Men's knitted cotton T-shirts"`
	CommodityCode         string           `json:"commodityCode,omitempty" pattern:"^[0-9]{6,10}$" doc:"Commodity code: 10 digits for an import, 8 for an export (DE 6/14, 6/15)" example:"6109100010"`
	CountryOfOrigin       string           `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin (DE 5/15)" example:"BD"`
	PreferentialOrigin    string           `json:"preferentialOrigin,omitempty" maxLength:"4" pattern:"^[A-Z0-9]{1,4}$" doc:"Preferential origin: a country or a group of countries (DE 5/16)" example:"BD"`
	PreferenceCode        string           `json:"preferenceCode,omitempty" pattern:"^[0-9]{3}$" doc:"Preference (DE 4/17)" example:"100"`
	UnitFactor            *quantity.Number `json:"unitFactor,omitempty" minimum:"0" doc:"Supplementary units of the commodity for each kilogram of net mass" example:"5"`
	Documents             []Document       `json:"documents,omitempty" maxItems:"99" doc:"Documents that the goods need (DE 2/3)"`
	AdditionalInformation []Statement      `json:"additionalInformation,omitempty" maxItems:"99" doc:"Statements about the goods (DE 2/2)"`
	AdditionalCodes       []AdditionalCode `json:"additionalCodes,omitempty" maxItems:"99" doc:"Additional codes (DE 6/16, 6/17)"`

	filing.Labels
}

// Document is a document that goods need. Its reference is left out if it differs from consignment to consignment.
type Document struct {
	Type      string `json:"type" minLength:"1" maxLength:"4" doc:"Document code, such as N853 for a veterinary certificate" example:"N853"`
	Category  string `json:"category,omitempty" minLength:"1" maxLength:"3" doc:"Category, only if type does not begin with it" example:"N"`
	Reference string `json:"reference,omitempty" maxLength:"70" doc:"Number of the document, if it is always the same" example:"GBIML1234567"`
	Status    string `json:"status,omitempty" minLength:"1" maxLength:"3" doc:"Document status code" example:"AE"`
	Reason    string `json:"reason,omitempty" maxLength:"35" doc:"Reason, if the status requires one" example:"Not subject to the measure"`
}

// Statement is an additional information statement.
type Statement struct {
	Code string `json:"code,omitempty" minLength:"1" maxLength:"17" doc:"Code of the statement" example:"NIDOM"`
	Text string `json:"text,omitempty" maxLength:"512" doc:"Text of the statement" example:"Domestic movement"`
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Type of the statement" example:"TRR"`
}

// AdditionalCode is an additional code of the commodity.
type AdditionalCode struct {
	Code string `json:"code" pattern:"^[A-Z0-9]{1,4}$" maxLength:"4" doc:"The code" example:"VATZ"`
	Type string `json:"type" enum:"TRA,GN" doc:"TRA: TARIC additional code (DE 6/16). GN: national additional code (DE 6/17)" example:"GN"`
}

// Adds is what the service adds to a product.
type Adds struct {
	filing.Archival
	Version      int64                    `json:"version,omitempty" doc:"Version of the product, as in its ETag; only when one product is read" example:"2"`
	History      []customs.AcceptedCode   `json:"history,omitempty" maxItems:"20" doc:"Commodity codes under which customs accepted the product, newest first, each once for a declaration; only when one product is read"`
	TariffChange *difference.TariffChange `json:"tariffChange,omitempty" doc:"The latest change of the tariff that touches the product, in tariff.measure.changed"`
}

// Kind is the kind of products.
const Kind = "product"

// Products defines the kind of record for products.
var Products = filing.Definition[Product]{
	Kind: Kind, Hub: customs.HubID, Path: "/api/products", Singular: "product", Plural: "products", Tag: "Shipments and Clients", Area: "Products",
	Plain: true, Tabular: true, Adds: Adds{}, Lifecycle: productLifecycle, Check: check, CheckInvalid: filing.InvalidBodies(check),
	Description: "The goods of a client with what customs needs to know about them. An item of a declaration takes it over by the code of the product.",
	MainFields:  []string{"code", "description", "commodityCode", "countryOfOrigin"},
	ListColumns: []string{"documents", "additionalInformation", "additionalCodes"},
	Needs: func(p *Product) []filing.Need {
		return []filing.Need{{Field: "clientId", Kind: customs.Clients.Kind, ID: p.ClientID}}
	},
	Names: func(p *Product) []filing.Key {
		return append([]filing.Key{customs.ProductName(p.ClientID, p.Code)}, textsOf(p.Code, p.Description)...)
	},
	Shown:     shown,
	NameTaken: apierr.Detail{Field: "code", Message: "belongs to another product of this client"},
}

// code is the form of the code of a product: an item names it, so spaces at its ends would be lost.
var code = lazyregexp.New(`^\S(.*\S)?$`)

// check rejects codes with spaces at their ends and empty statements.
func check(p *Product) (details []apierr.Detail) {
	if !code.MatchString(p.Code) {
		details = append(details, apierr.Detail{Field: "code", Message: "must not begin or end with a space"})
	}
	for i, s := range p.AdditionalInformation {
		if s == (Statement{}) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("additionalInformation[%d]", i), Message: "is empty"})
		}
	}
	return details
}

// shown is what one product shows besides what is stored with it. The history belongs to the declarations, so that their
// acceptance changes no product.
func shown(tx filing.View, f *filing.Filing) (filing.Added, error) {
	accepted, err := customs.ProductHistory(tx, f.ID)
	return filing.Added{"history": accepted, "version": f.Version}, err
}
