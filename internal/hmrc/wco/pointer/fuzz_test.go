package pointer_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// Whatever is read as a pointer is written as text that reads as the same, and names a
// field; a field that is known leads back to a pointer to it.
func FuzzPointer(f *testing.F) {
	for _, text := range []string{"42A.67A.68A[2].23A.137", "42A", "42A.67A[0]", "67A.68A[99999999999999999999]", "/p:MetaData/p:Declaration/p:GoodsShipment[1]", "items[0].netMassKg", "42A.67A.68A[3].02A[2].360", "..", "[1]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := pointer.Parse(text); err == nil {
			again, err := pointer.Parse(p.String())
			if err != nil || again.String() != p.String() || p.Field() == "" {
				t.Errorf("%q is read as %s of %q, and that as %s: %v", text, p, p.Field(), again, err)
			}
			_, _, _ = p.Path(), p.Known(), p.Element()
		}
		if p, ok := pointer.FromPath(text); ok && p.Field() == "" {
			t.Errorf("%q has no field", text)
		}
		if p, ok := pointer.To(text); ok {
			if back, ok := pointer.To(p.Field()); !ok || back.String() != p.String() {
				t.Errorf("%q leads to %s, its field %q to %s", text, p, p.Field(), back)
			}
		}
	})
}
