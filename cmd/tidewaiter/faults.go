package main

import (
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/tariff/fault"
)

// printFaults returns the error of an import. With asJSON it prints the faults of the files, if the error is about those.
func printFaults(err error, asJSON bool) error {
	var faulty *fault.Import
	if !asJSON || !errors.As(err, &faulty) {
		return err
	}
	return errors.Join(printJSON(map[string]any{"imported": false, "faults": faulty.Faults, "more": faulty.More}), err)
}
