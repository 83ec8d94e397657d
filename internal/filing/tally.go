package filing

import "github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"

// Tally is how many records of a kind are in a state, of those that were created in a
// month of London. It is kept with every change, so that reading it reads no record.
type Tally struct {
	Kind    string
	Status  lifecycle.State
	Month   string // such as 2026-11
	Records int64
}

// LedgerTally is what a ledger comes to in a month of London. An amount beyond
// 4·10¹⁸ of the least unit stays there.
type LedgerTally struct {
	Ledger, Month string
	Sum
}

// Tallies reads what the records of one organisation come to.
type Tallies interface {
	FilingTallies() ([]Tally, error)                                                  // by kind, status and month
	LedgerTallies(ledgers []string, fromMonth, toMonth string) ([]LedgerTally, error) // both months included; by ledger and month
}
