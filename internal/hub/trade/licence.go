// Package trade is the Hub for export licences: applications for goods under strategic control, permits for endangered
// species and health certificates for animal products, and their rules.
package trade

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Licence is one application, and the licence that results from it.
type Licence struct {
	LicenceType Type `json:"licenceType" enum:"EHC,DUAL_USE_SIEL,DUAL_USE_OIEL,OPEN_GENERAL,STRATEGIC_CONTROL,CITES" doc:"Export health certificate, standard or open individual licence for dual-use goods, use of an open general licence, licence for military goods, or permit for endangered species" example:"DUAL_USE_SIEL"`

	ExporterName string `json:"exporterName" minLength:"1" maxLength:"255" doc:"Person or company that exports the goods" example:"Pennine Machine Tools Ltd"`
	ExporterEORI string `json:"exporterEori,omitempty" maxLength:"35" doc:"EORI of the exporter" example:"GB205672212000"`

	EndUserName    string `json:"endUserName" minLength:"1" maxLength:"255" doc:"Final user of the goods" example:"Hanbit Turbine Co., Ltd."`
	EndUserAddress string `json:"endUserAddress,omitempty" maxLength:"500" doc:"Address of the end user" example:"41 Jangan-ro, Changwon 51542, Republic of Korea"`
	EndUserCountry string `json:"endUserCountry" format:"country" maxLength:"2" doc:"Country of the end user, ISO 3166-1 alpha-2 or XI" example:"KR"`

	ProductCode        string `json:"productCode" minLength:"1" maxLength:"64" doc:"Entry of the UK Strategic Export Control Lists, such as ML10.a, otherwise the commodity code" example:"2B001.b.2"`
	ProductDescription string `json:"productDescription" minLength:"1" maxLength:"1000" doc:"Description of the goods, with the technical data that matters for control" example:"Five-axis CNC machining centre for milling turbine blades, positioning repeatability 2.4 micrometres"`
	EndUse             string `json:"endUse,omitempty" maxLength:"1000" doc:"Purpose for which the end user will use the goods" example:"Milling of steam turbine blades for civil power stations at the Changwon works"`

	Quantity      *quantity.Number `json:"quantity,omitempty" minimum:"0" doc:"Quantity in the unit of measure" example:"2"`
	UnitOfMeasure string           `json:"unitOfMeasure,omitempty" maxLength:"35" doc:"Unit of the quantity" example:"units"`

	ValidFrom  *time.Time `json:"validFrom,omitempty" doc:"Start of validity" example:"2026-12-15T00:00:00.000Z"`
	ValidUntil *time.Time `json:"validUntil,omitempty" doc:"End of validity; an APPROVED licence becomes EXPIRED after it" example:"2028-12-14T23:59:59.000Z"`

	filing.OwnLabels
}

// Type is a type of licence.
type Type string

// Types.
const (
	EHC         Type = "EHC"               // export health certificate
	SIEL        Type = "DUAL_USE_SIEL"     // standard individual export licence
	OIEL        Type = "DUAL_USE_OIEL"     // open individual export licence
	OpenGeneral Type = "OPEN_GENERAL"      // open general export licence, which needs a registration
	Strategic   Type = "STRATEGIC_CONTROL" // individual licence for military goods
	CITES       Type = "CITES"             // permit for endangered species
)

// names maps types to words for messages.
var names = map[Type]string{
	EHC: "export health certificate", SIEL: "standard individual export licence", OIEL: "open individual export licence",
	OpenGeneral: "open general export licence", Strategic: "licence for military goods", CITES: "CITES permit",
}

func (t Type) String() string { return names[t] }

// withArticle returns the words for a type with the article.
func (t Type) withArticle() string {
	if strings.ContainsAny(names[t][:1], "aeio") {
		return "an " + names[t]
	}
	return "a " + names[t]
}

// strategic reports whether the licence is for goods under strategic export control.
func (t Type) strategic() bool { return t != EHC && t != CITES }

// individual reports whether the licence is for one end user and one quantity.
func (t Type) individual() bool { return t == SIEL || t == Strategic }
