package main

import "errors"

// The exit codes of all commands. docs/operating.md explains each.
const (
	exitDone      = 0
	exitFault     = 1 // it did not work, or could not be found out
	exitUsage     = 2 // a wrong command line or setting
	exitBroken    = 3 // an audit trail is broken, or an evidence pack is not as it was made
	exitUnhealthy = 4 // doctor found what must be mended
)

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errBroken), errors.Is(err, errNotWhole):
		return exitBroken
	case errors.Is(err, errUnhealthy):
		return exitUnhealthy
	}
	return exitFault
}
