package emcssim

import (
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// reasons are the reasons of the errors that the simulator decides by the state of a movement. Source of the numbers: hmrc/emcs-tfe-frontend (10 March 2026).
var reasons = map[string]string{
	"4401": "A value is not valid", "4402": "The LRN was used before", "4453": "The destination is the one that the movement has",
	"4454": "The destination of a movement in this state cannot be changed", "4475": "The movement has no such item", "4478": "The arrival is before the dispatch",
	"4479": "The excise product is not that of the item", "4480": "The shortage is more than the quantity of the item", "4481": "The refused quantity is more than that of the item",
	"4492": "The message is about another destination", "4494": "A movement in this state cannot be cancelled", "4495": "An import cannot be cancelled",
	"4498": "The receipt of a movement in this state cannot be reported", "4517": "A movement in this state can have no alert or rejection",
	"4522": "A shortage of a movement in this state cannot be explained", "4526": "The excise product is not that of the item",
}

func reasonOf(number string) string {
	if reason, known := reasons[number]; known {
		return reason
	}
	return "Not accepted"
}

// allowed are the stages in which HMRC's screens let a trader send a message, and the error for the others. An explanation of a delay is always allowed.
var allowed = map[emcs.Kind]struct {
	stages []life.Stage
	number string
}{
	emcs.Cancellation: {[]life.Stage{life.StageAccepted, life.StageExporting, life.StageRejected}, "4494"},
	emcs.DestinationChange: {[]life.Stage{life.StageAccepted, life.StageExporting, life.StagePartiallyRefused, life.StageRefused, life.StageRejected},
		"4454"},
	emcs.Receipt: {[]life.Stage{life.StageAccepted}, "4498"},
	emcs.Alert:   {[]life.Stage{life.StageAccepted}, "4517"},
	emcs.Shortage: {[]life.Stage{life.StageDelivered, life.StageDiverted, life.StageManuallyClosed, life.StageRefused, life.StagePartiallyRefused, life.StageExporting, life.StageStopped},
		"4522"},
}

// judge returns the number of the error of a later message and its location; empty if it is accepted.
func (m *movement) judge(at time.Time, later emcs.Message) (number, location string) {
	l := m.life(at)
	if a, limited := allowed[later.Kind]; limited && !slices.Contains(a.stages, l.Stage) {
		return a.number, ""
	}
	if number, location = unknownCode(later); number != "" {
		return number, location
	}
	switch later.Kind {
	case emcs.Cancellation:
		return m.judgeCancellation(at)
	case emcs.DestinationChange:
		return m.judgeChange(later)
	case emcs.Receipt:
		return m.judgeReceipt(later)
	case emcs.Shortage:
		return m.judgeShortage(later)
	}
	return m.judgeSequence(later)
}

// unknownCode returns the number and the location of the first code of a message that does not exist.
func unknownCode(m emcs.Message) (number, location string) {
	if found := rulebook.CheckCodes(m); len(found) > 0 {
		return strconv.Itoa(found[0].Number), found[0].Location
	}
	return "", ""
}

// judgeSequence refuses a message about another destination than the present one.
func (m *movement) judgeSequence(later emcs.Message) (number, location string) {
	if later.Body.Value("ExciseMovement", "SequenceNumber") != strconv.Itoa(m.sequence) {
		return "4492", later.Location("ExciseMovement", "SequenceNumber")
	}
	return "", ""
}

// judgeCancellation refuses a cancellation after the day of dispatch, and that of an import.
func (m *movement) judgeCancellation(at time.Time) (number, location string) {
	switch {
	case m.container.Value("EadEsad", "OriginTypeCode") == "2":
		return "4495", ""
	case m.container.Value("EadEsad", "DateOfDispatch") < at.In(calendar.London()).Format(time.DateOnly):
		return "4494", ""
	}
	return "", ""
}

// judgeChange refuses a change that changes nothing.
func (m *movement) judgeChange(change emcs.Message) (number, location string) {
	to := change.Body.At("DestinationChanged")
	consignee := to.Value("NewConsigneeTrader", "Traderid")
	same := to.Value("DestinationTypeCode") == m.container.Value("HeaderEadEsad", "DestinationTypeCode") && (consignee == "" || consignee == m.consignee) &&
		to.Value("DeliveryPlaceTrader", "Traderid") == m.container.Value("DeliveryPlaceTrader", "Traderid") &&
		to.Value("DeliveryPlaceCustomsOffice", "ReferenceNumber") == m.container.Value("DeliveryPlaceCustomsOffice", "ReferenceNumber")
	if same {
		return "4453", change.Location("DestinationChanged")
	}
	return "", ""
}

func (m *movement) judgeReceipt(receipt emcs.Message) (number, location string) {
	if number, location = m.judgeSequence(receipt); number != "" {
		return number, location
	}
	const report, arrival = "ReportOfReceiptExport", "DateOfArrivalOfExciseProducts"
	if receipt.Body.Value(report, arrival) < m.container.Value("EadEsad", "DateOfDispatch") {
		return "4478", receipt.Location(report, arrival)
	}
	n := 0
	for item := range receipt.Body.All("BodyReportOfReceiptExport") {
		n++
		if number, field := m.judgeItem(item); number != "" {
			return number, receipt.Location("BodyReportOfReceiptExport["+strconv.Itoa(n)+"]", field)
		}
	}
	return "", ""
}

func (m *movement) judgeShortage(shortage emcs.Message) (number, location string) {
	if number, location = m.judgeSequence(shortage); number != "" {
		return number, location
	}
	n := 0
	for item := range shortage.Body.All("BodyAnalysis") {
		n++
		at := "BodyAnalysis[" + strconv.Itoa(n) + "]"
		switch declared := m.declared(item); {
		case declared == nil:
			return "4475", shortage.Location(at, "BodyRecordUniqueReference")
		case declared.Value("ExciseProductCode") != item.Value("ExciseProductCode"):
			return "4526", shortage.Location(at, "ExciseProductCode")
		}
	}
	return "", ""
}

// declared returns the item of the movement that an item of a report is about; nil if there is none.
func (m *movement) declared(item *emcs.Element) *emcs.Element {
	for declared := range m.container.All("BodyEadEsad") {
		if declared.Value("BodyRecordUniqueReference") == item.Value("BodyRecordUniqueReference") {
			return declared
		}
	}
	return nil
}

// judgeItem compares an item of a receipt with that of the movement.
func (m *movement) judgeItem(item *emcs.Element) (number, field string) {
	declared := m.declared(item)
	switch quantity := declared.Value("Quantity"); {
	case declared == nil:
		return "4475", "BodyRecordUniqueReference"
	case declared.Value("ExciseProductCode") != item.Value("ExciseProductCode"):
		return "4479", "ExciseProductCode"
	case item.Value("IndicatorOfShortageOrExcess") == "S" && more(item.Value("ObservedShortageOrExcess"), quantity):
		return "4480", "ObservedShortageOrExcess"
	case more(item.Value("RefusedQuantity"), quantity):
		return "4481", "RefusedQuantity"
	}
	return "", ""
}

// more reports whether both texts are numbers and the first is greater.
func more(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	return ok && also && x.Cmp(y) > 0
}
