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

// ClientTally is the sum of a ledger in a month for the records of a client.
type ClientTally struct {
	ClientID string
	LedgerTally
}

// ClientTallies selects the sums of the ledgers of some clients. Both months are included.
type ClientTallies struct {
	ClientIDs, Ledgers []string
	FromMonth, ToMonth string
}

// Tallies reads the tallies of one organisation.
type Tallies interface {
	FilingTallies() ([]Tally, error)                                                  // by kind, status and month
	StatusCounts() ([]Tally, error)                                                   // by kind and status, without the month
	LedgerTallies(ledgers []string, fromMonth, toMonth string) ([]LedgerTally, error) // both months included; by ledger and month
	LedgersBetween(first, last, fromMonth, toMonth string) ([]LedgerTally, error)     // of ledgers by their names, likewise
	ClientTallies(ClientTallies) ([]ClientTally, error)                               // by month, latest first, then by ledger
	// LeadingClients returns the sums of the clients with the largest amounts of a ledger in each of some months, at most `each` a month.
	LeadingClients(ledger string, months []string, each int) ([]ClientTally, error)
	// PostedCounts returns, for each period, the number of entries of a ledger below each bound, and at or above the last one.
	PostedCounts(ledger string, periods []Period, bounds []int64) ([][]int64, error)
}
