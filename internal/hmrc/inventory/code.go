package inventory

// Explanation says what a code of an answer means, and what to do.
type Explanation struct{ Title, Fix string }

// Error codes of a control response that the simulator uses.
const (
	ErrorNotAtTop        = "03"
	ErrorMemberNotShut   = "04"
	ErrorNoConsolidation = "06"
	ErrorAlreadyShut     = "07"
	ErrorTypeOfUCR       = "08"
	ErrorAssociated      = "11"
	ErrorNoArrival       = "13"
	ErrorNoPermission    = "14"
	ErrorCancelled       = "15"
	ErrorTime            = "18"
	ErrorNotShut         = "19"
	ErrorFuture          = "20"
	ErrorNotMaster       = "21"
	ErrorUnknownMember   = "22"
	ErrorNotAssociated   = "23"
	ErrorEmptyMaster     = "25"
	ErrorLocation        = "28"
	ErrorDeparted        = "29"
	ErrorUnknownUCR      = "16"
	ErrorReferences      = "24"
)

// explanations are the error codes of control responses, in our own words. Source: HMRC, service for arrivals and departures of
// exports (customs-movements-frontend), list of inventory linking errors, versions of 2019 and 2022; read on 26 November 2026.
var explanations = map[string]Explanation{
	"01":                 {"The reference is written wrongly", "Correct the DUCR or MUCR: it does not have the form of a UCR."},
	"02":                 {"HMRC does not know the sender", "Ask the operator to check that the application is registered for inventory linking of exports."},
	ErrorNotAtTop:        {"The consignment is part of a consolidation", "Send the movement for the master UCR at the top of the consolidation, or take the consignment out of it first."},
	ErrorMemberNotShut:   {"The master UCR is still open", "Shut the master UCR, then associate it with the other one."},
	"05":                 {"The master UCR already contains it", "A master UCR cannot be associated with one inside itself. Name another one."},
	ErrorNoConsolidation: {"The consolidation does not exist", "Check the master UCR, and associate a consignment with it first."},
	ErrorAlreadyShut:     {"The master UCR is shut already", "Nothing is left to do for the shutting. To add a consignment, use another master UCR."},
	ErrorTypeOfUCR:       {"The kind of reference does not fit", "A DUCR was sent as a MUCR or the other way round. Check the reference and the level."},
	"10":                 {"There is no declaration", "Check the DUCR, and that customs has the declaration."},
	ErrorAssociated:      {"It is associated already", "The consignment is in this master UCR. Nothing is left to do."},
	"12":                 {"The goods are somewhere else", "The earlier movement was at another location. Check the location of the departure."},
	ErrorNoArrival:       {"The goods have not arrived there", "Send the arrival at this location first, or correct the location of the departure."},
	ErrorNoPermission:    {"Customs has not given permission to proceed", "Wait until customs has cleared every declaration of the consignment."},
	ErrorCancelled:       {"The declaration has ended", "The declaration is cancelled or was terminated, so its goods cannot be moved under it."},
	ErrorUnknownUCR:      {"HMRC does not know the reference", "Check the DUCR or MUCR. A master UCR exists once a consignment is associated with it."},
	"17":                 {"The consolidation is full", "Use another master UCR: this one has the most consignments or levels that HMRC allows."},
	ErrorTime:            {"Date and time are wrong", "Correct the date and time of the arrival or the departure."},
	ErrorNotShut:         {"The master UCR is not shut", "Shut the master UCR, then send its departure."},
	ErrorFuture:          {"The time is too far ahead", "The time of a movement can be 25 hours ahead at most."},
	ErrorNotMaster:       {"The reference is not a master UCR", "Name a master UCR."},
	ErrorUnknownMember:   {"There is no such consignment to take out", "Check the reference of the consignment that is to be taken out."},
	ErrorNotAssociated:   {"It is not in a consolidation", "The consignment is in no master UCR. Nothing is left to do."},
	ErrorReferences:      {"The references do not fit the request", "An association names both references, a removal only the consignment."},
	ErrorEmptyMaster:     {"The master UCR is empty", "Associate a consignment with the master UCR first."},
	"26":                 {"The message about the exit failed", "HMRC could not process the exit of the goods. Ask its helpdesk."},
	"27":                 {"You may not report movements there", "HMRC allows movements at this location only to those who are registered for it."},
	ErrorLocation:        {"The location is wrong", "Correct the goods location: HMRC does not know it for exports."},
	ErrorDeparted:        {"It has departed", "The master UCR has left. Nothing about it can be changed."},
	"30":                 {"The declaration was rejected when the goods arrived", "Correct the declaration and submit it again before you associate it."},
	"31":                 {"It was arrived afterwards already", "A second arrival after the departure is not needed."},
	"32":                 {"A part of it has arrived already", "The master UCR contains a consignment that arrived before, so it cannot be arrived afterwards."},
	"33":                 {"It has arrived already", "The goods arrived at the border, so they cannot be arrived afterwards."},
	"34":                 {"There is nothing to arrive afterwards", "HMRC does not know the reference. Check it."},
	"35":                 {"Someone else submitted it", "The movement has to be sent by the one who submitted the declaration."},
}

// unexplained is the explanation of every other error code.
var unexplained = Explanation{"HMRC refused the movement", "HMRC's published list does not explain this code. Ask its helpdesk, with the code and the conversation ID."}

// Explain returns what an error code means. It never fails.
func Explain(code string) Explanation {
	if e, known := explanations[code]; known {
		return e
	}
	return unexplained
}

// Codes of answers with their meaning. Source: as for explanations. A code that is not listed has none.
var (
	crcMeanings = map[string]string{"000": "Success", "101": "The pre-lodged declaration has not arrived", "102": "The declaration has not arrived"}
	roeMeanings = map[string]string{
		"0": "Risk is not assessed yet", "1": "Documents are checked before the release", "2": "Goods are checked, or others check them", "3": "Documents are checked after the release",
		"6": "No check", "H": "Provisional route of a pre-lodged declaration",
	}
	soeMeanings = map[string]string{
		"1": "Declaration is being validated", "2": "Goods are released", "3": "Cleared", "4": "Invalidated", "5": "Rejected", "6": "Handled outside of CDS",
		"7": "Correction is being validated", "8": "Registered in advance", "9": "Accepted", "10": "Accepted when the goods arrived", "11": "Rejected when the goods arrived",
		"12": "Corrected", "13": "Supplemented", "14": "Risk is assessed", "15": "Customs has decided on checks", "16": "Cleared after the release of the goods",
		"17": "Guarantees do not suffice", "D": "Departed", "F": "Stopped",
	}
	masterSOEMeanings = map[string]string{"0": "Open", "3": "Permission to proceed", "C": "Shut, without permission to proceed", "E": "Empty"}
	icsMeanings       = map[string]string{"3": "Invalidated as the trader asked", "6": "Invalidated by customs"}
)

// CRCMeaning returns what a code of a movement response means; empty if HMRC's list does not say.
func CRCMeaning(code string) string { return crcMeanings[code] }

// ROEMeaning returns what a route of entry means; empty if HMRC's list does not say.
func ROEMeaning(code string) string { return roeMeanings[code] }

// SOEMeaning returns what the status of an entry means; empty if HMRC's list does not say.
func SOEMeaning(code string) string { return soeMeanings[code] }

// MasterSOEMeaning returns what the status of a master UCR means; empty if HMRC's list does not say.
func MasterSOEMeaning(code string) string { return masterSOEMeanings[code] }

// ICSMeaning returns what a state in inventory control means; empty if HMRC's list does not say.
func ICSMeaning(code string) string { return icsMeanings[code] }
