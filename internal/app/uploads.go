package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// newUploads imports tables of clients, with the same checks as the API.
func (a *App) newUploads(clients *filing.Type) *bulk.Uploads {
	return &bulk.Uploads{
		Importer: &bulk.Importer{Store: adapter.Of(a.Store), Filings: a.Filings, Type: clients, CheckRow: a.api.RecordChecker(clients)},
		Mapper:   mapOffline, IDs: a.IDs, Semaphore: a.imports,
	}
}

// newProductImporter imports tables of products, with the same checks as the API.
func (a *App) newProductImporter() *bulk.Importer {
	products := a.Filings.Types[product.Kind]
	return &bulk.Importer{Store: adapter.Of(a.Store), Filings: a.Filings, Type: products, CheckRow: a.api.RecordChecker(products)}
}

// importQueue stores the rows of uploads. It has one worker, because each upload keeps the database busy.
func (a *App) importQueue() jobs.Queue {
	return jobs.Queue{Name: bulk.ImportQueue, Workers: 1, Do: a.uploads.Run, Backoff: importBackoff}
}

// importBackoff is for errors of this service while it stores rows.
var importBackoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 5 * time.Minute}
