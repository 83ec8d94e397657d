package webhook_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func failure(r webhook.Result) webhook.Result {
	r.At, r.Ended, r.Duration, r.Error = noon, noon.Add(time.Second), time.Second, "x"
	return r
}

// Every delay is the scheduled one plus or minus a fifth. It is always the same for a delivery
// and attempt, and the delays of different deliveries use the whole range. After the last
// attempt the delivery is given up.
func TestSchedule(t *testing.T) {
	plan := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
	var total time.Duration
	for n, planned := range plan {
		total += planned
		least, most := planned*2, time.Duration(0)
		for i := range 1000 {
			d := webhook.Delivery{ID: fmt.Sprint("delivery ", i), Cause: webhook.ByEvent, Status: webhook.Pending, Attempts: n}
			again := d
			d.Complete(failure(webhook.Result{}))
			again.Complete(failure(webhook.Result{}))
			wait := d.DueAt.Sub(noon.Add(time.Second))
			if d.Status != webhook.Pending || d.Attempts != n+1 || again.DueAt != d.DueAt || wait < planned*8/10 || wait > planned*12/10 {
				t.Fatalf("after attempt %d: %s in %s", n+1, d.Status, wait)
			}
			least, most = min(least, wait), max(most, wait)
		}
		if least > planned*82/100 || most < planned*118/100 {
			t.Errorf("after attempt %d: jitter covers only %s to %s", n+1, least, most)
		}
	}
	if hours := total.Hours(); hours < 75 || hours > 76 {
		t.Errorf("%v hours in all", hours)
	}
	last := webhook.Delivery{ID: "x", Cause: webhook.ByEvent, Status: webhook.Pending, Attempts: len(plan)}
	last.Complete(failure(webhook.Result{}))
	if last.Status != webhook.Failed || last.Attempts != len(plan)+1 {
		t.Errorf("after the last attempt: %+v", last)
	}
	if len(webhook.Schedule()) != len(plan) {
		t.Errorf("%d delays", len(webhook.Schedule()))
	}
}

// Retry-After lengthens a scheduled delay that is shorter, and never shortens one.
func TestRetryAfterAndSchedule(t *testing.T) {
	for _, c := range []struct {
		asked, least, most time.Duration
	}{{0, 4 * time.Second, 6 * time.Second}, {time.Second, 4 * time.Second, 6 * time.Second}, {time.Hour, time.Hour, time.Hour}} {
		d := webhook.Delivery{ID: "x", Cause: webhook.ByEvent, Status: webhook.Pending}
		d.Complete(failure(webhook.Result{RetryAfter: c.asked}))
		if wait := d.DueAt.Sub(noon.Add(time.Second)); wait < c.least || wait > c.most {
			t.Errorf("asked for %s: %s", c.asked, wait)
		}
	}
}

// A successful delivery is finished at the time of the answer. A test or a resent delivery is
// not retried.
func TestDeliveryOutcome(t *testing.T) {
	d := webhook.Delivery{ID: "x", Cause: webhook.ByEvent, Status: webhook.Pending, Attempts: 3, Error: "x"}
	d.Complete(webhook.Result{At: noon, Ended: noon.Add(time.Second), Duration: time.Second, HTTPStatus: 204})
	if d.Status != webhook.Delivered || !d.DeliveredAt.Equal(noon.Add(time.Second)) || d.Attempts != 4 || d.Error != "" || d.HTTPStatus != 204 {
		t.Errorf("%+v", d)
	}
	for _, cause := range []webhook.Cause{webhook.ByTest, webhook.ByResend} {
		d := webhook.Delivery{ID: "x", Cause: cause, Status: webhook.Pending}
		d.Complete(failure(webhook.Result{RetryAfter: time.Hour}))
		if d.Status != webhook.Failed {
			t.Errorf("%s: %s", cause, d.Status)
		}
	}
}

// Retry-After is parsed as seconds and as a date, and limited to between now and a day ahead.
func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, "-5": 0, "86400": 24 * time.Hour, "86401": 24 * time.Hour, "99999999999999999999": 24 * time.Hour,
		"-99999999999999999999": 0, "1.5": 0, "soon": 0,
		"Sat, 21 Nov 2026 12:30:00 GMT": 30 * time.Minute, "Sat, 21 Nov 2026 11:30:00 GMT": 0, "Saturday, 21-Nov-26 12:00:10 GMT": 10 * time.Second,
		"Sat, 21 Nov 2099 12:00:00 GMT": 24 * time.Hour,
	} {
		if got := webhook.RetryAfter(text, noon); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}
