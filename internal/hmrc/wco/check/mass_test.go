package check_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
)

// Masses are compared as numbers, whatever zeros they are written with.
func TestMassesAreComparedAsNumbers(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 7))
	written := func() string {
		zeros := []string{"", "0", "00"}
		whole := []string{"0", "7", "10", "99", "100", "9999999999"}[chance.IntN(6)]
		return zeros[chance.IntN(3)] + whole + []string{"", ".", ".5", ".50", ".500001", ".05", ".499999"}[chance.IntN(7)]
	}
	for range 3000 {
		net, gross := written(), written()
		d := checktest.Import()
		checktest.Item(&d).Commodity.GoodsMeasure = wco.GoodsMeasure{NetNetWeightMeasure: wco.Measure{Value: wco.Number(net)}, GrossMassMeasure: wco.Measure{Value: wco.Number(gross)}}
		a, _ := new(big.Rat).SetString(net)
		b, _ := new(big.Rat).SetString(gross)
		want := ""
		if a.Cmp(b) > 0 {
			want = "CDS11006"
		}
		if a.Sign() == 0 {
			want = "CDS12123"
		}
		got := refusals(&d, check.Options{})
		if fmt.Sprint(got) != fmt.Sprint(slices.DeleteFunc([]string{want}, func(code string) bool { return code == "" })) {
			t.Fatalf("net %s, gross %s: %v, want %s", net, gross, got, want)
		}
	}
}
