package filing

import "github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"

// Tally is the number of records of a kind in a state that were created in a month (London time). It is updated with every
// change, so that no record must be read to count.
type Tally struct {
	Kind    string
	Status  lifecycle.State
	Month   string // such as 2026-11
	Records int64
}

// LedgerTally is the sum of a ledger in a month (London time). It is capped at 4·10¹⁸ of the smallest unit.
type LedgerTally struct {
	Ledger, Month string
	Sum
}

// Tallies reads the tallies of one organisation.
type Tallies interface {
	FilingTallies() ([]Tally, error)                                                  // by kind, status and month
	StatusCounts() ([]Tally, error)                                                   // by kind and status, without the month
	LedgerTallies(ledgers []string, fromMonth, toMonth string) ([]LedgerTally, error) // both months included; by ledger and month
}
