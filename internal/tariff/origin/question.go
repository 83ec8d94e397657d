package origin

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// Question asks whether goods originate in the country that exports them. Pointers are nil, and texts empty, where a fact
// is not known.
type Question struct {
	Date          string // YYYY-MM-DD
	Service       string // UK or XI
	Code          string // commodity code, 6 to 10 digits
	Description   string
	ExportCountry string
	Schemes       []string // codes; none for all of the country
	ExWorks, FOB  *Amount
	NetMass       *big.Rat // kg
	Materials     []Material
	Production    Production
	Direct        *bool // transported directly
	Altered       *bool // altered in transit
	Consignment   *big.Rat
	Approved      *bool // approved or registered exporter
	Drawback      *bool // drawback of duty on the materials was claimed
}

// Amount is money in a currency.
type Amount struct {
	Value    *big.Rat
	Currency string
}

// Material is a line of the bill of materials.
type Material struct {
	Code, Description string
	Origin            string // country
	Value             *Amount
	NetMass           *big.Rat // kg
	Originating       *bool    // holds that status under the scheme
	Obtained          *bool    // wholly obtained
	Scheme            string   // under which it holds the status
}

// Production says how the product was made.
type Production struct {
	Country   string
	Obtained  *bool // wholly obtained
	Minimal   *bool // nothing but insufficient operations
	Processes []string
	Listed    bool // Processes are known, and complete
}

// Rates finds exchange rates.
type Rates interface {
	Find(series, currency, day string) (rates.Rate, bool)
}

// sums are what is computed of a question once for all schemes: the amounts and masses as whole multiples of common units, so that they are added and compared
// quickly and exactly. nil means unknown.
type sums struct {
	exWorks, fob, mass *big.Int
	value, weight      []*big.Int // of materials
	money              func(*big.Int) string
	kilograms          func(*big.Int) string
	goods              []goods // the materials
	product            string  // plain description of the product
}

// measure brings the amounts of a question to one currency, the common one or pounds. It returns the currencies without a
// rate; their amounts are unknown.
func (q *Question) measure(r Rates) (s sums, missing []string) {
	amounts := []*Amount{q.ExWorks, q.FOB}
	masses := []*big.Rat{q.NetMass}
	for i := range q.Materials {
		amounts = append(amounts, q.Materials[i].Value)
		masses = append(masses, q.Materials[i].NetMass)
	}
	for i := range q.Materials {
		s.goods = append(s.goods, goods{q.Materials[i].Code, plain(q.Materials[i].Description)})
	}
	s.product = plain(q.Description)
	common := commonCurrency(amounts)
	values := make([]*big.Rat, len(amounts))
	for i, a := range amounts {
		switch {
		case a == nil:
		case a.Currency == common:
			values[i] = a.Value
		default:
			if values[i] = a.pounds(r, q.Date); values[i] == nil && !contains(missing, a.Currency) {
				missing = append(missing, a.Currency)
			}
		}
	}
	money, unit := whole(values)
	kilos, gram := whole(masses)
	s.exWorks, s.fob, s.value = money[0], money[1], money[2:]
	s.mass, s.weight = kilos[0], kilos[1:]
	s.money = func(n *big.Int) string { return decimal(new(big.Rat).SetFrac(n, unit), 2) + " " + common }
	s.kilograms = func(n *big.Int) string { return decimal(new(big.Rat).SetFrac(n, gram), 0) + " kg" }
	return s, missing
}

// pounds converts an amount with HMRC's monthly rate; nil if there is none.
func (a *Amount) pounds(r Rates, day string) *big.Rat {
	if a.Currency == "GBP" {
		return a.Value
	}
	rate, ok := r.Find(rates.Monthly, a.Currency, day)
	if !ok || rate.Value.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(a.Value, rate.Value.Rat())
}

// commonCurrency returns the currency of all amounts; GBP if they have several.
func commonCurrency(all []*Amount) string {
	found := ""
	for _, a := range all {
		switch {
		case a == nil, a.Currency == found:
		case found == "":
			found = a.Currency
		default:
			return "GBP"
		}
	}
	if found == "" {
		return "GBP"
	}
	return found
}

// whole returns fractions as multiples of 1/unit.
func whole(all []*big.Rat) (numbers []*big.Int, unit *big.Int) {
	unit = big.NewInt(1)
	for _, r := range all {
		if r != nil {
			gcd := new(big.Int).GCD(nil, nil, unit, r.Denom())
			unit.Mul(unit, new(big.Int).Quo(r.Denom(), gcd))
		}
	}
	for _, r := range all {
		var n *big.Int
		if r != nil {
			n = new(big.Int).Mul(r.Num(), new(big.Int).Quo(unit, r.Denom()))
		}
		numbers = append(numbers, n)
	}
	return numbers, unit
}

// decimal writes a fraction in full if it ends within nine places; otherwise it is cut there and marked.
func decimal(r *big.Rat, least int) string {
	text := r.FloatString(9)
	exact, _ := new(big.Rat).SetString(text)
	text = strings.TrimRight(text, "0")
	point := strings.IndexByte(text, '.')
	if have := len(text) - point - 1; have < least {
		text += strings.Repeat("0", least-have)
	}
	text = strings.TrimSuffix(text, ".")
	if exact.Cmp(r) != 0 {
		return "about " + text
	}
	return text
}

// place is the path of a material in the request.
func place(i int, member string) string { return fmt.Sprintf("materials[%d].%s", i, member) }

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}
