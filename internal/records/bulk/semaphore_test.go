package bulk_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// The limits hold per organisation and in total. A waiting caller gets the next free place; a caller
// whose context ends takes none.
func TestSemaphore(t *testing.T) { synctest.Test(t, testSemaphore) }

func testSemaphore(t *testing.T) {
	turns := bulk.NewSemaphore(1, 2)
	begin := func(org tenant.ID) (func(), error) {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		return turns.Acquire(ctx, org)
	}
	endA, err := begin("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin("a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second operation of an organisation: %v", err)
	}
	endB, err := begin("b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin("c"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("third operation in total: %v", err)
	}
	waited := make(chan func())
	go func() {
		end, err := turns.Acquire(ctx, "c")
		if err != nil {
			t.Error(err)
		}
		waited <- end
	}()
	synctest.Wait()
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
