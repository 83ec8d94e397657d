package tariff

import (
	"errors"
	"slices"
	"strings"
)

// Line is what the tariff says of one commodity code on one day.
type Line struct {
	Code        string
	Description string // in our own words; the legal text is the tariff's
	Duty        Expression
	VATRate     int    // percent: 20, 5 or 0; the rate of the goods without any relief of the importer
	Unit        string // code of the supplementary unit (DE 6/2), such as NAR; empty for none
	AsOf        string // date (YYYY-MM-DD) on which the duty was in force; it may have changed since
	VATAsOf     string // the same of the VAT rate
	VATBasis    Basis

	lacks string // what it takes to tell the measure; empty where nothing does
}

// Basis tells where a VAT rate comes from.
type Basis string

// Where a VAT rate comes from.
const (
	Curated   Basis = "own"      // from the own table
	Published Basis = "measure"  // from an imported measure
	Assumed   Basis = "standard" // nobody says otherwise: the standard rate
)

// StandardVAT is the rate of goods of which nothing else is known, in percent.
const StandardVAT = 20

var (
	errCode    = errors.New("must be ten digits")
	errVATRate = errors.New("VAT rate must be 20, 5 or 0")
	errDuty    = errors.New("must have a duty expression")
	errTwice   = errors.New("is in the table twice")
)

// Stated is the duty with the day that it is known for, such as "12.00% (as of 2021-01-01)".
func (l Line) Stated() string {
	if l.Duty.String() == "" {
		return ""
	}
	return l.Duty.String() + " (as of " + l.AsOf + ")"
}

func (l Line) commodity() Commodity {
	return Commodity{
		Code: l.Code, Description: l.Description, Unit: l.Unit,
		Duties: []Rate{{Duty: l.Duty, AsOf: l.AsOf}}, VAT: []VATRate{{Rate: l.VATRate, AsOf: l.VATAsOf, Basis: l.VATBasis}},
	}
}

// Commodity is a code of ten digits with its measures of all days.
type Commodity struct {
	Code, Description, Unit string
	Duties                  []Rate
	VAT                     []VATRate
}

// Rate is a duty with the days on which it is in force.
type Rate struct {
	Duty Expression
	Span
	AsOf string // as in Line
}

// VATRate is a rate of VAT, in percent, with the days on which it is in force.
type VATRate struct {
	Rate int
	Span
	AsOf  string
	Basis Basis
}

// Span are the days (YYYY-MM-DD), both ends included, on which a measure is in force,
// and the additional code under which; empty where there is no end, and none.
type Span struct{ From, To, Additional string }

// On tells whether the measure is in force on a day; without a day, always.
func (s Span) On(day string) bool {
	return day == "" || s.From <= day && (s.To == "" || day <= s.To)
}

func (c Commodity) check() error {
	if len(c.Code) != commodityDigits || strings.Trim(c.Code, "0123456789") != "" {
		return errCode
	}
	if slices.ContainsFunc(c.VAT, func(v VATRate) bool { return !slices.Contains([]int{0, 5, StandardVAT}, v.Rate) }) {
		return errVATRate
	}
	if slices.ContainsFunc(c.Duties, func(r Rate) bool { return r.Duty.String() == "" }) {
		return errDuty
	}
	return nil
}

// on is the line of a day. There is none where no duty is in force.
func (c *Commodity) on(day string) (Line, bool) {
	l := Line{Code: c.Code, Description: c.Description, Unit: c.Unit}
	duty, found := c.dutyOn(day, &l)
	if !found {
		return Line{}, false
	}
	l.Duty, l.AsOf = duty.Duty, duty.AsOf
	if vat, ok := c.vatOn(day); ok {
		l.VATRate, l.VATAsOf, l.VATBasis = vat.Rate, vat.AsOf, vat.Basis
	} else if l.lacks == "" {
		l.lacks = NoVAT
	}
	return l, true
}

// dutyOn is the latest duty without an additional code. Where every duty has one they
// must agree, for nothing tells which of them the goods have.
func (c *Commodity) dutyOn(day string, l *Line) (best Rate, found bool) {
	agreed := true
	for _, r := range c.Duties {
		if !r.On(day) {
			continue
		}
		plain, bestPlain := r.Additional == "", found && best.Additional == ""
		if !plain && found && !bestPlain && r.Duty.String() != best.Duty.String() {
			agreed = false
		}
		if !found || plain && (!bestPlain || r.From >= best.From) {
			best, found = r, true
		}
	}
	if found && best.Additional != "" && !agreed {
		l.lacks = additionalCode
	}
	return best, found
}

// vatOn is the latest rate without an additional code, or else the highest: the lower
// ones are for goods or importers that must prove it.
func (c *Commodity) vatOn(day string) (best VATRate, found bool) {
	for _, v := range c.VAT {
		if !v.On(day) {
			continue
		}
		plain, bestPlain := v.Additional == "", best.Additional == ""
		if !found || plain && (!bestPlain || v.From >= best.From) || !plain && !bestPlain && v.Rate > best.Rate {
			best, found = v, true
		}
	}
	return best, found
}

// agrees tells whether the others would be charged alike on every day.
func (c *Commodity) agrees(others []*Commodity) bool {
	return !slices.ContainsFunc(others, func(o *Commodity) bool {
		return o.Unit != c.Unit || !slices.EqualFunc(o.Duties, c.Duties, sameDuty) || !slices.Equal(o.VAT, c.VAT)
	})
}

func sameDuty(a, b Rate) bool {
	return a.Duty.String() == b.Duty.String() && a.Span == b.Span && a.AsOf == b.AsOf
}
