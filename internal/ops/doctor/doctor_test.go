package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A deployment is healthy with worries, and with one fault it is not.
func TestReport(t *testing.T) {
	ok, warn, fail := doctor.Well("a", "well"), doctor.Worry("b", "look", "two\nlines  %d", 7), doctor.Ill("c", "mend", "ill")
	for _, c := range []struct {
		checks  []doctor.Check
		healthy bool
		last    string
	}{
		{nil, true, "healthy: 0 ok, 0 to look at, 0 to mend"},
		{[]doctor.Check{ok, warn}, true, "healthy: 1 ok, 1 to look at, 0 to mend"},
		{[]doctor.Check{ok, warn, fail, ok}, false, "NOT HEALTHY: 2 ok, 1 to look at, 1 to mend"},
	} {
		r := doctor.NewReport(c.checks)
		var b strings.Builder
		if err := r.Write(&b); err != nil || r.Healthy != c.healthy || !strings.HasSuffix(b.String(), "\n"+c.last+"\n") {
			t.Errorf("%+v\n%s, %v", r, b.String(), err)
		}
	}
	var b strings.Builder
	_ = doctor.NewReport([]doctor.Check{warn}).Write(&b)
	if !strings.HasPrefix(b.String(), "WARN  b  two lines 7\n         → look\n") {
		t.Errorf("%q", b.String())
	}
}

// A clock counts as apart by what lies outside of the time that the look took, and
// one that is told over a network, in whole seconds, has more leave.
func TestClocks(t *testing.T) {
	for _, c := range []struct {
		off             time.Duration
		database, other doctor.Outcome
	}{
		{0, doctor.OK, doctor.OK},
		{900 * time.Millisecond, doctor.OK, doctor.OK},
		{1500 * time.Millisecond, doctor.Warn, doctor.OK},
		{3 * time.Second, doctor.Fail, doctor.OK},
		{10 * time.Second, doctor.Fail, doctor.Warn},
		{time.Hour, doctor.Fail, doctor.Fail},
	} {
		for _, off := range []time.Duration{c.off, -c.off} {
			theirs := noon.Add(off)
			after := noon
			if off > 0 {
				theirs = theirs.Add(time.Second)
				after = noon.Add(time.Second)
			}
			if got := doctor.DatabaseClock(noon, theirs, after); got.Outcome != c.database {
				t.Errorf("database off by %s: %+v", off, got)
			}
			r := doctor.Reached{Asked: noon, Answered: after, Date: theirs.Add(-time.Second / 2)}
			if got := doctor.DistantClock("customs", r); got.Outcome != c.other || got.Name != "clock, customs" {
				t.Errorf("customs off by %s: %+v", off, got)
			}
		}
	}
}

// A disk is judged by what is free, and a large one also by its share.
func TestDisk(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		free, size uint64
		want       doctor.Outcome
	}{
		{10 * gib, 20 * gib, doctor.OK}, {2 * gib, 20 * gib, doctor.OK}, {2*gib - 1, 20 * gib, doctor.Warn}, {40 * gib, 1000 * gib, doctor.Warn},
		{gib / 4, gib, doctor.Warn}, {gib/4 - 1, gib, doctor.Fail}, {0, 1000 * gib, doctor.Fail},
	} {
		if got := doctor.Disk("/data", c.free, c.size); got.Outcome != c.want {
			t.Errorf("%d of %d: %+v", c.free, c.size, got)
		}
	}
}

// A consent lasts 18 months from the day it was given, and is told of a month before
// its end.
func TestConsent(t *testing.T) {
	for given, want := range map[time.Time]doctor.Outcome{
		noon: doctor.OK, noon.AddDate(0, -16, 0): doctor.OK, noon.AddDate(0, -18, 31): doctor.OK, noon.AddDate(0, -18, 29): doctor.Warn,
		noon.AddDate(0, -18, 0): doctor.Fail, noon.AddDate(-2, 0, 0): doctor.Fail,
	} {
		if got := doctor.Consent("c", given, noon, "again"); got.Outcome != want {
			t.Errorf("given %s: %+v", given, got)
		}
	}
}

// A secret's file is for its owner alone.
func TestPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if got := doctor.Private("s", file); got.Outcome != doctor.Fail {
		t.Errorf("none: %+v", got)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]doctor.Outcome{0o600: doctor.OK, 0o400: doctor.OK, 0o640: doctor.Fail, 0o604: doctor.Fail, 0o620: doctor.Fail} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if got := doctor.Private("s", file); got.Outcome != want {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}
