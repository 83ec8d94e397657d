package deadline_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// A parsed position has the given ID, of a record or of a calendar, and the given instant.
func FuzzReadPosition(f *testing.F) {
	f.Add("ml3k2q00", "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70:due")
	f.Add("-1", "on:cbam:cbam-report:2026-Q4")
	f.Add("zzzzzzzzzzzzzz", "x:y")
	f.Add("1y2p0ij32e8e7", "\x00:\xff")
	f.Fuzz(func(t *testing.T, at, id string) {
		p, ok := deadline.ReadPosition(at, id)
		if !ok {
			return
		}
		record, _, _ := strings.Cut(id, ":")
		ms, _ := strconv.ParseInt(at, 36, 64)
		if p.ID != id || p.DueAt.UnixMilli() != ms || record != "on" && !ident.IsUUID(record) {
			t.Errorf("%q %q is read as %+v", at, id, p)
		}
	})
}
