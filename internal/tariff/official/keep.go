package official

import (
	"slices"
	"time"
)

// Retention is how long an edition that nothing names is kept after another one replaced it.
const Retention = 400 * 24 * time.Hour

// Kept returns the versions of the editions to keep, of all stored ones, the newest first: the one in force and the one before
// it, those that something names, and those that were replaced less than Retention ago.
func Kept(all []Edition, used []int64, now time.Time) map[int64]bool {
	kept := map[int64]bool{}
	for i, e := range all {
		replaced := i > 0 && !now.Before(all[i-1].ImportedAt.Add(Retention))
		if e.InForce || i > 0 && all[i-1].InForce || !replaced || slices.Contains(used, e.Version) {
			kept[e.Version] = true
		}
	}
	return kept
}
