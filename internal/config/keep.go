package config

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/calendar"
)

// The least that is kept, so that nobody removes everything by a slip: customs asks
// for its records for four years. The database knows the same limits.
var (
	leastRecords    = calendar.Age{Years: 4}
	leastDeliveries = calendar.Age{Days: 7}
)

// wrongAges names what is wrong with the ages that things are kept to.
func (c *Config) wrongAges() (wrong []string) {
	for _, kept := range []struct {
		name, text string
		least      calendar.Age
	}{{"keep-records", c.KeepRecords, leastRecords}, {"keep-deliveries", c.KeepDeliveries, leastDeliveries}} {
		age, err := calendar.ParseAge(kept.text)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("%s: %v", kept.name, err))
		case age.Shorter(kept.least):
			wrong = append(wrong, fmt.Sprintf("%s must be at least %s", kept.name, kept.least))
		}
	}
	return wrong
}
