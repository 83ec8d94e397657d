package wco

// Reasons for a cancellation.
const (
	CancelNotRequired = "1"
	CancelDuplicate   = "2"
	CancelOther       = "3"
)

// Cancellation returns a cancellation request. HMRC's schema requires a reference of its own, in addition to the MRN,
// and a reason in words.
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
