package main

import (
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
)

// The exit codes of all commands. docs/operating.md explains each.
const (
	exitOK        = 0
	exitFault     = 1 // it did not work, or could not be found out
	exitUsage     = 2 // a wrong command line or setting
	exitBroken    = 3 // an audit trail is broken, or an evidence pack or a backup is not as it was made
	exitUnhealthy = 4 // doctor found what must be mended
	exitElsewhere = 5 // backup: the database is PostgreSQL, which has its own tools
)

func exitCode(err error) int {
	var damaged *backup.Damaged
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errBroken), errors.Is(err, errInvalidPack), errors.As(err, &damaged):
		return exitBroken
	case errors.Is(err, errInvalidRequest):
		return exitUsage
	case errors.Is(err, errUnhealthy):
		return exitUnhealthy
	case errors.Is(err, errElsewhere):
		return exitElsewhere
	}
	return exitFault
}
