package cbam

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
)

// HubID is the id of the Hub.
const HubID = "cbam"

// Recorded is the one state of an import. It takes no steps, so that what a report
// was drawn up from stays as it was.
const Recorded lifecycle.State = "RECORDED"

// Imports are the Hub's kind of record. Without defaults, emissions are estimated
// by what is typical of the goods.
func Imports(defaults Defaults) filing.Definition[Import] {
	return filing.Definition[Import]{
		Kind: "cbam.import", Hub: HubID, Path: "/api/cbam/imports", One: "import", Many: "imports", Tag: "CBAM", Plain: true, Adds: Adds{},
		Lifecycle: lifecycle.Table{Initial: Recorded, States: []lifecycle.State{Recorded}, Created: "recorded"},
		Assign: func(_ *ident.Source, now time.Time) (filing.Added, []filing.Key) {
			return filing.Added{"quarter": QuarterOf(now).String()}, nil
		},
		Derive: func(i *Import, _ time.Time) filing.Added { return defaults.derive(i) },
	}
}
