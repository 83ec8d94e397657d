// Package followup makes the messages that follow the acceptance of a movement: cancellation, change of destination, report of receipt, alert, and explanations.
// What they repeat of the movement comes from its latest IE801. The results are bodies; package rulebook checks them before they are sent.
package followup

import (
	"fmt"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Party is the one who submits an explanation.
type Party string

// Parties.
const (
	Consignor Party = "CONSIGNOR"
	Consignee Party = "CONSIGNEE"
)

// code is HMRC's code of a submitter.
func (p Party) code() string {
	if p == Consignor {
		return "1"
	}
	return "2"
}

// Movement is an accepted movement.
type Movement struct{ container *emcs.Element }

// Of returns the movement of an IE801, and emcs.ErrMessage for another message.
func Of(accepted emcs.Message) (Movement, error) {
	if accepted.Kind != emcs.Accepted || accepted.Body == nil {
		return Movement{}, fmt.Errorf("%w here: a movement is known by its %s, not by an %s", emcs.ErrMessage, emcs.Accepted, accepted.Kind)
	}
	return Movement{container: accepted.Body}, nil
}

// ARC returns the movement's reference.
func (m Movement) ARC() string {
	return m.container.Value("ExciseMovement", "AdministrativeReferenceCode")
}

// reference returns the group with ARC and sequence number.
func (m Movement) reference() *emcs.Element {
	return emcs.Group("ExciseMovement", emcs.Leaf("AdministrativeReferenceCode", m.ARC()), emcs.Leaf("SequenceNumber", m.container.Value("HeaderEadEsad", "SequenceNumber")))
}

// product returns the excise product of an item; empty if the movement has no such item.
func (m Movement) product(item int) string {
	for declared := range m.container.All("BodyEadEsad") {
		if declared.Value("BodyRecordUniqueReference") == strconv.Itoa(item) {
			return declared.Value("ExciseProductCode")
		}
	}
	return ""
}

// officeNumber is the number of HMRC's excise office, which it has once for GB and once for XI in all of its examples.
const officeNumber = "004098"

// office returns the office of destination: the given one, or else HMRC's in the consignee's part of the UK.
func (m Movement) office(given string) *emcs.Element {
	if consignee := m.container.Value("ConsigneeTrader", "Traderid"); given == "" && len(consignee) > 1 {
		given = consignee[:2] + officeNumber
	}
	return emcs.Group("DestinationOffice", emcs.Leaf("ReferenceNumber", given))
}

// GivenReason is a reason of HMRC's lists. The code 0 stands for another one, which the information then describes.
type GivenReason struct {
	Code        string `json:"code" maxLength:"2" pattern:"^[0-9]{1,2}$" doc:"Code of HMRC's list; 0 for another reason" example:"2"`
	Information string `json:"information,omitempty" maxLength:"350" doc:"Description in English, which code 0 needs" example:"Two cartons were wet"`
}

func (r GivenReason) element(group, code string) *emcs.Element {
	return emcs.Group(group, emcs.Leaf(code, r.Code), english("ComplementaryInformation", r.Information))
}

func english(name, text string) *emcs.Element { return emcs.Words(name, text, "en") }

// ReceiptReport is a report of receipt (IE818) by the consignee.
type ReceiptReport struct {
	Conclusion  int            `json:"conclusion" minimum:"1" maximum:"4" doc:"1 satisfactory, 2 accepted although unsatisfactory, 3 refused, 4 partially refused" example:"1"`
	ArrivedOn   string         `json:"arrivedOn" format:"date" doc:"Date of arrival" example:"2026-11-27"`
	Information string         `json:"information,omitempty" maxLength:"350" doc:"Complementary information in English" example:"Checked at the quay"`
	Office      string         `json:"office,omitempty" maxLength:"8" doc:"Excise office of destination; HMRC’s if absent" example:"GB004098"`
	Items       []ReceivedItem `json:"items,omitempty" maxItems:"999" doc:"Items that did not arrive as declared"`
}

// ReceivedItem is an item of a receipt. Quantities are in the unit of the excise product.
type ReceivedItem struct {
	Item     int              `json:"item" minimum:"1" maximum:"999" doc:"Number of the item in the movement" example:"1"`
	Shortage *quantity.Number `json:"shortage,omitempty" minimum:"0" doc:"Missing quantity" example:"12.5"`
	Excess   *quantity.Number `json:"excess,omitempty" minimum:"0" doc:"Surplus quantity" example:"12.5"`
	Refused  *quantity.Number `json:"refused,omitempty" minimum:"0" doc:"Refused quantity, with conclusion 4" example:"12.5"`
	Reasons  []GivenReason    `json:"reasons,omitempty" maxItems:"9" doc:"What is unsatisfactory: 1 excess, 2 shortage, 3 damaged, 4 broken seal, 5 reported by ECS, 7 higher quantity, 0 other"`
}

// Receipt returns the body of an IE818.
func (m Movement) Receipt(r ReceiptReport) *emcs.Element {
	body := emcs.Group("AcceptedOrRejectedReportOfReceiptExport", emcs.Group("Attributes"), m.container.At("ConsigneeTrader").Clone(), m.reference(),
		m.container.At("DeliveryPlaceTrader").Clone(), m.office(r.Office),
		emcs.Group("ReportOfReceiptExport", emcs.Leaf("DateOfArrivalOfExciseProducts", r.ArrivedOn), emcs.Leaf("GlobalConclusionOfReceipt", strconv.Itoa(r.Conclusion)),
			english("ComplementaryInformation", r.Information)))
	for _, item := range r.Items {
		body.Add(item.element(m.product(item.Item)))
	}
	return body
}

func (i ReceivedItem) element(product string) *emcs.Element {
	indicator, observed := "S", i.Shortage
	if i.Shortage == nil {
		indicator, observed = "E", i.Excess
	}
	e := emcs.Group("BodyReportOfReceiptExport", emcs.Leaf("BodyRecordUniqueReference", strconv.Itoa(i.Item)))
	if observed != nil {
		e.Add(emcs.Leaf("IndicatorOfShortageOrExcess", indicator), emcs.Leaf("ObservedShortageOrExcess", observed.String()))
	}
	e.Add(emcs.Leaf("ExciseProductCode", product), decimal("RefusedQuantity", i.Refused))
	for _, r := range i.Reasons {
		e.Add(r.element("UnsatisfactoryReason", "UnsatisfactoryReasonCode"))
	}
	return e
}

func decimal(name string, n *quantity.Number) *emcs.Element {
	if n == nil {
		return nil
	}
	return emcs.Leaf(name, n.String())
}

// ArrivalAlert is a warning or a rejection by the consignee before the goods arrive (IE819).
type ArrivalAlert struct {
	On       string        `json:"on" format:"date" doc:"Date of the alert or rejection" example:"2026-11-27"`
	Rejected bool          `json:"rejected" doc:"Whether the movement is rejected; otherwise it is an alert" example:"true"`
	Reasons  []GivenReason `json:"reasons,omitempty" maxItems:"9" doc:"Why: 1 the movement does not concern the recipient, 2 the product does not match the order, 3 the quantity does not match the order, 0 other"`
	Office   string        `json:"office,omitempty" maxLength:"8" doc:"Excise office of destination; HMRC’s if absent" example:"GB004098"`
}

// Alert returns the body of an IE819.
func (m Movement) Alert(a ArrivalAlert) *emcs.Element {
	flag := "0"
	if a.Rejected {
		flag = "1"
	}
	body := emcs.Group("AlertOrRejectionOfEADESAD", emcs.Group("Attributes"), m.container.At("ConsigneeTrader").Clone(), m.reference(), m.office(a.Office),
		emcs.Group("AlertOrRejection", emcs.Leaf("DateOfAlertOrRejection", a.On), emcs.Leaf("EadEsadRejectedFlag", flag)))
	for _, r := range a.Reasons {
		body.Add(r.element("AlertOrRejectionOfEadEsadReason", "AlertOrRejectionOfMovementReasonCode"))
	}
	return body
}

// Cancellation returns the body of an IE810.
func (m Movement) Cancellation(r GivenReason) *emcs.Element {
	return emcs.Group("CancellationOfEAD", emcs.Group("Attributes"), emcs.Group("ExciseMovementEad", emcs.Leaf("AdministrativeReferenceCode", m.ARC())),
		r.element("Cancellation", "CancellationReasonCode"))
}
