package config

import (
	"errors"
	"strings"
)

// Wrong is everything that is wrong with the settings, each fault in words.
type Wrong struct{ Faults []string }

// Error names all faults.
func (w *Wrong) Error() string { return "settings: " + strings.Join(w.Faults, "; ") }

// Together makes one error of several: nil where there are none.
func Together(all ...error) error {
	var faults []string
	for _, err := range all {
		var w *Wrong
		switch {
		case errors.As(err, &w):
			faults = append(faults, w.Faults...)
		case err != nil:
			faults = append(faults, err.Error())
		}
	}
	return wrongOf(faults)
}

func wrongOf(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return &Wrong{faults}
}
