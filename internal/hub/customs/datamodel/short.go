package datamodel

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

const (
	nomenclatureDigits = 8 // of a commodity code in DE 6/14; the rest is DE 6/15
	maxCodeDigits      = 10
)

// Expand returns an item in full form. Its short forms are empty, and the encoding of both is the same. Members that no element
// holds stay.
func (i Item) Expand() Item {
	i.Classifications = i.classifications()
	i.CommodityCode, i.TARICAdditionalCodes, i.NationalAdditionalCodes, i.CUSCode = "", nil, nil, ""
	i.Procedures = i.procedures()
	i.ProcedureCode, i.AdditionalProcedureCodes = "", nil
	i.Origins = i.origins()
	i.CountryOfOrigin, i.PreferentialOrigin = "", ""
	i.TaxLines = i.taxLines()
	i.PreferenceCode, i.QuotaOrderNumber = "", ""
	i.SupplementaryUnits, i.Quantity = i.Units(), nil
	i.Packages = i.AllPackages()
	i.PackageCount, i.PackageType = nil, ""
	return i
}

func (i *Item) classifications() []Classification {
	if i.Classifications != nil || i.CommodityCode == "" && i.TARICAdditionalCodes == nil && i.NationalAdditionalCodes == nil && i.CUSCode == "" {
		return i.Classifications
	}
	var all []Classification
	switch code := i.CommodityCode; len(code) {
	case 0:
	case maxCodeDigits:
		all = append(all, Classification{ID: code[:nomenclatureDigits], Type: wco.CombinedNomenclature}, Classification{ID: code[nomenclatureDigits:], Type: wco.TARIC})
	default:
		all = append(all, Classification{ID: code, Type: wco.CombinedNomenclature})
	}
	for _, code := range i.TARICAdditionalCodes {
		all = append(all, Classification{ID: code, Type: wco.TARICAdditional})
	}
	for _, code := range i.NationalAdditionalCodes {
		all = append(all, Classification{ID: code, Type: wco.NationalAdditional})
	}
	if i.CUSCode != "" {
		all = append(all, Classification{ID: i.CUSCode, Type: wco.CUSNumber})
	}
	return all
}

func (i *Item) procedures() []Procedure {
	if i.Procedures != nil || i.ProcedureCode == "" && i.AdditionalProcedureCodes == nil {
		return i.Procedures
	}
	all := make([]Procedure, 0, 1+len(i.AdditionalProcedureCodes))
	if p, ok := wco.SplitProcedure(i.ProcedureCode); ok {
		all = append(all, Procedure{Current: p.CurrentCode, Previous: p.PreviousCode})
	}
	for _, code := range i.AdditionalProcedureCodes {
		all = append(all, Procedure{Current: code})
	}
	return all
}

func (i *Item) origins() []Origin {
	all := i.Origins
	if i.CountryOfOrigin != "" {
		all = append(all, Origin{Country: i.CountryOfOrigin, Type: wco.OriginNonPreferential})
	}
	if i.PreferentialOrigin != "" {
		all = append(all, Origin{Country: i.PreferentialOrigin, Type: wco.OriginPreferential})
	}
	return all
}

// taxLines returns the tax lines with preference and quota on the first one.
func (i *Item) taxLines() []TaxLine {
	if i.PreferenceCode == "" && i.QuotaOrderNumber == "" {
		return i.TaxLines
	}
	all := append(make([]TaxLine, 0, len(i.TaxLines)+1), i.TaxLines...)
	if len(all) == 0 {
		all = append(all, TaxLine{})
	}
	if i.PreferenceCode != "" {
		all[0].PreferenceCode = i.PreferenceCode
	}
	if i.QuotaOrderNumber != "" {
		all[0].QuotaOrderNumber = i.QuotaOrderNumber
	}
	return all
}

// AllPackages returns the packages, also those of the short form.
func (i *Item) AllPackages() []Package {
	if i.Packages != nil || i.PackageCount == nil && i.PackageType == "" {
		return i.Packages
	}
	return []Package{{Count: i.PackageCount, Type: i.PackageType}}
}

// Short returns an item in short forms where they express the same.
func (i Item) Short() Item {
	full := i
	i.TaxLines = slices.Clone(i.TaxLines)
	i.shorten()
	if full.Classifications == nil {
		i.CommodityCode, i.TARICAdditionalCodes, i.NationalAdditionalCodes, i.CUSCode = full.CommodityCode, full.TARICAdditionalCodes, full.NationalAdditionalCodes, full.CUSCode
	}
	if full.Procedures == nil {
		i.ProcedureCode, i.AdditionalProcedureCodes = full.ProcedureCode, full.AdditionalProcedureCodes
	}
	if full.Origins == nil {
		i.CountryOfOrigin, i.PreferentialOrigin = full.CountryOfOrigin, full.PreferentialOrigin
	}
	if full.PreferenceCode != "" || full.QuotaOrderNumber != "" {
		i.PreferenceCode, i.QuotaOrderNumber, i.TaxLines = full.PreferenceCode, full.QuotaOrderNumber, full.TaxLines
	}
	return i
}

