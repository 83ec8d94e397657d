package schema_test

import (
	"strings"
	"testing"
)

// BenchmarkCheck measures the check of a small body and of one with 999 items.
func BenchmarkCheck(b *testing.B) {
	reader, schema := schemaOf[parcel]()
	item := `{"code":"6109100010","mass":120.5,"value":1850.01,"count":600,"origin":"BD"}`
	for name, body := range map[string]string{
		"one item":  parcelOf(`"items":[` + item + `]`),
		"999 items": parcelOf(`"items":[` + strings.Repeat(item+",", 998) + item + `]`),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if details := reader.Check(schema, []byte(body)); details != nil {
					b.Fatal(details)
				}
			}
		})
	}
}
