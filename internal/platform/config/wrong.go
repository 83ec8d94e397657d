package config

import (
	"errors"
	"strings"
)

// Invalid is the error for invalid settings. Each fault is a sentence for the operator.
type Invalid struct{ Faults []string }

// Error returns all faults.
func (w *Invalid) Error() string { return "settings: " + strings.Join(w.Faults, "; ") }

// Join joins errors into one *Invalid; nil if all are nil.
func Join(all ...error) error {
	var faults []string
	for _, err := range all {
		var w *Invalid
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
	return &Invalid{faults}
}
