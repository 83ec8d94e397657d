package tss

import (
	"errors"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// ownNumber is a number of the Trader Support Service: of an entry summary declaration, a consignment or a supplementary
// declaration. The form is that of its API 2.9.5.
var ownNumber = lazyregexp.New(`^(ENS|DEC|SUP)[0-9]{15}$`)

// readReference reads the MRN of a declaration, or the number that the Trader Support Service gave it.
func readReference(_ *Declaration, text string) (string, error) {
	if number := strings.ToUpper(strings.TrimSpace(text)); ownNumber.MatchString(number) {
		return number, nil
	}
	mrn, err := ownreference.MRN(text)
	if err != nil {
		err = errors.New("must be an MRN with its check digit, or a number of the Trader Support Service: ENS, DEC or SUP and 15 digits")
	}
	return mrn, err
}
