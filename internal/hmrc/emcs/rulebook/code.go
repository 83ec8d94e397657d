package rulebook

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Codes of the lists of the EU's reference data. Source: EMCS reference tables BC22, BC35, BC36, BC40, BC41, BC43, BC46, BC51 and BC67 as at November 2026.
const (
	alertReasons          = "0 1 2 3"
	transportUnits        = "1 2 3 4 5"
	exciseProducts        = "B000 E200 E300 E410 E420 E430 E440 E450 E460 E470 E480 E490 E500 E600 E700 E800 E910 E920 E930 I000 S200 S300 S400 S500 S600 T200 T300 T400 T500 W200 W300"
	wineZones             = "1 2 3 4 5 6"
	wineOperations        = "0 1 2 3 4 5 6 7 8 9 10 11 12"
	cancellationReasons   = "0 1 2 3 4"
	unsatisfactoryReasons = "0 1 2 3 4 5 7"
	delayReasons          = "0 1 2 3 4 5 6"
	transportModes        = "0 1 2 3 4 5 7 8"
)

// codeRules compare codes with these lists. HMRC does so against its registers, and answers with an IE704.
var codeRules = map[emcs.Kind][]rule{
	emcs.Draft: {
		codeRule(4428, "BodyEadEsad", "ExciseProductCode", exciseProducts, "The excise product does not exist."),
		codeRule(4440, "", "TransportMode/TransportModeCode", transportModes, "The mode of transport does not exist."),
		codeRule(4441, "TransportDetails", "TransportUnitCode", transportUnits, "The transport unit does not exist."),
		codeRule(4442, "BodyEadEsad/WineProduct", "WineGrowingZoneCode", wineZones, "The wine-growing zone does not exist."),
		codeRule(4443, "BodyEadEsad/WineProduct/WineOperation", "WineOperationCode", wineOperations, "The wine operation does not exist."),
	},
	emcs.DestinationChange: {
		codeRule(4440, "", "UpdateEadEsad/TransportModeCode", transportModes, "The mode of transport does not exist."),
		codeRule(4441, "TransportDetails", "TransportUnitCode", transportUnits, "The transport unit does not exist."),
	},
	emcs.Receipt: {
		codeRule(4474, "BodyReportOfReceiptExport/UnsatisfactoryReason", "UnsatisfactoryReasonCode", unsatisfactoryReasons, "The reason of an unsatisfactory receipt does not exist."),
	},
	emcs.Alert: {
		codeRule(4531, "AlertOrRejectionOfEadEsadReason", "AlertOrRejectionOfMovementReasonCode", alertReasons, "The reason of the alert or rejection does not exist."),
	},
	emcs.Delay: {
		codeRule(4482, "", "Attributes/ExplanationCode", delayReasons, "The explanation of the delay does not exist."),
	},
	emcs.Cancellation: {
		codeRule(4493, "", "Cancellation/CancellationReasonCode", cancellationReasons, "The reason of the cancellation does not exist."),
	},
}

func codeRule(number int, list, at, codes, text string) rule {
	return rule{number: number, list: list, at: at, text: text, broken: func(_ *facts, e *emcs.Element) bool { return isNot(get(e, at), codes) }}
}

// CheckCodes returns the codes of a message that do not exist, with the numbers that HMRC's IE704 would have; at most 500.
func CheckCodes(m emcs.Message) []emcs.Finding {
	var found []emcs.Finding
	if m.Body == nil {
		return nil
	}
	f := &facts{message: m, body: m.Body}
	for _, r := range codeRules[m.Kind] {
		found = append(found, r.check(f)...)
	}
	return found[:min(len(found), maxFindings)]
}
