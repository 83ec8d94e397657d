package wco

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Number is an exact decimal as it is declared, such as "12.5". The empty one is
// not declared at all; "0" is nought.
type Number string

// Count is a whole number of things.
func Count(n int) Number { return Number(strconv.Itoa(n)) }

// Amount is a sum in a currency (ISO 4217, capitals), with at most three decimal places.
type Amount struct {
	Value    Number
	Currency string
}

// Money is a sum in a currency; quantity.Money is exact to the hundredth in any.
func Money(sum quantity.Money, currency string) Amount {
	return Amount{Value: Number(sum.String()), Currency: currency}
}

// Measure is a mass or quantity with at most six decimal places. CDS knows the
// unit from the place: kilograms for masses, the measure's unit for DE 6/2. Only a
// WriteOff names it, as in KGM#G.
type Measure struct {
	Value Number
	Unit  string
}

// Mass is a mass in kilograms.
func Mass(m quantity.Mass) Measure { return Measure{Value: Number(m.String())} }

// Quantity is a number in the unit that the tariff wants.
func Quantity(n quantity.Number) Measure { return Measure{Value: Number(n.String())} }

// DateTime is an instant as WCO writes it: format 102 for 20261121, format 304 for
// 20261121093000Z or, with a zone in hours, 20260721093000+01.
type DateTime struct {
	Value  string
	Format string
}

func (d *DateTime) fields(v visitor) {
	v.qualified(dateTimeString, &d.Value, format{kind: instant}, formatCode, &d.Format)
}

// dateTimeString is the only element that a data type brings along with its namespace.
const dateTimeString = "DateTimeString"
