package book

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Season is the part of each year in which measures of a type recur on a code, for an area.
type Season struct {
	Area, Code, Type string
	From, To         int // as DayOfYear counts; it crosses New Year if it ends before it begins
}

// DayOfYear is a day of any year: month × 100 + day.
func DayOfYear(date time.Time) int { return int(date.Month())*100 + date.Day() }

func (s *Season) contains(day int) bool {
	if s.From <= s.To {
		return s.From <= day && day <= s.To
	}
	return day >= s.From || day <= s.To
}

// lapsed returns the types of measures that recur in the season of a day on one of some codes, for an origin, and of which none is
// in force: the table does not reach so far.
func (b *Book) lapsed(codes []string, all []measure.Measure, origin string, on measure.Day) (types []string) {
	day := DayOfYear(on.Date())
	for _, code := range codes {
		for _, s := range b.seasons[code] {
			if s.contains(day) && b.areas.Contains(s.Area, origin) && !hasMeasure(all, &s) {
				types = append(types, s.Type)
			}
		}
	}
	return types
}

func hasMeasure(all []measure.Measure, s *Season) bool {
	for i := range all {
		if all[i].Type == s.Type && all[i].Area == s.Area {
			return true
		}
	}
	return false
}
