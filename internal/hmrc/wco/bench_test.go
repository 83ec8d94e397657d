package wco_test

import (
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

func BenchmarkEncode(b *testing.B) {
	for _, items := range []int{1, 999} {
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			d := withItems(items)
			var buffer []byte
			b.ReportAllocs()
			for b.Loop() {
				buffer, _ = d.Append(buffer[:0]) // the tests see to that
			}
			b.SetBytes(int64(len(buffer)))
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, items := range []int{1, 999} {
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			document := encode(b, withItems(items))
			b.SetBytes(int64(len(document)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := wco.Decode(document); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
