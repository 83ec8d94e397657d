package rulebook

import "strings"

// Codes of guarantors that stand for none.
const (
	noGuarantorInUK = "0"
	noGuarantorToEU = "5" // energy products
)

// guarantorsNeeded returns how many guarantors besides consignor and consignee the type has: transporter (2) and owner (3).
func guarantorsNeeded(f *facts) int {
	return strings.Count(f.guarantor, "2") + strings.Count(f.guarantor, "3")
}

func tooManyGuarantors(f *facts) bool {
	return count(f.guarantee, "GuarantorTrader") > max(guarantorsNeeded(f), 1)
}

// needlessGuarantor reports whether the type has no guarantor besides consignor and consignee.
func needlessGuarantor(f *facts) bool { return f.guarantor != "" && guarantorsNeeded(f) == 0 }

// byConsignee reports whether the consignee is a guarantor.
func byConsignee(f *facts) bool { return strings.Contains(f.guarantor, "4") }
