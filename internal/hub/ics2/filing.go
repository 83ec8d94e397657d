// Package ics2 is the Hub for safety and security: the entry summary declaration (ENS) for goods to Great Britain, or to
// Northern Ireland and the European Union in the EU Import Control System 2 (ICS2), and its rules.
package ics2

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Filing is the entry summary declaration of one consignment.
type Filing struct {
	Regime Regime `json:"regime,omitempty" enum:"EU,GB" doc:"GB is sent to HMRC (Safety and Security GB). EU, or none, is a draft with a review: its MRN is a mock reference" example:"GB"`

	FilingType      FilingType `json:"filingType,omitempty" requiredWithout:"message" enum:"ENS_ROAD,ENS_AIR,ENS_SEA,ENS_RAIL,ENS_POSTAL" doc:"Type of traffic" example:"ENS_SEA"`
	ModeOfTransport string     `json:"modeOfTransport,omitempty" requiredWithout:"message" minLength:"1" maxLength:"35" doc:"Mode of transport at the border: 1 sea, 2 rail, 3 road, 4 air, 5 post, 8 inland waterway; into Great Britain also 10 and 11, accompanied and unaccompanied ferry traffic" example:"1"`

	CarrierName   string `json:"carrierName,omitempty" requiredWithout:"message" minLength:"1" maxLength:"140" doc:"Person or company that carries the goods" example:"Northern Star Lines"`
	CarrierEORI   string `json:"carrierEori,omitempty" maxLength:"35" doc:"EORI of the carrier" example:"GB123456789000"`
	ConsignorName string `json:"consignorName,omitempty" requiredWithout:"message" minLength:"1" maxLength:"140" doc:"Person or company that sends the goods" example:"Busan Kitchenware Co., Ltd."`
	ConsignorEORI string `json:"consignorEori,omitempty" maxLength:"35" doc:"EORI of the consignor, if there is one" example:"FR12345678901234"`
	ConsigneeName string `json:"consigneeName,omitempty" requiredWithout:"message" minLength:"1" maxLength:"140" doc:"Person or company that receives the goods" example:"Harbour Kitchens Ltd"`
	ConsigneeEORI string `json:"consigneeEori,omitempty" maxLength:"35" doc:"EORI of the consignee" example:"GB205672212000"`

	TransportDocNumber string     `json:"transportDocNumber,omitempty" requiredWithout:"message" minLength:"1" maxLength:"70" doc:"Number of the consignment note, bill of lading, air waybill or postal item" example:"NSLU260411987"`
	PortOfLoading      string     `json:"portOfLoading,omitempty" requiredWithout:"message" minLength:"1" maxLength:"70" doc:"UN/LOCODE of the place of loading" example:"KRPUS"`
	PortOfUnloading    string     `json:"portOfUnloading,omitempty" requiredWithout:"message" minLength:"1" maxLength:"70" doc:"UN/LOCODE of the place of unloading" example:"GBFXT"`
	EstimatedArrival   *time.Time `json:"estimatedArrival,omitempty" doc:"Expected arrival at the first place of entry" example:"2026-12-20T04:30:00.000Z"`

	TotalPackages    *int64         `json:"totalPackages,omitempty" minimum:"0" doc:"Number of packages, or of pieces if they are not packed" example:"42"`
	TotalGrossMassKg *quantity.Mass `json:"totalGrossMassKg,omitempty" minimum:"0" doc:"Mass with packaging, in kilograms" example:"3150.5"`
	GoodsDescription string         `json:"goodsDescription,omitempty" maxLength:"1024" doc:"Description of the goods in usual trade terms" example:"Electric espresso machines for household use"`
	CommodityCodes   []string       `json:"commodityCodes,omitempty" maxItems:"999" nullable:"false" doc:"Codes of the Harmonised System, of six digits or more" example:"[\"851671\"]"`

	Message filing.Content `json:"message,omitempty" doc:"Content of HMRC’s CC315A below its header, for what the other fields do not say; only with regime GB. Names begin with a small letter, lists are arrays" example:"{\"hEAHEA\":{\"ideOfMeaOfTraCroHEA85\":\"9431408\",\"conRefNumHEA\":\"NS0412W\"},\"tRACONCO1\":{\"strAndNumCO122\":\"12 Haeyang-ro\",\"posCodCO123\":\"49112\",\"citCO124\":\"Busan\",\"couCO125\":\"KR\"},\"gOOITEGDS\":[{\"pACGS2\":[{\"kinOfPacGS23\":\"CT\",\"marNumOfPacGSL21\":\"HK 1-42\"}]}],\"iTI\":[{\"couOfRouCodITI1\":\"KR\"},{\"couOfRouCodITI1\":\"GB\"}],\"cUSOFFFENT730\":{\"refNumCUSOFFFENT731\":\"GB000051\"}}"`

	filing.Labels
}

// Regime is the system that an entry summary declaration is for.
type Regime string

// Regimes. Union, or none, is ICS2 of the European Union, also in Northern Ireland.
const (
	Union Regime = "EU"
	GB    Regime = "GB"
)

// FilingType is the type of traffic of a declaration.
type FilingType string

// Types.
const (
	Road   FilingType = "ENS_ROAD"
	Air    FilingType = "ENS_AIR"
	Sea    FilingType = "ENS_SEA"
	Rail   FilingType = "ENS_RAIL"
	Postal FilingType = "ENS_POSTAL"
)
