package check

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Lists that are complete by nature.
const (
	incoterms    = "EXW FCA FAS FOB CFR CIF CPT CIP DAP DPU DDP DAT XXX"
	representing = "2 3"
	charges      = "A B C D H Y Z"
	modes        = "1 2 3 4 5 6 7 8 9"
)

var (
	office     = lazyregexp.New(`^[A-Z]{2}[A-Z0-9]{3,6}$`)
	indicators = lazyregexp.New(`^[01]{4}$`)
	preference = lazyregexp.New(`^[1-4][0-9]{2}$`)
)

func (i *inspector) inspectValues() {
	i.inspectParties()
	i.inspectReferences()
	i.inspectLocation()
	i.inspectOffices()
	i.oneOf(i.BorderTransportMeans.ModeCode, modes, "42A.15A.T022", "mode of transport")
	i.oneOf(i.Agent.FunctionCode, representing, "42A.05A.102", "kind of representation")
	i.oneOf(i.GoodsShipment.TradeTerms.ConditionCode, incoterms, "42A.67A.22B.090", "Incoterm")
	i.oneOf(i.Consignment.Freight.PaymentMethodCode, charges, "42A.28A.62A.098", "payment of the transport")
	i.inspectCountries()
	for n := range i.items() {
		i.inspectItemValues(n, &i.items()[n])
	}
}

func (i *inspector) oneOf(value, list, at, name string) {
	if value != "" && !isOneOf(value, list) {
		i.refuse(badValue, at, "%q is no %s; possible are %s.", value, name, list)
	}
}

func (i *inspector) inspectReferences() {
	for n, p := range i.GoodsShipment.PreviousDocument {
		i.inspectReference(&p, place("42A.67A.99A[%d].D018", n))
	}
	for n := range i.items() {
		for k, p := range i.items()[n].PreviousDocument {
			i.inspectReference(&p, at(n, place("99A[%d].D018", k)))
		}
	}
}

// mucr is the form of a master reference: A: and a port and shed, C: and a carrier, GB/ and an EORI or badge.
var mucr = lazyregexp.New(`^(A:|C:|G[BH]/|XI/|[A-Z])[A-Z0-9()/:-]{1,33}$`)

func (i *inspector) inspectReference(p *wco.PreviousDocument, at string) {
	if p.CategoryCode != "Z" || p.ID == "" {
		return
	}
	switch p.TypeCode {
	case "DCR":
		if _, err := ident.ParseDUCR(p.ID); err != nil && i.export {
			i.refuse("CDS12132", at, "The DUCR %q %v.", p.ID, err)
		}
	case "MCR":
		if !mucr.MatchString(p.ID) && i.export {
			i.refuse("CDS12133", at, "%q is not in the form of a master reference.", p.ID)
		}
	}
}

// inspectLocation checks the form of the location of the goods (DE 5/23) and looks its code up. The lists are dated, so a code
// that is in none of them is unknown, not wrong.
func (i *inspector) inspectLocation() {
	l := &i.GoodsShipment.Consignment.GoodsLocation
	if *l == (wco.GoodsLocation{}) {
		return
	}
	const name = "42A.67A.28A.64A.L016"
	switch {
	case !codelist.Country(l.Address.CountryCode):
		i.refuse("CDS12099", "42A.67A.28A.64A.04A.242", "The location of the goods has no country.")
	case !isOneOf(l.TypeCode, "A B C D"):
		i.refuse("CDS12099", "42A.67A.28A.64A.L110", "%q is no type of location; possible are A, B, C and D.", l.TypeCode)
	case !isOneOf(l.Address.TypeCode, "U Y Z T V W X"):
		i.refuse("CDS12099", "42A.67A.28A.64A.04A.410", "%q does not say what identifies the location; U is a UN/LOCODE, Y an authorisation.", l.Address.TypeCode)
	case l.Name == "" && isOneOf(l.Address.TypeCode, "U Y") && l.ID == "":
		i.refuse("CDS12099", name, "The location of the goods has no code.")
	case l.Address.TypeCode == "U":
		i.lookUpLocation(l, name)
	}
}

func (i *inspector) lookUpLocation(l *wco.GoodsLocation, place string) {
	code, list := l.Address.CountryCode+l.TypeCode+l.Address.TypeCode+l.Name, codelist.Locations()
	if !list.Has(code) && !list.Has(code+l.ID) {
		i.unknown(place, "The goods location %s is not in %s as at %s.", code, list.Name, list.AsOf)
	}
}

func (i *inspector) inspectOffices() {
	for _, o := range []struct{ id, at, name string }{
		{i.ExitOffice.ID, "42A.56A.G005", "office of exit"}, {i.PresentationOffice.ID, "42A.15C.G015", "office of presentation"},
		{i.SupervisingOffice.ID, "42A.97B.G012", "supervising office"},
	} {
		list := codelist.Offices()
		switch {
		case o.id == "" || list.Has(o.id):
		case !office.MatchString(o.id):
			i.refuse(badValue, o.at, "%q is no code of a customs office (%s).", o.id, o.name)
		default:
			i.unknown(o.at, "The %s %s is not in %s as at %s.", o.name, o.id, list.Name, list.AsOf)
		}
	}
}

