package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// newUploads takes tables of clients in step by step, and judges them as the API does.
func (a *App) newUploads(clients *filing.Type) *bulk.Uploads {
	return &bulk.Uploads{
		Importer: &bulk.Importer{Store: adapter.Of(a.Store), Filings: a.Filings, Type: clients, CheckRow: a.api.RecordChecker(clients)},
		Mapper:   mapped, IDs: a.IDs, Semaphore: a.imports,
	}
}

// importQueue does the jobs that store the rows of uploads: one at a time, since each
// has the database busy.
func (a *App) importQueue() jobs.Queue {
	return jobs.Queue{Name: bulk.ImportQueue, Workers: 1, Do: a.uploads.Run, Backoff: importBackoff}
}

// importBackoff is for faults of ours while rows are stored.
var importBackoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 5 * time.Minute}
