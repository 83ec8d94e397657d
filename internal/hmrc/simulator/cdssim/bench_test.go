package cdssim_test

import (
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
)

// BenchmarkDeclaration is a declaration over the socket, recorded on the disk, and
// its four notifications delivered, signed, verified and recorded.
func BenchmarkDeclaration(b *testing.B) {
	s := start(b, func(o *cdssim.Options) { o.Folder = b.TempDir() })
	if _, err := s.as.Token(b.Context()); err != nil {
		b.Fatal(err)
	}
	slots := make(chan struct{}, 16)
	b.ResetTimer()
	for n := range b.N {
		document := encode(b, anImport(fmt.Sprintf("TWS%d", n)))
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			if _, ok := s.client.Submit(b.Context(), s.as, document).(cds.Accepted); !ok {
				b.Error("a declaration is not taken")
			}
		}()
	}
	s.receiver.wait(4 * b.N)
}
