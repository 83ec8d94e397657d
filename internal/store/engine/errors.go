package engine

import "github.com/tidewaiter/tidewaiter/internal/platform/apierr"

// UnavailableError is an error of the database itself, not of a statement.
type UnavailableError struct{ Err error }

func (u UnavailableError) Error() string { return u.Err.Error() }

func (u UnavailableError) Unwrap() error { return u.Err }

// DiskFullError is an error because the disk is full.
type DiskFullError struct{ Err error }

func (d DiskFullError) Error() string { return d.Err.Error() }

func (d DiskFullError) Unwrap() error { return d.Err }

// DiskFull is the answer to changes while the disk is full.
func DiskFull() *apierr.Error {
	return apierr.New(apierr.DiskFull, "The disk is full, so nothing can be stored. Try again when the operator has made room.")
}

// Damaged is the answer to every request once the database has shown damage.
func Damaged() *apierr.Error {
	return apierr.New(apierr.StoreUnavailable, "The database is damaged, so nothing is read from it or written to it. The operator has to restore it from a backup.")
}
