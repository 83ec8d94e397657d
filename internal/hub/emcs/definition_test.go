package emcs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// An OWNER marks a movement accepted, dispatched and delivered, in this order. It can be cancelled until dispatch.
func TestLifecycle(t *testing.T) {
	table := emcs.Movements.Type().Lifecycle
	for _, c := range []struct {
		from lifecycle.State
		by   lifecycle.Action
		to   lifecycle.State
	}{
		{lifecycle.Draft, lifecycle.Submit, lifecycle.Submitted},
		{lifecycle.Submitted, lifecycle.MarkAccepted, lifecycle.Accepted},
		{lifecycle.Submitted, lifecycle.MarkRejected, lifecycle.Rejected},
		{lifecycle.Accepted, emcs.MarkDispatched, emcs.InTransit},
		{emcs.InTransit, emcs.MarkDelivered, emcs.Delivered},
	} {
		if e, ok := table.Find(c.from, c.by); !ok || e.To != c.to || e.Guard != guardOf(c.by) {
			t.Errorf("%s from %s: %+v", c.by, c.from, e)
		}
		if from := table.From(c.by); !slices.Equal(from, []lifecycle.State{c.from}) {
			t.Errorf("%s starts from %v", c.by, from)
		}
	}
	if from := table.From(lifecycle.Cancel); !slices.Equal(from, []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted}) {
		t.Errorf("cancelled from %v", from)
	}
}

func guardOf(by lifecycle.Action) lifecycle.Guard {
	if by == lifecycle.Submit {
		return lifecycle.Member
	}
	return lifecycle.Owner
}

// The reference is an ARC with GB, the year and a valid check digit.
func TestReference(t *testing.T) {
	ids := ident.NewSource(strings.NewReader(strings.Repeat("0123456789abcdef", 20)), func() time.Time { return now })
	got := emcs.Movements.Reference(ids, now, whisky())
	arc, err := ident.ParseARC(got.Value)
	if got.Field != "arc" || err != nil || !arc.ValidChecksum() || !strings.HasPrefix(got.Value, "26GB") {
		t.Errorf("%+v: %v", got, err)
	}
}
