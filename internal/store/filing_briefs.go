package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// briefsPerQuery is the number of records that one statement reads by their IDs.
const briefsPerQuery = 64

// findBriefs has a parameter for each record, so that no query planner expects a long list.
var findBriefs = func() string {
	names := make([]string, briefsPerQuery)
	for i := range names {
		names[i] = fmt.Sprintf("$%d", i+2)
	}
	return "SELECT id, kind, status, COALESCE(brief, body), added, created_at, updated_at FROM filings WHERE org_id = $1 AND id IN (" + strings.Join(names, ", ") + ")"
}()

// Briefs reads records of any kind by their IDs, in the form that lists show. It leaves out
// records that do not exist.
func (t *Tx) Briefs(ids []string) (map[string]filing.Filing, error) {
	found := map[string]filing.Filing{}
	for some := range slices.Chunk(ids, briefsPerQuery) {
		args := make([]any, briefsPerQuery)
		for i := range args {
			args[i] = some[min(i, len(some)-1)]
		}
		err := t.rows(findBriefs, args, func(r engine.Row) error {
			var f filing.Filing
			err := r.Scan(&f.ID, &f.Kind, &f.Status, (*[]byte)(&f.Brief), (*[]byte)(&f.Added), (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
			found[f.ID] = f
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("store: briefs: %w", err)
		}
	}
	return found, nil
}
