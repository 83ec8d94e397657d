// Package tss is the Hub for goods that move to and from Northern Ireland: the declaration to the Trader Support Service
// under the Windsor Framework, and its rules.
package tss

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Declaration is one movement of goods between Northern Ireland and elsewhere.
type Declaration struct {
	MovementType Movement `json:"movementType" enum:"GB_NI,NI_GB,IMPORT_TO_NI" doc:"From Great Britain to Northern Ireland, the other way, or into Northern Ireland from outside the United Kingdom" example:"GB_NI"`
	TraderEORI   string   `json:"traderEori" minLength:"1" maxLength:"35" doc:"EORI of the declarant; XI for goods moved into Northern Ireland" example:"XI123456789000"`
	UKIMSNumber  string   `json:"ukimsAuthNumber,omitempty" maxLength:"64" doc:"Number of the trader's UK Internal Market Scheme authorisation" example:"XIUKIM12345678900020240603090000"`

	ConsignorName    string `json:"consignorName" minLength:"1" maxLength:"140" doc:"Person or company that sends the goods" example:"Harbour Kitchens Ltd"`
	ConsignorEORI    string `json:"consignorEori,omitempty" maxLength:"35" doc:"EORI of the consignor" example:"GB205672212000"`
	ConsignorCountry string `json:"consignorCountry,omitempty" format:"country" maxLength:"2" doc:"Country of dispatch, ISO 3166-1 alpha-2 or XI" example:"GB"`
	ConsigneeName    string `json:"consigneeName" minLength:"1" maxLength:"140" doc:"Person or company that receives the goods" example:"Lagan Interiors Ltd"`
	ConsigneeEORI    string `json:"consigneeEori,omitempty" maxLength:"35" doc:"EORI of the consignee" example:"XI123456789000"`
	ConsigneeCountry string `json:"consigneeCountry,omitempty" format:"country" maxLength:"2" doc:"Country of destination, ISO 3166-1 alpha-2 or XI" example:"XI"`

	CommodityCode    string          `json:"commodityCode" minLength:"1" maxLength:"22" doc:"Commodity code" example:"9403409000"`
	GoodsDescription string          `json:"goodsDescription" minLength:"1" maxLength:"512" doc:"Description of the goods in usual trade terms" example:"Flat-packed wooden kitchen cupboards"`
	NetMassKg        quantity.Mass   `json:"netMassKg" minimum:"0" doc:"Net mass in kilograms" example:"1250.5"`
	CustomsValueGBP  *quantity.Money `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling" example:"8400"`
	CountryOfOrigin  string          `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin, ISO 3166-1 alpha-2 or XI" example:"GB"`

	RiskCategorisation Risk   `json:"riskCategorisation,omitempty" enum:"NOT_AT_RISK,AT_RISK,UNCLAIMED" doc:"Whether the goods are at risk of onward movement to the European Union; at risk without a claim" example:"NOT_AT_RISK"`
	NotAtRiskReason    Reason `json:"notAtRiskReason,omitempty" enum:"ukims_consumed_in_ni,uk_origin_goods,no_processing,domestic_uk_goods" doc:"Why the goods are not at risk" example:"ukims_consumed_in_ni"`

	TransportDocNumber  string     `json:"transportDocNumber,omitempty" maxLength:"70" doc:"Number of the consignment note, bill of lading or air waybill" example:"CMR-204418"`
	VehicleReg          string     `json:"vehicleReg,omitempty" maxLength:"70" doc:"Registration of the vehicle or trailer" example:"AB24 CDE"`
	ScheduledDispatchAt *time.Time `json:"scheduledDispatchAt,omitempty" doc:"Planned time of dispatch" example:"2026-12-01T06:30:00.000Z"`

	Declarations []string `json:"customsDeclarations,omitempty" maxItems:"200" nullable:"false" doc:"MRN or DUCR of each customs declaration of the goods, or the id of a declaration of the organisation, which is replaced by its MRN" example:"[\"26GB3TTI2CQ1C7FGR4\"]"`

	filing.Labels
}

// Movement is the direction of the goods.
type Movement string

// Movements.
const (
	GBToNI     Movement = "GB_NI"
	NIToGB     Movement = "NI_GB"
	ImportToNI Movement = "IMPORT_TO_NI"
)

// intoNI reports whether the goods enter Northern Ireland, where the Union Customs Code applies.
func (m Movement) intoNI() bool { return m == GBToNI || m == ImportToNI }

// Risk is the trader's claim whether the goods are at risk of onward movement to the European Union.
type Risk string

// Claims. Goods without a claim, or with UNCLAIMED, are at risk.
const (
	NotAtRisk Risk = "NOT_AT_RISK"
	AtRisk    Risk = "AT_RISK"
	Unclaimed Risk = "UNCLAIMED"
)

// Reason is the reason for a claim that goods are not at risk.
type Reason string

// Reasons.
const (
	ConsumedInNI  Reason = "ukims_consumed_in_ni"
	UKOrigin      Reason = "uk_origin_goods"
	NoProcessing  Reason = "no_processing"
	DomesticGoods Reason = "domestic_uk_goods"
)
