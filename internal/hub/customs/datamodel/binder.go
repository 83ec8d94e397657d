package datamodel

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// binder moves values between JSON members and WCO classes, in one direction. Each pair is named once, so that both
// directions agree.
type binder struct {
	decode bool
	path   string   // of the object that is decoded
	faults []string // what has no JSON form
}

// text binds a text or code.
func (b *binder) text(member, element *string) {
	if b.decode {
		*member = *element
		return
	}
	*element = *member
}

// count binds a whole number.
func (b *binder) count(name string, member **int64, element *wco.Number) {
	if !b.decode {
		if *member != nil {
			*element = wco.Number(strconv.FormatInt(**member, 10))
		}
		return
	}
	if *element == "" {
		return
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(string(*element), "+"), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 || strings.Trim(fraction, "0") != "" {
		b.fail(name, string(*element))
		return
	}
	*member = &n
}

// sequence binds a sequence number, which is left out of the JSON if it is the position from 0.
func (b *binder) sequence(member **int64, element *wco.Number, at int) {
	if b.count("number", member, element); b.decode && *member != nil && **member == int64(at+1) {
		*member = nil
	}
}

// fail notes a value that has no JSON form.
func (b *binder) fail(name, value string) {
	b.faults = append(b.faults, fmt.Sprintf("%s: the value %q cannot be declared through this service", join(b.path, name), value))
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// decimal is an exact number of package quantity.
type decimal interface {
	quantity.Mass | quantity.Number | quantity.Sum | quantity.Rate
	String() string
}

// number binds an exact number.
func number[T decimal](b *binder, name string, parse func(string) (T, error), member **T, element *wco.Number) {
	switch {
	case !b.decode:
		if *member != nil {
			*element = wco.Number((**member).String())
		}
	case *element != "":
		n, err := parse(plain(string(*element)))
		if err != nil {
			b.fail(name, string(*element))
			return
		}
		*member = &n
	}
}

// plain writes a decimal of XML Schema in the form of JSON.
func plain(text string) string {
	text = strings.TrimPrefix(text, "+")
	sign := ""
	if after, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", after
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// mass binds a mass in kilograms. Its unit is not kept.
func (b *binder) mass(name string, member **quantity.Mass, element *wco.Measure) {
	if b.decode && element.Unit != "" && element.Unit != kilogram {
		b.fail(name, element.Unit)
		return
	}
	number(b, name, quantity.ParseMass, member, &element.Value)
}

// kilogram is the unit of every mass.
const kilogram = "KGM"

// amount binds an amount with its currency.
func (b *binder) amount(name string, member **Amount, element *wco.Amount) {
	one(b, name, member, element, func(b *binder, m *Amount, e *wco.Amount) {
		number(b, "amount", quantity.ParseSum, &m.Amount, &e.Value)
		b.text(&m.Currency, &e.Currency)
	})
}

// measure binds a quantity with its unit.
func (b *binder) measure(name string, member **Measure, element *wco.Measure) {
	one(b, name, member, element, func(b *binder, m *Measure, e *wco.Measure) {
		number(b, "value", quantity.ParseNumber, &m.Value, &e.Value)
		b.text(&m.Unit, &e.Unit)
	})
}

// one binds one object. An object without a member is left out of the JSON.
func one[M, E any](b *binder, name string, member **M, element *E, bind func(*binder, *M, *E)) {
	if !b.decode {
		if *member != nil {
			bind(b, *member, element)
		}
		return
	}
	outer := b.path
	b.path = join(outer, name)
	m := new(M)
	if bind(b, m, element); !reflect.ValueOf(m).Elem().IsZero() {
		*member = m
	}
	b.path = outer
}

// list binds a list. The function gets the position from 0.
func list[M, E any](b *binder, name string, members *[]M, elements *[]E, bind func(*binder, int, *M, *E)) {
	if !b.decode {
		if len(*members) > 0 {
			*elements = make([]E, len(*members))
		}
		for at := range *members {
			bind(b, at, &(*members)[at], &(*elements)[at])
		}
		return
	}
	if len(*elements) == 0 {
		return
	}
	outer := b.path
	*members = make([]M, len(*elements))
	for at := range *elements {
		b.path = join(outer, name) + "[" + strconv.Itoa(at) + "]"
		bind(b, at, &(*members)[at], &(*elements)[at])
	}
	b.path = outer
}

// keepNumber gives an entry its number if it would be empty without.
func keepNumber[M any](b *binder, at int, entry *M, number **int64) {
	if b.decode && reflect.ValueOf(entry).Elem().IsZero() {
		n := int64(at + 1)
		*number = &n
	}
}

// instant binds a date, or a date and time.
func (b *binder) instant(name string, member *string, element *wco.DateTime) {
	if !b.decode {
		*element = EncodeInstant(*member)
		return
	}
	if element.Value == "" {
		return
	}
	text, ok := decodeInstant(*element)
	if !ok {
		b.fail(name, element.Value)
		return
	}
	*member = text
}

// Formats of an instant in WCO.
const (
	dateFormat    = "102" // yyyymmdd
	instantFormat = "304" // yyyymmddhhmmss with Z or whole hours of UTC offset
)

// EncodeInstant converts 2024-04-10 or 2024-04-10T11:39:47+01:00 to its WCO form; empty for an empty text.
func EncodeInstant(text string) wco.DateTime {
	if text == "" {
		return wco.DateTime{}
	}
	digits := strings.NewReplacer("-", "", ":", "", "T", "")
	const date = len("2006-01-02")
	if len(text) <= date {
		return wco.DateTime{Value: digits.Replace(text), Format: dateFormat}
	}
	const seconds = len("2006-01-02T15:04:05")
	zone := text[seconds:]
	if zone != "Z" {
		zone = zone[:3]
	}
	return wco.DateTime{Value: digits.Replace(text[:seconds]) + zone, Format: instantFormat}
}

// Instant converts an instant to its JSON form; empty if it has none.
func Instant(d wco.DateTime) string {
	text, _ := decodeInstant(d)
	return text
}

// decodeInstant is the reverse of EncodeInstant.
func decodeInstant(d wco.DateTime) (string, bool) {
	v := d.Value
	switch {
	case d.Format == dateFormat && len(v) == 8:
		return v[:4] + "-" + v[4:6] + "-" + v[6:], true
	case d.Format == instantFormat && len(v) >= 15:
		zone := v[14:]
		if zone != "Z" {
			zone += ":00"
		}
		return v[:4] + "-" + v[4:6] + "-" + v[6:8] + "T" + v[8:10] + ":" + v[10:12] + ":" + v[12:14] + zone, true
	}
	return "", false
}
