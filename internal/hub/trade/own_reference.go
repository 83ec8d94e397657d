package trade

import (
	"errors"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// strategic are the forms of references of the Export Control Joint Unit, in LITE and in SPIRE before it.
var strategic = lazyregexp.New(`^(GB(SIEL|EL|OIEL|OGEL|SICL|OICL|SITL|OGTCL)/[0-9]{4}/[0-9]{7}(/[PT])?|F680/[0-9]{4}/[0-9]{7}|GB[A-Z]{2,6} ?[0-9]{4}/[0-9]{5,6})$`)

// readReference reads the number of a licence or permit.
func readReference(l *Licence, text string) (string, error) {
	if l.LicenceType == CITES || l.LicenceType == EHC {
		return ownreference.Text(text)
	}
	number := strings.ToUpper(strings.TrimSpace(text))
	if !strategic.MatchString(number) {
		return "", errors.New("must be a number of the Export Control Joint Unit, such as GBSIEL/2026/0000123/P or GBSIE2026/00123")
	}
	return number, nil
}
