package tariff_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Estimating an item is part of creating a declaration; the limit is 2 µs for a duty on the
// value.
func BenchmarkEstimate(b *testing.B) {
	t := tariff.Embedded()
	for _, code := range []string{"8471300000", "6109100010", "0201300000"} {
		g := tariff.Goods{
			CommodityCode: code,
			CustomsValue:  quantity.MustMoney("12345.67"),
			NetMass:       quantity.MustMass("123.456"),
		}
		b.Run(code, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Estimate(g)
			}
		})
	}
}

// The first use of the embedded table reads it, with every chapter; the limit is 100 ms.
func BenchmarkReadOwn(b *testing.B) {
	for b.Loop() {
		if _, err := tariff.ReadEmbedded(tariff.EmbeddedFiles()); err != nil {
			b.Fatal(err)
		}
	}
}
