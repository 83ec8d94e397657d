package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A report with warnings is healthy, and a report with a failure is not.
func TestReport(t *testing.T) {
	ok, warn, fail := check.Passed("a", "passed"), check.Warning("b", "wait", "two\nlines  %d", 7), check.Failed("c", "repair", "failed")
	for _, c := range []struct {
		checks  []check.Result
		healthy bool
		last    string
	}{
		{nil, true, "healthy: 0 ok, 0 warnings, 0 failures"},
		{[]check.Result{ok, warn}, true, "healthy: 1 ok, 1 warnings, 0 failures"},
		{[]check.Result{ok, warn, fail, ok}, false, "NOT HEALTHY: 2 ok, 1 warnings, 1 failures"},
	} {
		r := check.NewReport(c.checks)
		var b strings.Builder
		if err := r.Write(&b); err != nil || r.Healthy != c.healthy || !strings.HasSuffix(b.String(), "\n"+c.last+"\n") {
			t.Errorf("%+v\n%s, %v", r, b.String(), err)
		}
	}
	var b strings.Builder
	_ = check.NewReport([]check.Result{warn}).Write(&b)
	if !strings.HasPrefix(b.String(), "WARN  b  two lines 7\n         → wait\n") {
		t.Errorf("%q", b.String())
	}
}

// The time that the query took does not count as a difference. Clocks behind a network, in whole seconds, have wider
// limits.
func TestClocks(t *testing.T) {
	for _, c := range []struct {
		off             time.Duration
		database, other check.Outcome
	}{
		{0, check.OK, check.OK},
		{900 * time.Millisecond, check.OK, check.OK},
		{1500 * time.Millisecond, check.Warn, check.OK},
		{3 * time.Second, check.Fail, check.OK},
		{10 * time.Second, check.Fail, check.Warn},
		{time.Hour, check.Fail, check.Fail},
	} {
		for _, off := range []time.Duration{c.off, -c.off} {
			theirs := noon.Add(off)
			after := noon
			if off > 0 {
				theirs = theirs.Add(time.Second)
				after = noon.Add(time.Second)
			}
			if got := check.DatabaseClock(noon, theirs, after); got.Outcome != c.database {
				t.Errorf("database off by %s: %+v", off, got)
			}
			r := check.Probe{Asked: noon, Answered: after, Date: theirs.Add(-time.Second / 2)}
			if got := check.RemoteClock("customs", r); got.Outcome != c.other || got.Name != "clock, customs" {
				t.Errorf("customs off by %s: %+v", off, got)
			}
		}
	}
}

// A disk is checked by its free bytes, and a large one also by the free share.
func TestDisk(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		free, size uint64
		want       check.Outcome
	}{
		{10 * gib, 20 * gib, check.OK}, {2 * gib, 20 * gib, check.OK}, {2*gib - 1, 20 * gib, check.Warn}, {40 * gib, 1000 * gib, check.Warn},
		{gib / 4, gib, check.Warn}, {gib/4 - 1, gib, check.Fail}, {0, 1000 * gib, check.Fail},
	} {
		if got := check.Disk("/data", c.free, c.size); got.Outcome != c.want {
			t.Errorf("%d of %d: %+v", c.free, c.size, got)
		}
	}
}

// A consent lasts 18 months, and the warning comes a month before its end.
func TestConsent(t *testing.T) {
	for given, want := range map[time.Time]check.Outcome{
		noon: check.OK, noon.AddDate(0, -16, 0): check.OK, noon.AddDate(0, -18, 31): check.OK, noon.AddDate(0, -18, 29): check.Warn,
		noon.AddDate(0, -18, 0): check.Fail, noon.AddDate(-2, 0, 0): check.Fail,
	} {
		if got := check.Consent("c", given, noon, "again"); got.Outcome != want {
			t.Errorf("given %s: %+v", given, got)
		}
	}
}

// Only the owner may read a secret's file.
func TestPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if got := check.Private("s", file); got.Outcome != check.Fail {
		t.Errorf("none: %+v", got)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]check.Outcome{0o600: check.OK, 0o400: check.OK, 0o640: check.Fail, 0o604: check.Fail, 0o620: check.Fail} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if got := check.Private("s", file); got.Outcome != want {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}
