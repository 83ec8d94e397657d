// Package ownreference reads references that authorities gave, as users enter them.
package ownreference

import (
	"errors"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var errCheckDigit = errors.New("has a wrong check digit: compare it with the authority’s message")

// MRN reads a movement reference number.
func MRN(text string) (string, error) {
	n, err := ident.ParseMRN(text)
	if err == nil && !n.ValidChecksum() {
		err = errCheckDigit
	}
	return string(n), err
}

// ARC reads an administrative reference code.
func ARC(text string) (string, error) {
	n, err := ident.ParseARC(text)
	if err == nil && !n.ValidChecksum() {
		err = errCheckDigit
	}
	return string(n), err
}

// GMR reads the id of a goods movement record.
func GMR(text string) (string, error) {
	n, err := ident.ParseGMR(text)
	return string(n), err
}

// free is the form of references whose authority publishes none.
var free = lazyregexp.New(`^[A-Z0-9][A-Z0-9./ -]{2,38}[A-Z0-9]$`)

// Text reads a reference of an authority that publishes no form.
func Text(text string) (string, error) {
	s := strings.ToUpper(strings.Join(strings.Fields(text), " "))
	if !free.MatchString(s) || !strings.ContainsAny(s, "0123456789") {
		return "", errors.New("must have 4 to 40 letters and digits, at least one of them a digit, with / . - or spaces between them")
	}
	return s, nil
}

// For returns a reader for a kind whose references all have the same form.
func For[B any](read func(string) (string, error)) func(*B, string) (string, error) {
	return func(_ *B, text string) (string, error) { return read(text) }
}
