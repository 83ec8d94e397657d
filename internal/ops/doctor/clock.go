package doctor

import "time"

// How far two clocks may be apart. A job's lease lasts six seconds, so that instances
// whose clocks differ by less than half of that do not take each other's work.
const (
	clockWorry = time.Second
	clockIll   = 3 * time.Second
	// An HTTP Date has whole seconds, and comes over a network.
	distantWorry = 5 * time.Second
	distantIll   = time.Minute
)

const setClock = "let NTP (chrony, systemd-timesyncd) set the clock of this machine, and of the other"

// DatabaseClock compares the clock of this machine, between two looks at it, with
// that of the database's.
func DatabaseClock(before, theirs, after time.Time) Check {
	return clock("clock, database", apart(before, theirs, after), clockWorry, clockIll)
}

// DistantClock compares the clock of this machine with the Date of an answer.
func DistantClock(name string, r Reached) Check {
	return clock("clock, "+name, apart(r.Asked, r.Date.Add(time.Second/2), r.Answered), distantWorry, distantIll)
}

func clock(name string, off, worry, ill time.Duration) Check {
	off = off.Round(time.Millisecond)
	switch {
	case off >= ill:
		return Ill(name, setClock, "%s apart", off)
	case off >= worry:
		return Worry(name, setClock, "%s apart", off)
	}
	return Well(name, "less than %s apart", worry)
}

// apart is how far an instant lies outside of those between which it was told.
func apart(before, theirs, after time.Time) time.Duration {
	switch {
	case theirs.Before(before):
		return before.Sub(theirs)
	case theirs.After(after):
		return theirs.Sub(after)
	}
	return 0
}
