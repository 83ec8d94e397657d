package webhook

// DayTally is how many attempts of a day of London ended in a way: DELIVERED, FAILED for
// those after which a delivery was given up, PENDING for those that are made again.
type DayTally struct {
	Day      string // such as 2026-11-21
	Outcome  Status
	Attempts int64
}

// Tallies reads what the deliveries of one organisation come to.
type Tallies interface {
	DeliveryTallies(fromDay string) ([]DayTally, error) // by day and outcome
}
