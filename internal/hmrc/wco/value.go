package wco

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Number is an exact declared decimal, such as "12.5". An empty one is left out; "0" is zero.
type Number string

// Count returns an integer as a Number.
func Count(n int) Number { return Number(strconv.Itoa(n)) }

// Amount is an amount in a currency (ISO 4217, upper case), with at most three decimal places.
type Amount struct {
	Value    Number
	Currency string
}

// Money returns an Amount; quantity.Money is exact to two decimal places.
func Money(sum quantity.Money, currency string) Amount {
	return Amount{Value: Number(sum.String()), Currency: currency}
}

// Measure is a mass or quantity with at most six decimal places. The element implies the unit: kilograms for masses,
// the supplementary unit for DE 6/2. Only a WriteOff states it, as in KGM#G.
type Measure struct {
	Value Number
	Unit  string
}

// Mass returns a mass in kilograms.
func Mass(m quantity.Mass) Measure { return Measure{Value: Number(m.String())} }

// Quantity returns a number in the unit of the tariff.
func Quantity(n quantity.Number) Measure { return Measure{Value: Number(n.String())} }

// DateTime is an instant in a WCO format: 102 for 20261121, 304 for 20261121093000Z or, with a time zone in hours,
// 20260721093000+01.
type DateTime struct {
	Value  string
	Format string
}

func (d *DateTime) fields(v visitor) {
	v.qualified(dateTimeString, &d.Value, format{kind: instant}, formatCode, &d.Format)
}

// dateTimeString is the only element with the namespace of its data type.
const dateTimeString = "DateTimeString"
