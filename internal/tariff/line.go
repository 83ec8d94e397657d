package tariff

import (
	"errors"
	"slices"
	"strings"
)

// Line is the measure of one commodity code on one day.
type Line struct {
	Code        string
	Description string // in the service's own words, not the legal text
	Duty        Expression
	VATRate     int    // percent: 20, 5 or 0; without any relief of the importer
	Unit        string // code of the supplementary unit (DE 6/2), such as NAR; empty for none
	AsOf        string // date (YYYY-MM-DD) on which the duty was in force; it may have changed later
	VATAsOf     string // the same for the VAT rate
	VATBasis    Basis

	missing string // what decides between several measures; empty if there is one
}

// Basis is the source of a VAT rate.
type Basis string

// Sources of a VAT rate.
const (
	Curated   Basis = "own"      // from the embedded table
	Published Basis = "measure"  // from an imported measure
	Assumed   Basis = "standard" // no measure: the standard rate
)

// StandardVAT is the rate without any measure, in percent.
const StandardVAT = 20

var (
	errCode    = errors.New("must be ten digits")
	errVATRate = errors.New("VAT rate must be 20, 5 or 0")
	errDuty    = errors.New("must have a duty expression")
	errTwice   = errors.New("occurs twice in the table")
)

// DutyWithDay returns the duty with its day, such as "12.00% (as of 2021-01-01)".
func (l Line) DutyWithDay() string {
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

// Commodity is a code of ten digits with its measures on all days.
type Commodity struct {
	Code, Description, Unit string
	Duties                  []Rate
	VAT                     []VATRate
}

// Rate is a duty and the days on which it is in force.
type Rate struct {
	Duty Expression
	Span
	AsOf string // as in Line
}

// VATRate is a rate of VAT in percent and the days on which it is in force.
type VATRate struct {
	Rate int
	Span
	AsOf  string
	Basis Basis
}

// Span is the first and last day (YYYY-MM-DD) of a measure, and its additional code. To is
// empty without an end, Additional without a code.
type Span struct{ From, To, Additional string }

// On reports whether the measure is in force on a day; without a day it is true.
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

// on returns the line of a day; ok is false if no duty is in force.
func (c *Commodity) on(day string) (Line, bool) {
	l := Line{Code: c.Code, Description: c.Description, Unit: c.Unit}
	duty, found := c.dutyOn(day, &l)
	if !found {
		return Line{}, false
	}
	l.Duty, l.AsOf = duty.Duty, duty.AsOf
	if vat, ok := c.vatOn(day); ok {
		l.VATRate, l.VATAsOf, l.VATBasis = vat.Rate, vat.AsOf, vat.Basis
	} else if l.missing == "" {
		l.missing = NoVAT
	}
	return l, true
}

// dutyOn returns the latest duty without an additional code. If every duty has a code they
// must agree, because the goods have none.
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
		l.missing = additionalCode
	}
	return best, found
}

// vatOn returns the latest rate without an additional code, or otherwise the highest: lower
// ones need evidence.
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

// agrees reports whether the others have the same measures on every day.
func (c *Commodity) agrees(others []*Commodity) bool {
	return !slices.ContainsFunc(others, func(o *Commodity) bool {
		return o.Unit != c.Unit || !slices.EqualFunc(o.Duties, c.Duties, sameDuty) || !slices.Equal(o.VAT, c.VAT)
	})
}

func sameDuty(a, b Rate) bool {
	return a.Duty.String() == b.Duty.String() && a.Span == b.Span && a.AsOf == b.AsOf
}
