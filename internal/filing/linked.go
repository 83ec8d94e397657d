package filing

import "time"

// LinkedLedgers selects the ledger entries of the latest records of a kind that refer to a shipment.
type LinkedLedgers struct {
	Kind       string
	ShipmentID string
	Since      time.Time // records created at or after; not zero
	Limit      int       // records
}

// LinkedSums are the monthly sums of ledger entries, and the number of records that were read.
type LinkedSums struct {
	Tallies []LedgerTally // by month, latest first, then by ledger
	Records int
}
