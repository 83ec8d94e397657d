package emcs

import (
	"errors"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// exciseNumber is an excise registration number (ERN): the country of registration and eleven characters. In HMRC's
// numbers the next two characters, letters or 00, are the role.
type exciseNumber string

var (
	exciseNumberShape = lazyregexp.New(`^[A-Za-z]{2}[A-Za-z0-9]{11}$`)
	errExciseNumber   = errors.New("must be 13 characters: GB, XI or the letters of a member state (EL for Greece), and 11 letters or digits")
)

func parseExciseNumber(text string) (exciseNumber, error) {
	n := squeezed(text)
	if !exciseNumberShape.MatchString(n) {
		return "", errExciseNumber
	}
	number := exciseNumber(strings.ToUpper(n))
	if !number.isUK() && !slices.Contains(memberStates, number.state()) {
		return "", errExciseNumber
	}
	return number, nil
}

// state returns the country of issue, with EL for Greece.
func (n exciseNumber) state() string { return string(n[:2]) }

func (n exciseNumber) isUK() bool { return n.state() == "GB" || n.isNI() }

func (n exciseNumber) isNI() bool { return n.state() == string(ident.NorthernIreland) }

// role is the authorisation of the holder of a number.
type role string

// Roles. The numbers of member states do not contain a role, and neither do some XI numbers.
const (
	keeper      role = "an authorised warehousekeeper"
	consignor   role = "a registered consignor"
	premises    role = "a tax warehouse, not of its keeper"
	dutyPaid    role = "a trader certified for duty-paid goods"
	unknownRole role = ""
)

func (n exciseNumber) role() role {
	if !n.isUK() {
		return unknownRole
	}
	switch n[2:4] {
	case "WK":
		return keeper
	case "RC":
		return consignor
	case "00":
		return premises
	case "PA", "PB", "PC":
		return dutyPaid
	}
	return unknownRole
}

// memberStates lists the member states of the European Union as written in excise numbers.
var memberStates = strings.Fields("AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

func inUnion(country string) bool { return slices.Contains(memberStates, issuer(country)) }

// issuer returns a country as written in excise numbers.
func issuer(country string) string {
	switch country {
	case "GR":
		return "EL"
	case "IM":
		return "GB" // same excise territory, and HMRC's number format
	}
	return country
}

// inUK includes the Isle of Man, which has UK excise duties. Jersey and Guernsey do not.
func inUK(country string) bool {
	return country == "GB" || country == "IM" || country == string(ident.NorthernIreland)
}

// fromNI reports whether the movement starts in Northern Ireland, which is in the EU excise territory.
func (m *Movement) fromNI() bool {
	n, err := parseExciseNumber(m.DispatcherNumber)
	return err == nil && n.isNI()
}
