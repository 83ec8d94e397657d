package tariff

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// day is a day of any year, month × 100 + day, such as 229.
type day int

const firstDay, lastDay day = 101, 1231

// season is the part of the year in which a clause applies, both ends included; it crosses New
// Year if it ends before it begins.
type season struct {
	from, to day
	clause   clause
}

var errSeasons = errors.New("seasons must cover every day of the year once")

func dayOf(t time.Time) day { return day(int(t.Month())*100 + t.Day()) }

func (s season) contains(d day) bool {
	if s.from <= s.to {
		return s.from <= d && d <= s.to
	}
	return d >= s.from || d <= s.to
}

// parseSeason parses "01 NOV - 14 MAY".
func parseSeason(text string) (season, error) {
	first, last, _ := strings.Cut(text, "-")
	from, err := parseDay(first)
	if err != nil {
		return season{}, err
	}
	to, err := parseDay(last)
	return season{from: from, to: to}, err
}

// parseDay parses "01 NOV" as a day of a leap year.
func parseDay(text string) (day, error) {
	t, err := time.Parse("2006 02 Jan", "2000 "+strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("%q is not a day such as 01 NOV", text)
	}
	return dayOf(t), nil
}

// coverYear checks that each day of a leap year is in exactly one season.
func coverYear(seasons []season) error {
	for t := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); t.Year() == 2000; t = t.AddDate(0, 0, 1) {
		n := 0
		for _, s := range seasons {
			if s.contains(dayOf(t)) {
				n++
			}
		}
		if n != 1 {
			return errSeasons
		}
	}
	return nil
}
