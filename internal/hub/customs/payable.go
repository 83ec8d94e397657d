package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
)

// PayableOf returns what customs asks to be paid, by kind of tax; known is false if it has not assessed the taxes.
func PayableOf(taxes []AssessedTax) (sums charge.Sums, known bool) {
	for i := range taxes {
		t := &taxes[i]
		if t.Payable == nil {
			continue
		}
		known = true
		switch {
		case strings.HasPrefix(t.Type, "A"):
			sums.Duty = sums.Duty.Add(*t.Payable)
		case strings.HasPrefix(t.Type, "B"):
			sums.VAT = sums.VAT.Add(*t.Payable)
		default:
			sums.Other = sums.Other.Add(*t.Payable)
		}
	}
	return sums, known
}
