package tariff

import (
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Snapshot is the tariff in force, whole and unchanging: whoever holds one sees no
// other come. A newer one has another Version.
type Snapshot struct {
	Version    int64  // 0 for the own table alone
	AsOf       string // day (YYYY-MM-DD) of the nomenclature
	Source     string // who publishes the nomenclature
	ImportedAt time.Time

	Tree   *nomenclature.Tree
	Tariff *Tariff

	References []nomenclature.Text // words that the authority says lead to a code
	Labelled   []nomenclature.Text // descriptions that somebody has classified

	VATHints map[string]string // "may be zero-rated" and the like, by code of ten digits
}

// OwnSource is the publisher of the own table.
const OwnSource = "Tidewaiter"

var ownSnapshot = sync.OnceValue(func() *Snapshot {
	return &Snapshot{AsOf: ownNomenclature, Source: OwnSource, Tree: OwnTree(), Tariff: Own()}
})

// OwnSnapshot is what there is before anything is imported.
func OwnSnapshot() *Snapshot { return ownSnapshot() }
