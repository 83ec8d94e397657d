package webhook

// DayTally is how many attempts of a day of London ended in a way: DELIVERED, FAILED for
// those after which a delivery was given up, PENDING for those that are made again.
type DayCount struct {
	Day      string // such as 2026-11-21
	Outcome  Status
	Attempts int64
}

// Tallies reads what the deliveries of one organisation come to.
type CountReader interface {
	DeliveryTallies(fromDay string) ([]DayCount, error) // by day and outcome
}
