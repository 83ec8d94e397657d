package emcs

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// exciseNumber is an excise registration number (ERN): where a trader or a tax
// warehouse is registered for EMCS, and eleven characters. HMRC's begin with two
// more letters, or 00, that tell the role.
type exciseNumber string

var (
	exciseNumberShape = regexp.MustCompile(`^[A-Za-z]{2}[A-Za-z0-9]{11}$`)
	errExciseNumber   = errors.New("must be 13 characters: GB, XI or the letters of a member state (EL for Greece), and 11 letters or digits")
)

func parseExciseNumber(text string) (exciseNumber, error) {
	n := squeezed(text)
	if !exciseNumberShape.MatchString(n) {
		return "", errExciseNumber
	}
	number := exciseNumber(strings.ToUpper(n))
	if !number.isUK() && !slices.Contains(states, number.state()) {
		return "", errExciseNumber
	}
	return number, nil
}

// state is where the number was issued; EL stands for Greece.
func (n exciseNumber) state() string { return string(n[:2]) }

func (n exciseNumber) isUK() bool { return n.state() == "GB" || n.isNI() }

func (n exciseNumber) isNI() bool { return n.state() == string(ident.NorthernIreland) }

// role is what a number lets its holder do.
type role string

// Roles of the numbers of EMCS. A member state's number does not tell its role, nor
// does an XI number that HMRC's systems do not single out.
const (
	keeper    role = "an authorised warehousekeeper"
	consignor role = "a registered consignor"
	premises  role = "a tax warehouse, the place and not its keeper"
	dutyPaid  role = "a trader certified for goods whose duty is paid"
	untold    role = ""
)

func (n exciseNumber) role() role {
	if !n.isUK() {
		return untold
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
	return untold
}

// states are the member states of the European Union as excise numbers write them.
var states = strings.Fields("AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

func inUnion(country string) bool { return slices.Contains(states, issuer(country)) }

// issuer is how excise numbers write a country.
func issuer(country string) string {
	switch country {
	case "GR":
		return "EL"
	case "IM":
		return "GB" // one excise territory, and HMRC's form of number
	}
	return country
}

// inUK takes in the Isle of Man, which shares the excise duties of the United
// Kingdom; Jersey and Guernsey do not.
func inUK(country string) bool {
	return country == "GB" || country == "IM" || country == string(ident.NorthernIreland)
}

// fromNI tells whether the goods set out in Northern Ireland, from where they may
// move on within the Union's excise territory.
func (m *Movement) fromNI() bool {
	n, err := parseExciseNumber(m.DispatcherNumber)
	return err == nil && n.isNI()
}
