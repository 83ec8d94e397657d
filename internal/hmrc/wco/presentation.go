package wco

import "strings"

// TypePresentation is the type of a notification that goods were presented.
const TypePresentation = "GPR"

// prelodgedTypes are the additional declaration types (DE 1/2) of goods that have not arrived.
const prelodgedTypes = "DEFK"

// IsPrelodged reports whether a TypeCode, such as IMD, is that of a declaration whose goods have not arrived.
func IsPrelodged(typeCode string) bool {
	return len(typeCode) == 3 && strings.Contains(prelodgedTypes, typeCode[2:])
}

// Presentation returns the notification that the goods of a pre-lodged declaration have arrived. The location is nil if it
// has not changed.
func Presentation(reference, mrn, submitter string, location *GoodsLocation) Declaration {
	d := Declaration{
		FunctionCode: FunctionRequest, FunctionalReferenceID: reference, ID: mrn, TypeCode: TypePresentation, Submitter: Party{ID: submitter},
	}
	if location != nil {
		d.GoodsShipment.Consignment.GoodsLocation = *location
	}
	return d
}
