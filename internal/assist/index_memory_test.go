package assist_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// An index that was only saved does not count as memory in use, which would make the service collect more often from then on.
func TestSavedIndexIsNotInUse(t *testing.T) {
	const usual = 10_000 // per cent: more than lowmem allows, so that the growth follows from the memory in use
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	growth := func() int {
		now := debug.SetGCPercent(usual)
		debug.SetGCPercent(now)
		return now
	}
	large := *cornerCases()
	for n := range 20_000 {
		large.References = append(large.References, nomenclature.Text{Text: fmt.Sprintf("zorb%d gimmick%d quux%d frob%d", n, n, n, n), Code: "9503004100"})
	}
	s, _ := filed(t.TempDir())
	s.Imported = func() *tariff.Snapshot { return &large }
	s.Prepare(ctx)
	after := growth()
	if err := lowmem.Run(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(s)
	if without := growth(); after < without*97/100 {
		t.Errorf("the heap grows by %d %% after the index was saved, and by %d %% without it", after, without)
	}
}
