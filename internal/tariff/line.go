package tariff

import (
	"errors"
	"slices"
	"strings"
)

// Line is what the tariff says of one commodity code.
type Line struct {
	Code        string
	Description string // in our own words; the legal text is the tariff's
	Duty        Expression
	VATRate     int    // percent: 20, 5 or 0; the rate of the goods without any relief of the importer
	Unit        string // code of the supplementary unit (DE 6/2), such as NAR; empty for none
	AsOf        string // date (YYYY-MM-DD) on which the duty was in force; it may have changed since
	VATAsOf     string // the same of the VAT rate
}

var (
	errCode    = errors.New("must be ten digits")
	errVATRate = errors.New("VAT rate must be 20, 5 or 0")
	errDuty    = errors.New("must have a duty expression")
)

func (l Line) check() error {
	switch {
	case len(l.Code) != commodityDigits || strings.Trim(l.Code, "0123456789") != "":
		return errCode
	case !slices.Contains([]int{0, 5, 20}, l.VATRate):
		return errVATRate
	case l.Duty.String() == "":
		return errDuty
	}
	return nil
}

// agrees tells whether the others would be charged alike.
func (l Line) agrees(others []Line) bool {
	return !slices.ContainsFunc(others, func(o Line) bool {
		return o.Duty.String() != l.Duty.String() || o.VATRate != l.VATRate || o.Unit != l.Unit || o.AsOf != l.AsOf
	})
}
