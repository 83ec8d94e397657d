// Package emcs is the Hub for excise goods that move in duty suspension: the electronic administrative document (e-AD) of
// the Excise Movement and Control System, and its rules.
package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Movement is one consignment of excise goods in duty suspension.
type Movement struct {
	Category Category `json:"category,omitempty" requiredWithout:"message" enum:"ALCOHOL,TOBACCO,ENERGY_OILS" doc:"Category of excise goods" example:"ALCOHOL"`
	Route    Route    `json:"movementType,omitempty" requiredWithout:"message" enum:"DOMESTIC,EXPORT,IMPORT_FROM_EU" doc:"Within the United Kingdom, out of it, or into it from the European Union" example:"DOMESTIC"`

	DispatcherName   string `json:"dispatcherName,omitempty" requiredWithout:"message" minLength:"1" maxLength:"182" doc:"Person or company that dispatches the goods" example:"Speyside Bonded Stores Ltd"`
	DispatcherNumber string `json:"dispatcherExciseNumber,omitempty" requiredWithout:"message" minLength:"1" maxLength:"35" doc:"Excise registration number (ERN) of the dispatcher" example:"GBWK002281023"`
	ConsigneeName    string `json:"consigneeName,omitempty" requiredWithout:"message" minLength:"1" maxLength:"182" doc:"Person or company that receives the goods" example:"Thames Bond Warehousing Ltd"`
	ConsigneeNumber  string `json:"consigneeExciseNumber,omitempty" maxLength:"35" doc:"Excise registration number (ERN) of the consignee; outside EMCS none" example:"GBWK240176600"`
	ConsigneeCountry string `json:"consigneeCountry,omitempty" format:"country" maxLength:"2" doc:"Country of destination, ISO 3166-1 alpha-2 or XI" example:"GB"`

	ProductCode        string           `json:"productCode,omitempty" requiredWithout:"message" minLength:"1" maxLength:"22" doc:"Excise product code, such as S200 for spirits" example:"S200"`
	ProductDescription string           `json:"productDescription,omitempty" requiredWithout:"message" minLength:"1" maxLength:"512" doc:"Description of the goods in usual trade terms" example:"Single malt Scotch whisky, 70 cl bottles"`
	Litres             *quantity.Number `json:"quantityLitres,omitempty" minimum:"0" doc:"Volume in litres: alcohol at 20 °C, oils at 15 °C" example:"8400"`
	Kilograms          *quantity.Mass   `json:"quantityKg,omitempty" minimum:"0" doc:"Net mass in kilograms" example:"7980"`
	Strength           *quantity.Number `json:"alcoholAbv,omitempty" minimum:"0" doc:"Alcoholic strength by volume, in per cent at 20 °C" example:"40"`

	PackageType string `json:"packageType,omitempty" maxLength:"64" doc:"Kind of packages (UN/ECE Recommendation 21)" example:"CT"`
	Packages    *int64 `json:"numberOfPackages,omitempty" minimum:"0" maximum:"999999999999999" doc:"Number of packages" example:"2000"`
	VehicleReg  string `json:"vehicleReg,omitempty" maxLength:"70" doc:"Registration of the vehicle or trailer" example:"AB24 CDE"`

	JourneyDays *int64     `json:"expectedJourneyTime,omitempty" minimum:"0" maximum:"999999" doc:"Expected journey time in days" example:"2"`
	DispatchAt  *time.Time `json:"scheduledDispatchAt,omitempty" doc:"Planned time of dispatch" example:"2026-12-01T06:30:00.000Z"`

	Message filing.Content `json:"message,omitempty" doc:"Whole content of HMRC’s message IE815, in its element names with a small first letter; a fact that is here must not be in a flat field. The required flat fields may then be absent" example:"{\"submittedDraftOfEADESAD\":{\"eadEsadDraft\":{\"invoiceNumber\":\"INV-1\"}}}"`

	filing.Labels
}

// Category is a category of excise goods.
type Category string

// Categories.
const (
	Alcohol    Category = "ALCOHOL"
	Tobacco    Category = "TOBACCO"
	EnergyOils Category = "ENERGY_OILS"
)

// Route is a type of movement.
type Route string

// Routes. An EXPORT from Northern Ireland may end in the European Union. It then stays in the EU excise territory.
const (
	Domestic  Route = "DOMESTIC"
	Export    Route = "EXPORT"
	FromUnion Route = "IMPORT_FROM_EU"
)

// inward reports whether the movement ends in a UK warehouse.
func (r Route) inward() bool { return r == Domestic || r == FromUnion }
