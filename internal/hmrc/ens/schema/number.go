package schema

// HMRC's numbers for what violates the schema, by the constraint of the XML Schema specification. Source: declaration store of
// HMRC, 2026-06-10. Each comment names the constraints.
const (
	numberAttribute   = 4000 // cvc-complex-type.3.2.2
	numberNil         = 4003 // cvc-elt.3.1
	numberNotDecimal  = 4020 // cvc-datatype-valid.1.2.1
	numberExtra       = 4051 // cvc-complex-type.2.4.d, cvc-type.3.1.2
	numberText        = 4053 // cvc-complex-type.2.3
	numberRoot        = 4057 // cvc-elt.1.a
	numberInvalid     = 4065 // cvc-complex-type.2.4.a, cvc-type.3.1.3
	numberIncomplete  = 4066 // cvc-complex-type.2.4.b
	numberOfText      = 4068 // cvc-type.3.1.1
	numberCode        = 4080 // cvc-enumeration-valid
	numberFraction    = 4081 // cvc-fractionDigits-valid
	numberTooShort    = 4082 // cvc-length-valid, cvc-minLength-valid
	numberTooLong     = 4083 // cvc-maxLength-valid
	numberPattern     = 4085 // cvc-pattern-valid
	numberTotalDigits = 4086 // cvc-totalDigits-valid
	numberOther       = 4999 // any other, such as too many of an element, and what is not well-formed
)
