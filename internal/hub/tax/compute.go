package tax

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Ledger holds the service's data of a period from which a return is computed.
type Ledger struct {
	ImportVAT    quantity.Money // of the import declarations that customs cleared in the period
	Declarations int            // number of those declarations
	Trader       Trader
	Earlier      []Return // submitted returns of other periods, in any order
}

// Trader holds values from the organisation's profile.
type Trader struct {
	VATNumber, EORI, Postcode string
	PostponedVAT              bool
}

// Territories of a trader.
const (
	greatBritain    = "GB"
	northernIreland = "XI"
)

// territory returns the trader's territory by the country of the VAT number and EORI or by the postcode; empty if unknown. A
// trader in Northern Ireland has GB numbers too, so one sign of Northern Ireland is enough.
func (t Trader) territory() string {
	numbers := strings.ToUpper(strings.TrimSpace(t.VATNumber) + " " + strings.TrimSpace(t.EORI))
	switch {
	case strings.Contains(numbers, northernIreland), strings.HasPrefix(strings.ToUpper(strings.TrimSpace(t.Postcode)), "BT"):
		return northernIreland
	case strings.TrimSpace(numbers) != "":
		return greatBritain
	}
	return ""
}

// Limits of a return.
const (
	earlierPeriods = 4
	largest        = "99999999999" // pounds; the API's limit
)

// most is the largest absolute value of a box. HMRC accepts two more digits, except in box 5, but no trader needs them.
var most = quantity.MustMoney(largest)

// Check returns an error for each box that is too large.
func (a *ReturnRequest) Check() []apierr.Detail {
	_, faults := a.compute(quantity.Money{})
	return faults
}

// Compute computes the return of a period, exact to the penny: box 3 is the sum of boxes 1 and 2, box 4 the sum of the import
// VAT and the additional reclaim, box 5 the difference between 3 and 4, and boxes 6 to 9 are truncated to whole pounds. A box
// beyond the limit is an error; after Check, only the import VAT can cause one.
func Compute(a ReturnRequest, p Period, l Ledger) (Return, error) {
	r, faults := a.compute(l.ImportVAT)
	if len(faults) > 0 {
		return Return{}, apierr.Invalid(faults...)
	}
	r.PeriodKey = p.Key
	r.ImportDeclarations = l.Declarations
	r.VATNumber, r.PostponedVAT, r.Territory = l.Trader.VATNumber, l.Trader.PostponedVAT, l.Trader.territory()
	r.Earlier = earlier(p, l.Earlier)
	return r, nil
}

func (a *ReturnRequest) compute(importVAT quantity.Money) (r Return, faults []apierr.Detail) {
	r = Return{
		Labels:          a.Labels,
		PeriodID:        a.PeriodID,
		Box1VATDueSales: given(a.Box1VATDueSales), Box2VATDueAcquisitions: given(a.Box2VATDueAcquisitions),
		Box4ImportVAT: importVAT, Box4AdditionalReclaim: given(a.Box4AdditionalReclaim),
		Box6TotalSales: pounds(a.Box6TotalSales), Box7TotalPurchases: pounds(a.Box7TotalPurchases),
		Box8TotalSuppliesEU: pounds(a.Box8TotalSuppliesEU), Box9TotalAcquisitionsEU: pounds(a.Box9TotalAcquisitionsEU),
	}
	r.Box3TotalVATDue = r.Box1VATDueSales.Add(r.Box2VATDueAcquisitions)
	r.Box4VATReclaimed = r.Box4ImportVAT.Add(r.Box4AdditionalReclaim)
	r.Box5NetVAT, r.NetVATPosition = net(r.Box3TotalVATDue, r.Box4VATReclaimed)
	return r, r.beyond()
}

// beyond returns an error for each box that is too large, with the inputs that it is the sum of.
func (r *Return) beyond() (faults []apierr.Detail) {
	add := func(sum quantity.Money, what string, fields ...string) {
		if magnitude(sum).Cmp(most) <= 0 {
			return
		}
		for _, field := range fields {
			faults = append(faults, apierr.Detail{Field: field, Message: fmt.Sprintf("makes %s %s; a return takes at most %s", what, sum, largest)})
		}
	}
	add(r.Box3TotalVATDue, "box 3", "box1VatDueSales", "box2VatDueAcquisitions")
	add(r.Box4VATReclaimed, "box 4, with the import VAT,", "box4AdditionalReclaim")
	if len(faults) == 0 {
		add(r.Box5NetVAT, "box 5", "box1VatDueSales", "box2VatDueAcquisitions", "box4AdditionalReclaim")
	}
	return faults
}

func net(due, reclaimed quantity.Money) (quantity.Money, Position) {
	switch between := due.Sub(reclaimed); between.Sign() {
	case 1:
		return between, Payable
	case -1:
		return reclaimed.Sub(due), Repayable
	}
	return quantity.Money{}, Nil
}

func magnitude(m quantity.Money) quantity.Money {
	if m.Sign() < 0 {
		return quantity.Money{}.Sub(m)
	}
	return m
}

func given(m *quantity.Money) quantity.Money {
	if m == nil {
		return quantity.Money{}
	}
	return *m
}

// pounds truncates to whole pounds, as HMRC's notice requires for boxes 6 to 9.
func pounds(m *quantity.Money) quantity.Money {
	r := given(m).Rat()
	whole, _ := quantity.TruncateMoney(new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))) // cannot overflow
	return whole
}

// earlier returns the returns of the previous four periods, newest first.
func earlier(p Period, all []Return) (found []EarlierReturn) {
	for range earlierPeriods {
		p = p.Previous()
		if at := slices.IndexFunc(all, func(r Return) bool { return r.PeriodKey == p.Key }); at >= 0 {
			r := all[at]
			found = append(found, EarlierReturn{
				PeriodKey: r.PeriodKey, Box1VATDueSales: r.Box1VATDueSales, Box3TotalVATDue: r.Box3TotalVATDue, Box4VATReclaimed: r.Box4VATReclaimed,
				Box4AdditionalReclaim: r.Box4AdditionalReclaim, Box6TotalSales: r.Box6TotalSales, Box7TotalPurchases: r.Box7TotalPurchases,
			})
		}
	}
	return found
}
