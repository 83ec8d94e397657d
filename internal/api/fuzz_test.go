package api_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const orgA, orgB = "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70", "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a71"

// A cursor decodes to the position that it was made for, and only for its own list and organisation.
// Each position has one spelling, and no accepted cursor has a malformed ID.
func FuzzCursor(f *testing.F) {
	f.Add(api.CursorBehind(orgA, "clients", time.UnixMilli(1795251600000), orgB), "mho2y0w0 "+orgA, int64(1795251600000))
	f.Add("zz", "x", int64(-1))
	f.Add("", "zzzzzzzzzzzzz "+orgA, int64(253402300799999))
	f.Fuzz(func(t *testing.T, cursor, place string, ms int64) {
		at := time.UnixMilli(ms).UTC()
		made := api.CursorBehind(orgA, "clients", at, orgB)
		if p, err := api.PositionOf(orgA, "clients", made); err != nil || !p.CreatedAt.Equal(at) || p.ID != orgB {
			t.Errorf("cursor of %d decodes to %+v: %v", ms, p, err)
		}
		for name, org := range map[string]tenant.ID{"clients": orgB, "shipments": orgA} {
			if p, err := api.PositionOf(org, name, made); err == nil {
				t.Errorf("%s of %s accept a cursor of another list: %+v", name, org, p)
			}
		}
		if text, err := api.PlaceOf(orgA, "clients", cursor); err == nil && cursor != "" && api.Sealed(orgA, "clients", text) != cursor {
			t.Errorf("%q is a second spelling of the cursor of %q", cursor, text)
		}
		if place == "" {
			return
		}
		if p, err := api.PositionOf(orgA, "clients", api.Sealed(orgA, "clients", place)); err == nil && !ident.IsUUID(p.ID) {
			t.Errorf("cursor of %q decodes to %+v", place, p)
		}
	})
}
