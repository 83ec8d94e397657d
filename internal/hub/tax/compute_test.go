package tax_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func money(text string) *quantity.Money {
	m := quantity.MustMoney(text)
	return &m
}

func compute(t testing.TB, a tax.ReturnRequest, l tax.Ledger) tax.Return {
	t.Helper()
	if faults := a.Check(); len(faults) > 0 {
		t.Fatal(faults)
	}
	r, err := tax.Compute(a, period("2026-Q4"), l)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// boxes are all boxes of a return in a line.
func boxes(r tax.Return) string {
	return fmt.Sprint(r.Box1VATDueSales, r.Box2VATDueAcquisitions, r.Box3TotalVATDue, r.Box4VATReclaimed, r.Box5NetVAT,
		r.Box6TotalSales, r.Box7TotalPurchases, r.Box8TotalSuppliesEU, r.Box9TotalAcquisitionsEU) + " " + string(r.NetVATPosition)
}

// Totals are exact to the penny, and boxes of values are whole pounds.
func TestDraw(t *testing.T) {
	for _, c := range []struct {
		name      string
		ask       tax.ReturnRequest
		importVAT string
		want      string
	}{
		{"nothing", tax.ReturnRequest{}, "0", "0 0 0 0 0 0 0 0 0 NIL"},
		{"to be paid", tax.ReturnRequest{Box1VATDueSales: money("8420.50"), Box4AdditionalReclaim: money("2310.75"), Box6TotalSales: money("46780"), Box7TotalPurchases: money("19340")},
			"414.40", "8420.5 0 8420.5 2725.15 5695.35 46780 19340 0 0 PAYABLE"},
		{"to be repaid", tax.ReturnRequest{Box1VATDueSales: money("0.1"), Box2VATDueAcquisitions: money("0.2")}, "0.31", "0.1 0.2 0.3 0.31 0.01 0 0 0 0 REPAYABLE"},
		{"even", tax.ReturnRequest{Box1VATDueSales: money("0.3"), Box4AdditionalReclaim: money("0.1")}, "0.2", "0.3 0 0.3 0.3 0 0 0 0 0 NIL"},
		{"pence are left out", tax.ReturnRequest{Box6TotalSales: money("999.99"), Box7TotalPurchases: money("0.99"), Box8TotalSuppliesEU: money("-1.99"), Box9TotalAcquisitionsEU: money("-0.5")},
			"0", "0 0 0 0 0 999 0 -1 0 NIL"},
		{"HMRC's example", tax.ReturnRequest{Box1VATDueSales: money("105.5"), Box2VATDueAcquisitions: money("-100.45"), Box4AdditionalReclaim: money("105.15")},
			"0", "105.5 -100.45 5.05 105.15 100.1 0 0 0 0 REPAYABLE"},
		{"credit notes", tax.ReturnRequest{Box1VATDueSales: money("-200"), Box4AdditionalReclaim: money("-50.01")}, "0", "-200 0 -200 -50.01 149.99 0 0 0 0 REPAYABLE"},
		{"as large as may be", tax.ReturnRequest{Box1VATDueSales: money("99999999999"), Box6TotalSales: money("-99999999999")}, "0", "99999999999 0 99999999999 0 99999999999 -99999999999 0 0 0 PAYABLE"},
	} {
		r := compute(t, c.ask, tax.Ledger{ImportVAT: *money(c.importVAT), Declarations: 3})
		if got := boxes(r); got != c.want || r.ImportDeclarations != 3 || r.PeriodKey != "2026-Q4" {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// For any input, box 3 is the sum of boxes 1 and 2, and box 5 the difference between 3 and 4.
func TestDrawIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pence := func() (int64, *quantity.Money) {
		n := random.Int64N(2e12) - 1e12
		return n, money(sum(n))
	}
	for range 2000 {
		one, box1 := pence()
		two, box2 := pence()
		more, box4 := pence()
		imported := random.Int64N(1e10)
		r := compute(t, tax.ReturnRequest{Box1VATDueSales: box1, Box2VATDueAcquisitions: box2, Box4AdditionalReclaim: box4},
			tax.Ledger{ImportVAT: *money(sum(imported))})
		three, four := one+two, imported+more
		between := max(three-four, four-three)
		want := fmt.Sprint(sum(three), sum(four), sum(between))
		if got := fmt.Sprint(r.Box3TotalVATDue.Rat().FloatString(2), r.Box4VATReclaimed.Rat().FloatString(2), r.Box5NetVAT.Rat().FloatString(2)); got != want {
			t.Fatalf("%s: %s, not %s", boxes(r), got, want)
		}
	}
}

// sum writes pence as pounds.
func sum(pence int64) string {
	sign := ""
	if pence < 0 {
		sign = "-"
	}
	pence = max(pence, -pence)
	return fmt.Sprintf("%s%d.%02d", sign, pence/100, pence%100)
}

// A box that is too large is rejected with all fields that it depends on.
func TestCheck(t *testing.T) {
	big := money("99999999999")
	for _, c := range []struct {
		name string
		ask  tax.ReturnRequest
		want string
	}{
		{"box 3", tax.ReturnRequest{Box1VATDueSales: big, Box2VATDueAcquisitions: money("0.01")}, "box1VatDueSales box2VatDueAcquisitions"},
		{"box 3 below nought", tax.ReturnRequest{Box1VATDueSales: money("-99999999999"), Box2VATDueAcquisitions: money("-1")}, "box1VatDueSales box2VatDueAcquisitions"},
		{"box 4", tax.ReturnRequest{Box4AdditionalReclaim: money("99999999999.01")}, "box4AdditionalReclaim"},
		{"box 5", tax.ReturnRequest{Box1VATDueSales: big, Box4AdditionalReclaim: money("-1")}, "box1VatDueSales box2VatDueAcquisitions box4AdditionalReclaim"},
		{"boxes 3 and 4", tax.ReturnRequest{Box1VATDueSales: big, Box2VATDueAcquisitions: big, Box4AdditionalReclaim: money("99999999999.5")},
			"box1VatDueSales box2VatDueAcquisitions box4AdditionalReclaim"},
		{"all that may be", tax.ReturnRequest{Box1VATDueSales: big, Box4AdditionalReclaim: big, Box6TotalSales: big}, ""},
	} {
		var fields []string
		for _, d := range c.ask.Check() {
			fields = append(fields, d.Field)
		}
		if got := strings.Join(fields, " "); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// Import VAT that makes a box too large is an error of the request and not of the program.
func TestTooMuchImportVAT(t *testing.T) {
	ask := tax.ReturnRequest{Box4AdditionalReclaim: money("99999999999")}
	if faults := ask.Check(); len(faults) > 0 {
		t.Fatal(faults)
	}
	_, err := tax.Compute(ask, period("2026-Q4"), tax.Ledger{ImportVAT: *money("1")})
	if e, ok := apierr.As(err); !ok || e.Code != apierr.InvalidRequest || len(e.Details) != 1 || e.Details[0].Field != "box4AdditionalReclaim" {
		t.Errorf("%v", err)
	}
}

// A stored return is read back unchanged, with every box, also zeros.
func TestReturnIsStored(t *testing.T) {
	r := compute(t, tax.ReturnRequest{PeriodID: "p", Box1VATDueSales: money("1.10")}, tax.Ledger{
		Trader:  tax.Trader{VATNumber: "GB123456782", PostponedVAT: true},
		Earlier: []tax.Return{{PeriodKey: "2026-Q2", Box6TotalSales: *money("7")}},
	})
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back tax.Return
	if err := json.Unmarshal(raw, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(r) {
		t.Errorf("%+v became %+v: %v", r, back, err)
	}
	for _, member := range []string{`"box1VatDueSales":1.1,`, `"box2VatDueAcquisitions":0,`, `"box9TotalAcquisitionsEu":0,`, `"box5NetVat":1.1,`, `"netVatPosition":"PAYABLE"`, `"importDeclarations":0`} {
		if !strings.Contains(string(raw), member) {
			t.Errorf("no %s in %s", member, raw)
		}
	}
}

// Of the submitted returns, those of the previous four periods are kept, newest first.
func TestEarlier(t *testing.T) {
	var all []tax.Return
	for _, key := range []string{"2025-Q3", "2026-Q4", "2025-Q4", "2026-Q3", "2027-Q1", "2026-Q1"} {
		all = append(all, tax.Return{PeriodKey: key, Box6TotalSales: *money("100")})
	}
	var keys []string
	for _, e := range compute(t, tax.ReturnRequest{}, tax.Ledger{Earlier: all}).Earlier {
		keys = append(keys, e.PeriodKey)
	}
	if got := strings.Join(keys, " "); got != "2026-Q3 2026-Q1 2025-Q4" {
		t.Errorf("kept %s", got)
	}
}

// A trader in Northern Ireland is recognised by a number or by the postcode.
func TestTerritory(t *testing.T) {
	for _, c := range []struct {
		trader tax.Trader
		want   string
	}{
		{tax.Trader{}, ""},
		{tax.Trader{Postcode: "IP11 3SY"}, ""},
		{tax.Trader{VATNumber: "GB123456782", EORI: "GB123456782000", Postcode: "IP11 3SY"}, "GB"},
		{tax.Trader{VATNumber: "123456782"}, "GB"},
		{tax.Trader{VATNumber: "XI123456782"}, "XI"},
		{tax.Trader{VATNumber: "GB123456782", EORI: " xi123456782000"}, "XI"},
		{tax.Trader{VATNumber: "GB123456782", Postcode: "bt1 5gs"}, "XI"},
	} {
		if got := compute(t, tax.ReturnRequest{}, tax.Ledger{Trader: c.trader}).Territory; got != c.want {
			t.Errorf("%+v: %q", c.trader, got)
		}
	}
}
