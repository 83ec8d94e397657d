package webhook

// DayCount is the number of attempts on a day in London with one outcome: DELIVERED, FAILED for
// those after which a delivery was given up, PENDING for those that are repeated.
type DayCount struct {
	Day      string // such as 2026-11-21
	Outcome  Status
	Attempts int64
}

// CountReader reads the counts of one organisation's deliveries.
type CountReader interface {
	DeliveryTallies(fromDay string) ([]DayCount, error) // by day and outcome
}
