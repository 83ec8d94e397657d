package calendar

import "fmt"

// Away returns how far away a day is, such as "tomorrow" or "in 3 days".
func Away(days int) string {
	switch {
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	case days == -1:
		return "yesterday"
	case days < 0:
		return fmt.Sprintf("%d days ago", -days)
	}
	return fmt.Sprintf("in %d days", days)
}
