package tax

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Ledger is what the service knows of a period when it draws up a return.
type Ledger struct {
	ImportVAT    quantity.Money // of the import declarations that customs cleared in the period
	Declarations int            // how many those are
	Trader       Trader
	Earlier      []Return // submitted returns of other periods, in any order; too many do no harm
}

// Trader is what the organisation says of itself.
type Trader struct {
	VATNumber, EORI, Postcode string
	PostponedVAT              bool
}

// Territories that a trader shows.
const (
	greatBritain    = "GB"
	northernIreland = "XI"
)

// territory is where the trader shows to be by the country of his numbers or the area
// of his postcode; empty when nothing shows it. A trader in Northern Ireland has GB
// numbers as well, so one sign of it outweighs the others.
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
	largest        = "99999999999" // pounds, as everywhere in the API
)

// most is the largest box that a return takes, either way. HMRC takes two digits more,
// though not of box 5; no trader needs them.
var most = quantity.MustMoney(largest)

// Check refuses what no return can hold, and names every box at once.
func (a *ReturnRequest) Check() []apierr.Detail {
	_, faults := a.draw(quantity.Money{})
	return faults
}

// Compute draws up the return of a period. It is exact to the penny: box 3 is boxes 1
// and 2, box 4 is the import VAT and the additional reclaim, box 5 is what lies
// between 3 and 4, and boxes 6 to 9 lose their pence, towards nought. A box beyond
// the limit is refused by its name; an Ask that has passed its Check can only fail by
// its import VAT.
func Compute(a ReturnRequest, p Period, l Ledger) (Return, error) {
	r, faults := a.draw(l.ImportVAT)
	if len(faults) > 0 {
		return Return{}, apierr.Invalid(faults...)
	}
	r.PeriodKey = p.Key
	r.ImportDeclarations = l.Declarations
	r.VATNumber, r.PostponedVAT, r.Territory = l.Trader.VATNumber, l.Trader.PostponedVAT, l.Trader.territory()
	r.Earlier = earlier(p, l.Earlier)
	return r, nil
}

func (a *ReturnRequest) draw(importVAT quantity.Money) (r Return, faults []apierr.Detail) {
	r = Return{
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

// beyond names the boxes that are too large, each with the inputs that it is made of.
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

// pounds leaves the pence out, as HMRC's notice says of boxes 6 to 9.
func pounds(m *quantity.Money) quantity.Money {
	r := given(m).Rat()
	whole, _ := quantity.TruncateMoney(new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))) // no larger than it was
	return whole
}

// earlier are the returns of the four periods before, newest first.
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