// shorten replaces full forms by short forms where they express the same.
func (i *Item) shorten() {
	i.shortenClassifications()
	i.shortenProcedures()
	i.shortenOrigins()
	i.shortenTaxLines()
	if len(i.Packages) == 1 {
		if p := i.Packages[0]; p.Count != nil && packageKind.MatchString(p.Type) && p == (Package{Count: p.Count, Type: p.Type}) {
			i.PackageCount, i.PackageType, i.Packages = p.Count, p.Type, nil
		}
	}
}

// Patterns of the short forms.
var (
	packageKind         = lazyregexp.New(`^[A-Z0-9]{2}$`)
	commodityDigits     = lazyregexp.New(`^[0-9]{6,8}$`)
	restDigits          = lazyregexp.New(`^[0-9]{2}$`)
	additionalCode      = lazyregexp.New(`^.{1,4}$`)
	cusNumber           = lazyregexp.New(`^.{1,9}$`)
	procedurePart       = lazyregexp.New(`^[A-Z0-9]{2}$`)
	additionalProcedure = lazyregexp.New(`^[A-Z0-9]{3}$`)
	preference          = lazyregexp.New(`^[0-9]{3}$`)
	quota               = lazyregexp.New(`^[0-9]{6}$`)
)

func (i *Item) shortenClassifications() {
	var short Item
	for _, c := range i.Classifications {
		switch {
		case c.Type == wco.CombinedNomenclature && short.CommodityCode == "" && commodityDigits.MatchString(c.ID):
			short.CommodityCode = c.ID
		case c.Type == wco.TARIC && len(short.CommodityCode) == nomenclatureDigits && restDigits.MatchString(c.ID):
			short.CommodityCode += c.ID
		case c.Type == wco.TARICAdditional && additionalCode.MatchString(c.ID):
			short.TARICAdditionalCodes = append(short.TARICAdditionalCodes, c.ID)
		case c.Type == wco.NationalAdditional && additionalCode.MatchString(c.ID):
			short.NationalAdditionalCodes = append(short.NationalAdditionalCodes, c.ID)
		case c.Type == wco.CUSNumber && short.CUSCode == "" && cusNumber.MatchString(c.ID):
			short.CUSCode = c.ID
		default:
			return
		}
	}
	i.CommodityCode, i.TARICAdditionalCodes, i.NationalAdditionalCodes, i.CUSCode = short.CommodityCode, short.TARICAdditionalCodes, short.NationalAdditionalCodes, short.CUSCode
	i.Classifications = nil
}

func (i *Item) shortenProcedures() {
	if len(i.Procedures) == 0 || !procedurePart.MatchString(i.Procedures[0].Current) || !procedurePart.MatchString(i.Procedures[0].Previous) {
		return
	}
	var more []string
	for _, p := range i.Procedures[1:] {
		if p.Previous != "" || !additionalProcedure.MatchString(p.Current) {
			return
		}
		more = append(more, p.Current)
	}
	i.ProcedureCode = i.Procedures[0].Current + i.Procedures[0].Previous
	i.AdditionalProcedureCodes, i.Procedures = more, nil
}

func (i *Item) shortenOrigins() {
	var usual, preferential string
	for _, o := range i.Origins {
		_, err := ident.ParseCountry(o.Country)
		switch {
		case o.Region != "" || o.Country == "":
			return
		case o.Type == wco.OriginNonPreferential && usual == "" && err == nil:
			usual = o.Country
		case o.Type == wco.OriginPreferential && preferential == "":
			preferential = o.Country
		default:
			return
		}
	}
	i.CountryOfOrigin, i.PreferentialOrigin, i.Origins = usual, preferential, nil
}

// shortenTaxLines moves preference and quota off the first line, unless that would leave an empty line before others.
func (i *Item) shortenTaxLines() {
	if len(i.TaxLines) == 0 {
		return
	}
	first := i.TaxLines[0]
	var code, number string
	if preference.MatchString(first.PreferenceCode) {
		code, first.PreferenceCode = first.PreferenceCode, ""
	}
	if quota.MatchString(first.QuotaOrderNumber) {
		number, first.QuotaOrderNumber = first.QuotaOrderNumber, ""
	}
	empty := first == TaxLine{}
	if code == "" && number == "" || empty && len(i.TaxLines) > 1 {
		return
	}
	i.PreferenceCode, i.QuotaOrderNumber = code, number
	if i.TaxLines[0] = first; empty {
		i.TaxLines = nil
	}
}
