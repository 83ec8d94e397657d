package official

import "time"

// Retention is how long an edition that nothing names is kept after another one replaced it.
const Retention = 400 * 24 * time.Hour

// Replaced returns the versions of the editions that need not be kept unless something names them, of all stored ones, the newest
// first. Those in force, the one before it, and those that were replaced less than Retention ago are not among them.
func Replaced(all []Edition, now time.Time) (versions []int64) {
	for i, e := range all {
		if i == 0 || e.InForce || all[i-1].InForce || now.Before(all[i-1].ImportedAt.Add(Retention)) {
			continue
		}
		versions = append(versions, e.Version)
	}
	return versions
}
