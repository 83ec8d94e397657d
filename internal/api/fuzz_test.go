package api_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const ours, theirs = "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70", "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a71"

// A cursor leads back to the place that it was made for, in its own list of its own
// organisation alone; what is read as one is written as it was; and even one with the
// right seal leads to no place but behind some record.
func FuzzCursor(f *testing.F) {
	f.Add(api.CursorBehind(ours, "clients", time.UnixMilli(1795251600000), theirs), "mho2y0w0 "+ours, int64(1795251600000))
	f.Add("zz", "x", int64(-1))
	f.Add("", "zzzzzzzzzzzzz "+ours, int64(253402300799999))
	f.Fuzz(func(t *testing.T, cursor, place string, ms int64) {
		at := time.UnixMilli(ms).UTC()
		made := api.CursorBehind(ours, "clients", at, theirs)
		if p, err := api.PositionOf(ours, "clients", made); err != nil || !p.CreatedAt.Equal(at) || p.ID != theirs {
			t.Errorf("%d is read as %+v: %v", ms, p, err)
		}
		for name, org := range map[string]tenant.ID{"clients": theirs, "shipments": ours} {
			if p, err := api.PositionOf(org, name, made); err == nil {
				t.Errorf("%s of %s take the cursor of others as %+v", name, org, p)
			}
		}
		if text, err := api.PlaceOf(ours, "clients", cursor); err == nil && cursor != "" && api.Sealed(ours, "clients", text) != cursor {
			t.Errorf("%q is another spelling of %q", cursor, text)
		}
		if place == "" {
			return
		}
		if p, err := api.PositionOf(ours, "clients", api.Sealed(ours, "clients", place)); err == nil && !ident.IsUUID(p.ID) {
			t.Errorf("%q is read as %+v", place, p)
		}
	})
}
