// Package dataset says what each kind of declaration must contain: the data sets of the United Kingdom, how one follows
// from the XML of a declaration, and which data elements (DE) it requires.
package dataset

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Set is a data set.
type Set string

// The data sets. B3 is not in use in the United Kingdom.
const (
	H1       Set = "H1"        // free circulation, end use
	H2       Set = "H2"        // customs warehousing
	H3       Set = "H3"        // temporary admission
	H4       Set = "H4"        // inward processing
	H5       Set = "H5"        // special fiscal territories
	H7       Set = "H7"        // low value
	H8       Set = "H8"        // Great Britain to Northern Ireland, not at risk
	I1       Set = "I1"        // simplified import
	C21I     Set = "C21I"      // import clearance request
	C21IEIDR Set = "C21I_EIDR" // its notification of presentation for entries in the declarant's records
	FSD      Set = "FSD"       // final supplementary declaration
	B1       Set = "B1"        // export and re-export
	B2       Set = "B2"        // outward processing
	B4       Set = "B4"        // dispatch to special fiscal territories
	C1       Set = "C1"        // simplified export
	C21E     Set = "C21E"      // export clearance request
	C21EEIDR Set = "C21E_EIDR" // the same for entries in the declarant's records
)

// types are the additional declaration types (DE 1/2) that each data set can have. X and R are not published.
var types = map[Set]string{
	H1: "ADYZXR", H2: "ADYZX", H3: "ADYZX", H4: "ADYZX", H5: "ADYZ", H7: "AD", H8: "ADYZ", I1: "CFBE", C21I: "JK", C21IEIDR: "JK", FSD: "Q",
	B1: "ADYZX", B2: "ADYZX", B4: "AD", C1: "CFBE", C21E: "JK", C21EEIDR: "JK",
}

// All returns every data set.
func All() []Set {
	return []Set{H1, H2, H3, H4, H5, H7, H8, I1, C21I, C21IEIDR, FSD, B1, B2, B4, C1, C21E, C21EEIDR}
}

// Allows reports whether a data set can have an additional declaration type (DE 1/2).
func (s Set) Allows(additionalType string) bool {
	return len(additionalType) == 1 && strings.Contains(types[s], additionalType)
}

// Exports reports whether a data set is one of exports.
func (s Set) Exports() bool { return slices.Contains([]Set{B1, B2, B4, C1, C21E, C21EEIDR}, s) }

// Kinds of declaration (DE 1/1).
const (
	imports     = "IM"
	exports     = "EX"
	territories = "CO"
)

// IsExport reports whether a declaration is an export: EX, and CO with an office of exit.
func IsExport(d *wco.Declaration) bool {
	kind, _ := Type(d)
	return kind == exports || kind == territories && d.ExitOffice.ID != ""
}

// Type splits the type of a declaration into DE 1/1 and 1/2.
func Type(d *wco.Declaration) (kind, additional string) {
	if len(d.TypeCode) < 2 {
		return d.TypeCode, ""
	}
	return d.TypeCode[:2], d.TypeCode[2:]
}

// Of determines the data set of a declaration from DE 1/1, 1/2 and 1/10; ok is false if none fits. The first item
// decides.
func Of(d *wco.Declaration) (s Set, ok bool) {
	kind, additional := Type(d)
	if kind != imports && kind != exports && kind != territories || len(additional) != 1 {
		return "", false
	}
	s = ofType(d, kind, additional)
	return s, s.Allows(additional)
}

func ofType(d *wco.Declaration, kind, additional string) Set {
	export := IsExport(d)
	switch additional {
	case "Q":
		return FSD
	case "J", "K":
		return clearance(export, requested(d, 0) == "00")
	case "B", "C", "E", "F":
		return pick(export, C1, I1)
	}
	if kind == territories {
		return pick(export, B4, H5)
	}
	if export {
		return ofExport(requested(d, 0))
	}
	return ofImport(d)
}

func pick(export bool, yes, no Set) Set {
	if export {
		return yes
	}
	return no
}

func clearance(export, standard bool) Set {
	if standard {
		return pick(export, C21E, C21I)
	}
	return pick(export, C21EEIDR, C21IEIDR)
}

func ofExport(procedure string) Set { return OfProcedure(procedure, true) }

func ofImport(d *wco.Declaration) Set {
	items := d.GoodsShipment.GovernmentAgencyGoodsItem
	if len(items) > 0 {
		first := &items[0]
		switch {
		case first.CustomsValueAmount.Value != "":
			return H7
		case first.CustomsValuation.MethodCode == "" && states(first, "NIREM") && names(first, "1UKI"):
			return H8
		}
	}
	return OfProcedure(requested(d, 0), false)
}

// OfProcedure returns the data set of a standard or supplementary declaration by its requested procedure.
func OfProcedure(requested string, export bool) Set {
	switch {
	case export && (requested == "21" || requested == "22"):
		return B2
	case export:
		return B1
	case requested == "71" || requested == "78":
		return H2
	case requested == "53":
		return H3
	case requested == "51":
		return H4
	}
	return H1
}

// requested returns the requested procedure (DE 1/10) of an item; empty if it has none.
func requested(d *wco.Declaration, n int) string {
	items := d.GoodsShipment.GovernmentAgencyGoodsItem
	if n >= len(items) || len(items[n].GovernmentProcedure) == 0 {
		return ""
	}
	return items[n].GovernmentProcedure[0].CurrentCode
}

func states(g *wco.GovernmentAgencyGoodsItem, code string) bool {
	return slices.ContainsFunc(g.AdditionalInformation, func(a wco.AdditionalInformation) bool { return a.StatementCode == code })
}

func names(g *wco.GovernmentAgencyGoodsItem, document string) bool {
	return slices.ContainsFunc(g.AdditionalDocument, func(d wco.AdditionalDocument) bool { return d.CategoryCode+d.TypeCode == document })
}
