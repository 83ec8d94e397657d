package bulk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// An organisation has so many turns at a time, and so have all together; whoever
// waits gets the next that is free, and whoever gives up takes none.
func TestTurns(t *testing.T) {
	turns := bulk.NewTurns(1, 2)
	begin := func(org tenant.ID) (func(), error) {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		return turns.Begin(ctx, org)
	}
	endA, err := begin("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin("a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second turn of one: %v", err)
	}
	endB, err := begin("b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin("c"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a third turn of all: %v", err)
	}
	waited := make(chan func())
	go func() {
		end, err := turns.Begin(ctx, "c")
		if err != nil {
			t.Error(err)
		}
		waited <- end
	}()
	endB()
	(<-waited)()
	endA()
	for _, org := range []tenant.ID{"a", "b", "a", "c"} {
		end, err := begin(org)
		if err != nil {
			t.Fatalf("%s: %v", org, err)
		}
		end()
	}
}
