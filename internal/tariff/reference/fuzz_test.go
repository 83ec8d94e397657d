package reference_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// kept stores what was imported last.
type kept struct {
	edition reference.Edition
	rows    []byte
}

func (k *kept) Editions(context.Context) ([]reference.Edition, error) {
	return []reference.Edition{k.edition}, nil
}

func (k *kept) Rows(_ context.Context, kind reference.Kind) (reference.Edition, []byte, bool, error) {
	return k.edition, k.rows, kind == k.edition.Kind, nil
}

func (k *kept) Replace(_ context.Context, e reference.Edition, packed []byte) (reference.Edition, error) {
	e.Version = 1
	k.edition, k.rows = e, packed
	return e, nil
}

// Any file is refused with its invalid lines, or its rows are read, can be packed and
// unpacked, and have a day.
func FuzzImport(f *testing.F) {
	for i, text := range []string{emissions, pairs, places} {
		f.Add(uint8(i), text)
		f.Add(uint8(i), "\uFEFF"+strings.ReplaceAll(text, "\n", "\r"))
		f.Add(uint8(i), strings.ReplaceAll(text, "20", "\"20\""))
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		kind := reference.Kinds()[int(which)%len(reference.Kinds())]
		to := &kept{}
		e, err := reference.Import(t.Context(), to, kind, strings.NewReader(text), time.Time{}, today)
		if err != nil {
			wrong := (*reference.ImportError)(nil)
			if errors.As(err, &wrong) && (len(wrong.Faults) == 0 || len(wrong.Faults) > 20) {
				t.Errorf("%q: %d faults", text, len(wrong.Faults))
			}
			if len(err.Error()) > 20_000 {
				t.Errorf("%d bytes of refusal", len(err.Error()))
			}
			return
		}
		if e.Rows == 0 || e.Date.IsZero() || e.Kind != kind {
			t.Errorf("%q is read as %+v", text, e)
		}
		l := &reference.Library{}
		if err := l.Refresh(t.Context(), to); err != nil {
			t.Errorf("%q was packed, but cannot be read: %v", text, err)
		}
	})
}