func (i *inspector) inspectCountries() {
	s := &i.GoodsShipment
	i.country(s.Destination.CountryCode, "42A.67A.99B.465", "country of destination")
	i.country(s.ExportCountry.ID, "42A.67A.95B.062", "country of dispatch")
	i.country(i.BorderTransportMeans.RegistrationNationalityCode, "42A.15A.T014", "nationality of the means of transport")
	i.currency(i.InvoiceAmount, "42A.109", "total of the invoice")
	for n, leg := range i.Consignment.Itinerary {
		i.country(leg.RoutingCountryCode, place("42A.28A.81A[%d].064", n), "country of the route")
	}
	for n, rate := range i.CurrencyExchange {
		i.currency(wco.Amount{Value: "1", Currency: rate.CurrencyTypeCode}, place("42A.40A[%d].135", n), "exchange rate")
	}
	for n, c := range s.CustomsValuation.ChargeDeduction {
		i.currency(c.OtherChargeDeductionAmount, place("42A.67A.41A.58B[%d].181", n), "addition or deduction")
	}
}

func (i *inspector) country(code, at, name string) {
	switch {
	case code == "" || codelist.Country(code):
	case codelist.FormerCountry(code):
		i.unknown(at, "%q (%s) is in HMRC's lists, but not in ISO 3166.", code, name)
	default:
		i.refuse(badValue, at, "%q is no country (%s).", code, name)
	}
}

func (i *inspector) currency(a wco.Amount, at, name string) {
	switch {
	case a.Value == "":
	case a.Currency != "" && !codelist.Currencies().Has(a.Currency):
		i.refuse(badValue, at, "%q is no currency (%s).", a.Currency, name)
	case strings.HasPrefix(string(a.Value), "-"):
		i.refuse(notPositive, at, "The %s is negative.", name)
	}
}

// itemCountry, itemCurrency and itemOneOf check a value of an item. Most values are right, so they make the pointer for a fault only.
func (i *inspector) itemCountry(code string, n int, place, name string) {
	if code != "" && !codelist.Country(code) {
		i.country(code, at(n, place), name)
	}
}

func (i *inspector) itemCurrency(a wco.Amount, n int, place, name string) {
	if a.Value != "" && (a.Currency != sterling || a.Value[0] == '-') {
		i.currency(a, at(n, place), name)
	}
}

func (i *inspector) itemOneOf(value, list string, n int, place, name string) {
	if value != "" && !isOneOf(value, list) {
		i.oneOf(value, list, at(n, place), name)
	}
}

func (i *inspector) inspectItemValues(n int, g *wco.GovernmentAgencyGoodsItem) {
	i.inspectCommodity(n, g)
	i.inspectMass(n, &g.Commodity.GoodsMeasure)
	i.itemCountry(g.Destination.CountryCode, n, "99B.465", "country of destination")
	i.itemCountry(g.ExportCountry.ID, n, "95B.062", "country of dispatch")
	for k, o := range g.Origin {
		if len(o.CountryCode) <= 2 && !codelist.Country(o.CountryCode) {
			i.country(o.CountryCode, at(n, place("92A[%d].063", k)), "country of origin")
		}
	}
	i.itemCurrency(g.Commodity.InvoiceLine.ItemChargeAmount, n, "23A.79A.112", "item price")
	i.itemCurrency(g.StatisticalValueAmount, n, "114", "statistical value")
	for k, u := range g.Commodity.DangerousGoods {
		i.inspectDangerous(u.UNDGID, at(n, place("23A.12C[%d].506", k)))
	}
	for k := range g.Packaging {
		if kind := g.Packaging[k].TypeCode; kind != "" && !codelist.Packages().Has(kind) {
			i.unknown(at(n, place("93A[%d].141", k)), "%q is not in %s as at %s.", kind, codelist.Packages().Name, codelist.Packages().AsOf)
		}
	}
	i.inspectValuation(n, g)
}

func (i *inspector) inspectDangerous(number, at string) {
	list := codelist.Dangerous()
	if _, err := strconv.Atoi(number); err != nil || len(number) != 4 {
		i.refuse(badValue, at, "%q is no UN number, which has four digits.", number)
	} else if !list.Has(number) {
		i.unknown(at, "The UN number %s is not in %s as at %s.", number, list.Name, list.AsOf)
	}
}

