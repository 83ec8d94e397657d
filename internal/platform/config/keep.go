package config

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Default retention periods.
const (
	keepRecords    = "6y"
	keepDeliveries = "90d"
)

// Minimum retention periods, against mistakes: HMRC requires records for four years. The database has the same limits.
var (
	leastRecords    = calendar.Age{Years: 4}
	leastDeliveries = calendar.Age{Days: 7}
)

// Keep returns the retention periods of records and of the delivery log.
func (c *Config) Keep() (records, deliveries calendar.Age, err error) {
	records, first := age("keep-records", cmp.Or(c.KeepRecords, keepRecords), leastRecords)
	deliveries, second := age("keep-deliveries", cmp.Or(c.KeepDeliveries, keepDeliveries), leastDeliveries)
	return records, deliveries, errors.Join(first, second)
}

func age(name, text string, least calendar.Age) (calendar.Age, error) {
	kept, err := calendar.ParseAge(text)
	if err != nil {
		return kept, fmt.Errorf("%s: %w", name, err)
	}
	if kept.Shorter(least) {
		return kept, fmt.Errorf("%s must be at least %s", name, least)
	}
	return kept, nil
}
