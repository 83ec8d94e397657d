package wco

// Why a declaration is to be cancelled.
const (
	CancelNotRequired = "1"
	CancelDuplicate   = "2"
	CancelOther       = "3"
)

// Cancellation asks customs to cancel a declaration. It has a reference of its own
// beside the MRN, and a reason in words, without either of which HMRC's schema for
// cancellations refuses it.
func Cancellation(reference, mrn, reasonCode, reason string) Declaration {
	return Declaration{
		FunctionCode:          FunctionRequest,
		FunctionalReferenceID: reference,
		ID:                    mrn,
		TypeCode:              TypeInvalidation,
		AdditionalInformation: []HeaderInformation{{
			StatementDescription: reason,
			StatementTypeCode:    "AES",
			Pointer: []Pointer{
				{SequenceNumeric: "1", DocumentSectionCode: "42A"},
				{SequenceNumeric: "1", DocumentSectionCode: "06A"},
			},
		}},
		Amendment: []Amendment{{ChangeReasonCode: reasonCode}},
	}
}
