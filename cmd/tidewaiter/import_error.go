package main

import (
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
)

// printImportError returns the error of an import. With asJSON it prints the invalid rows, if the error names some.
func printImportError(err error, asJSON bool) error {
	var faulty *importerr.Error
	if !asJSON || !errors.As(err, &faulty) {
		return err
	}
	return errors.Join(printJSON(map[string]any{"imported": false, "faults": faulty.Faults, "more": faulty.More}), err)
}
