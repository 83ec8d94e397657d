package check

import "time"

// Limits of the difference between two clocks. A job's lease lasts six seconds: instances whose clocks differ by less
// than half of that do not take each other's jobs.
const (
	clockWarn = time.Second
	clockFail = 3 * time.Second
	// An HTTP Date has whole seconds, and has crossed a network.
	remoteWarn = 5 * time.Second
	remoteFail = time.Minute
)

const setClock = "let NTP (chrony, systemd-timesyncd) set the clock of this machine and of the other"

// DatabaseClock compares this machine's clock, read before and after, with the database's.
func DatabaseClock(before, theirs, after time.Time) Result {
	return clock("clock, database", difference(before, theirs, after), clockWarn, clockFail)
}

// RemoteClock compares this machine's clock with the Date of an answer.
func RemoteClock(name string, p Probe) Result {
	return clock("clock, "+name, difference(p.Asked, p.Date.Add(time.Second/2), p.Answered), remoteWarn, remoteFail)
}

func clock(name string, off, warn, fail time.Duration) Result {
	off = off.Round(time.Millisecond)
	switch {
	case off >= fail:
		return Failed(name, setClock, "%s apart", off)
	case off >= warn:
		return Warning(name, setClock, "%s apart", off)
	}
	return Passed(name, "less than %s apart", warn)
}

// difference returns how far a time is outside of the interval in which it was read.
func difference(before, theirs, after time.Time) time.Duration {
	switch {
	case theirs.Before(before):
		return before.Sub(theirs)
	case theirs.After(after):
		return theirs.Sub(after)
	}
	return 0
}
