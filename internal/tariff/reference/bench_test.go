package reference_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// list has as many codes as UN/LOCODE.
func list() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var text strings.Builder
	text.WriteString("UnLocodeExtendedCode,RDEntryStatus_activeFrom\n")
	for _, country := range []string{"CN", "DE", "FR", "GB", "IT", "US"} {
		for n := range 26 * 26 * 26 {
			fmt.Fprintf(&text, "%s%c%c%c,15-02-2021\n", country, letters[n/676], letters[n/26%26], letters[n%26])
		}
	}
	return text.String()
}

// Import of 100,000 rows, and reading by a running service.
func BenchmarkImport(b *testing.B) {
	s, text := storetest.SQLite(b).Open(b), list()
	b.Run("import", func(b *testing.B) {
		for range b.N {
			if _, err := reference.Import(ctx, s, reference.UNLOCODE, strings.NewReader(text), time.Time{}, today); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			var l reference.Library
			if err := l.Refresh(ctx, s); err != nil {
				b.Fatal(err)
			}
		}
	})
	var l reference.Library
	_ = l.Refresh(ctx, s)
	b.Run("idle", func(b *testing.B) {
		for range b.N {
			_ = l.Refresh(ctx, s)
		}
	})
	places := l.Places()
	b.Run("find", func(b *testing.B) {
		for range b.N {
			places.Lacks("GBFXT")
		}
	})
}
