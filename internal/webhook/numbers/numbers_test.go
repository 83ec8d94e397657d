package numbers_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// A quantile is exact below 128 ms, and from there on at most 1/64 too long and never too short.
func TestQuantileHasABoundedError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		var c numbers.Counts
		all := make([]time.Duration, 1+r.IntN(300))
		for i := range all {
			all[i] = time.Duration(r.Int64N(1<<(4+round%30))) * time.Millisecond
			c.AddDelivered(all[i])
		}
		slices.Sort(all)
		for _, percent := range []int{1, 50, 99, 100} {
			exact := all[(len(all)*percent+99)/100-1]
			got, any := c.Quantile(percent)
			if !any || got < exact || exact < 128*time.Millisecond && got != exact || got-exact > exact/64 {
				t.Fatalf("p%d of %d is %v, and %v was computed", percent, len(all), exact, got)
			}
		}
	}
	var none, negative numbers.Counts
	if _, any := none.Quantile(50); any {
		t.Error("a quantile of nothing")
	}
	negative.AddDelivered(-time.Second)
	negative.AddDelivered(1 << 62)
	if got, _ := negative.Quantile(50); got != 0 {
		t.Errorf("a time before the event counts as %v", got)
	}
}

// What is stored is read again, and cut or changed bytes are an error or other counts, and never more.
func TestStoredFormIsReadAgain(t *testing.T) {
	var c numbers.Changes
	at := time.Date(2026, 11, 27, 9, 30, 0, 0, time.UTC)
	for i := range 20 {
		counts := c.At(numbers.Series{EndpointID: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6c", EventType: "declaration.cleared"}, at.Add(time.Duration(i)*30*time.Second))
		counts.AddEvents(1)
		counts.AddAttempt(503)
		counts.AddAttempt(200)
		counts.AddDelivered(time.Duration(i*i) * time.Second)
	}
	stored := c.Append(nil)
	var again numbers.Changes
	if err := again.Read(stored); err != nil || !reflect.DeepEqual(again, c) {
		t.Fatalf("%v: %v\nwant %v", err, again, c)
	}
	rows := c.Rows(func(string) bool { return true })
	if len(rows) != 8 {
		t.Errorf("%d rows", len(rows))
	}
	for place, slots := range rows {
		body := slots.Append(nil)
		if got, err := numbers.ParseSlots(body); err != nil || !reflect.DeepEqual(got, slots) {
			t.Errorf("%+v: %v", place, err)
		}
		for cut := range body {
			if _, err := numbers.ParseSlots(body[:cut]); err == nil {
				t.Errorf("%d of %d bytes were read", cut, len(body))
			}
		}
	}
	for cut := range stored {
		if err := new(numbers.Changes).Read(stored[:cut]); err == nil {
			t.Errorf("%d of %d bytes were read", cut, len(stored))
		}
	}
}