func (i *inspector) inspectValuation(n int, g *wco.GovernmentAgencyGoodsItem) {
	i.itemOneOf(g.CustomsValuation.MethodCode, "1 2 3 4 5 6 7 8", n, "41A.122", "valuation method")
	if code := g.ValuationAdjustment.AdditionCode; code != "" && !indicators.MatchString(code) {
		i.refuse(badValue, at(n, "39B.188"), "%q is no valuation indicator, which has four digits 0 or 1.", code)
	}
	for k := range g.Commodity.DutyTaxFee {
		f := &g.Commodity.DutyTaxFee[k]
		if f.DutyRegimeCode != "" && !preference.MatchString(f.DutyRegimeCode) {
			i.refuse(badValue, at(n, place("23A.50A[%d].164", k)), "%q is no preference, which has three digits and begins with 1, 2, 3 or 4.", f.DutyRegimeCode)
		}
		if f.AdValoremTaxBaseAmount.Value != "" {
			i.currency(f.AdValoremTaxBaseAmount, at(n, place("23A.50A[%d].116", k)), "tax base")
		}
		for _, tax := range []wco.Amount{f.Payment.PaymentAmount, f.Payment.TaxAssessedAmount} {
			if tax.Value != "" && tax.Currency != "" && tax.Currency != sterling {
				i.refuse("CDS12111", at(n, place("23A.50A[%d].94A.378", k)), "A tax is declared in %s, and taxes are in GBP.", tax.Currency)
			}
		}
	}
	for k, c := range g.CustomsValuation.ChargeDeduction {
		i.currency(c.OtherChargeDeductionAmount, at(n, place("41A.58B[%d].181", k)), "addition or deduction")
	}
}

const sterling = "GBP"

// tenDigitSets are the data sets whose commodity codes have ten digits.
const tenDigitSets = "H1 H3 H4 H5"

// Lengths of commodity codes (DE 6/14 and 6/15).
const (
	importDigits  = 10
	exportDigits  = 8
	headingDigits = 6
)

// inspectCommodity checks the number of digits. A classification that the data set does not ask for may be missing.
func (i *inspector) inspectCommodity(n int, g *wco.GovernmentAgencyGoodsItem) {
	code := CommodityCode(&g.Commodity)
	if code == "" {
		return
	}
	_, err := strconv.ParseUint(code, 10, 64)
	f := Fault{Code: badCommodity, Pointer: at(n, "23A.21A[1].145"), Message: fmt.Sprintf("The commodity code %q has the wrong number of digits.", code)}
	if len(code) == exportDigits && isOneOf(string(i.set), tenDigitSets) {
		f.Element = "6/15" // the last two digits
	}
	if err != nil || !i.fits(len(code)) {
		i.add(f)
	}
}

// fits reports whether a commodity code can have a number of digits in the data set.
func (i *inspector) fits(digits int) bool {
	switch {
	case i.export:
		return digits == exportDigits || digits == headingDigits && i.set != "B1"
	case isOneOf(string(i.set), tenDigitSets):
		return digits == importDigits
	}
	return digits == headingDigits || digits == exportDigits || digits == importDigits
}

// CommodityCode joins the eight digits (DE 6/14) and, for imports, two more (DE 6/15).
func CommodityCode(c *wco.Commodity) string {
	var nomenclature, taric string
	for _, k := range c.Classification {
		switch k.IdentificationTypeCode {
		case wco.CombinedNomenclature:
			nomenclature = k.ID
		case wco.TARIC:
			taric = k.ID
		}
	}
	return nomenclature + taric
}

func (i *inspector) inspectMass(n int, m *wco.GoodsMeasure) {
	const netMass, grossMass = "23A.65A.128", "23A.65A.126"
	net, gross := m.NetNetWeightMeasure.Value, m.GrossMassMeasure.Value
	switch {
	case net != "" && sign(net) < 0:
		i.refuse(notPositive, at(n, netMass), "The net mass is negative.")
	case net != "" && sign(net) == 0:
		i.refuse("CDS12123", at(n, netMass), "The net mass is 0.")
	case gross != "" && sign(gross) < 0:
		i.refuse(notPositive, at(n, grossMass), "The gross mass is negative.")
	case net != "" && gross != "" && exceeds(net, gross):
		i.refuse("CDS11006", at(n, netMass), "The net mass %s kg is above the gross mass %s kg.", net, gross)
	}
}

// sign returns -1, 0 or 1 for a number of the schema, which is a plain decimal.
func sign(n wco.Number) int {
	switch {
	case strings.Trim(string(n), "-+0.") == "":
		return 0
	case n[0] == '-':
		return -1
	}
	return 1
}

// exceeds reports whether a positive number is above another one that is not negative. It compares the digits, because a
// declaration has up to 999 items.
func exceeds(a, b wco.Number) bool {
	wholeA, fractionA, _ := strings.Cut(strings.TrimLeft(string(a), "+0"), ".")
	wholeB, fractionB, _ := strings.Cut(strings.TrimLeft(string(b), "+0"), ".")
	if c := cmp.Or(cmp.Compare(len(wholeA), len(wholeB)), strings.Compare(wholeA, wholeB)); c != 0 {
		return c > 0
	}
	return strings.TrimRight(fractionA, "0") > strings.TrimRight(fractionB, "0")
}
