package customs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Forms of codes in lists, and of a procedure without a data set.
var (
	additionalProcedure = lazyregexp.New(`^[A-Z0-9]{3}$`)
	digitsOnly          = lazyregexp.New(`^[0-9]{4}$`)
	additionalCode      = lazyregexp.New(`^[A-Z0-9]{1,4}$`)
	unNumber            = lazyregexp.New(`^[0-9]{1,4}$`)
	path                = lazyregexp.New(`^[a-zA-Z]+(\[[0-9]*\])?(\.[a-zA-Z]+(\[[0-9]*\])?)*$`)
)

// maxReference is the longest document reference of a declaration without a data set.
const maxReference = 35

// maxTypeBesideCategory is the schema's limit of a document type whose category is given apart.
const maxTypeBesideCategory = 3

// checker collects what is wrong with a body.
type checker struct {
	*Declaration
	details []apierr.Detail
}

// checkDeclaration rejects what the declaration schema does not allow, and what a body without a data set must state.
func checkDeclaration(d *Declaration) []apierr.Detail {
	c := &checker{Declaration: d}
	for n := range d.Documents {
		c.checkDocument(n)
	}
	for n := range d.Items {
		c.checkItem(n)
	}
	for n, p := range d.Without {
		if !path.MatchString(p) {
			c.report(fmt.Sprintf("without[%d]", n), "must be the path of a member, such as seller or items[].taxLines")
		}
	}
	c.checkCurrencies()
	return c.details
}

func (c *checker) report(field, message string) {
	c.details = append(c.details, apierr.Detail{Field: field, Message: message})
}

const isRequired = "is required"

func (c *checker) checkDocument(n int) {
	d, at := &c.Documents[n], fmt.Sprintf("documents[%d].reference", n)
	switch {
	case c.LiftsRequired():
	case d.Reference == "":
		c.report(at, isRequired)
	case utf8.RuneCountInString(d.Reference) > maxReference:
		c.report(at, fmt.Sprintf("must have at most %d characters without dataSet", maxReference))
	}
}

func (c *checker) checkItem(n int) {
	i, at := &c.Items[n], fmt.Sprintf("items[%d].", n)
	if !c.LiftsRequired() {
		c.checkRequired(i, at)
		if i.ProcedureCode != "" && !digitsOnly.MatchString(i.ProcedureCode) {
			c.report(at+"procedureCode", "must be four digits without dataSet")
		}
	}
	c.checkCodes(at+"additionalProcedureCodes", i.AdditionalProcedureCodes, additionalProcedure, "must be three capitals or digits, such as 000")
	c.checkCodes(at+"taricAdditionalCodes", i.TARICAdditionalCodes, additionalCode, "must be at most four capitals or digits")
	c.checkCodes(at+"nationalAdditionalCodes", i.NationalAdditionalCodes, additionalCode, "must be at most four capitals or digits")
	c.checkCodes(at+"dangerousGoods", i.DangerousGoods, unNumber, "must be at most four digits")
	for k, d := range i.Documents {
		if d.Category != "" && utf8.RuneCountInString(d.Type) > maxTypeBesideCategory {
			c.report(fmt.Sprintf("%sdocuments[%d].type", at, k), "must have at most 3 characters beside category")
		}
	}
	c.checkForms(i, at)
}

func (c *checker) checkCodes(field string, codes []string, form *lazyregexp.Regexp, message string) {
	for k, code := range codes {
		if !form.MatchString(code) {
			c.report(fmt.Sprintf("%s[%d]", field, k), message)
		}
	}
}

// checkRequired names what an item without a data set must have.
func (c *checker) checkRequired(i *Item, at string) {
	if i.ProductCode == "" && i.Classifications == nil && i.CommodityCode == "" {
		c.report(at+"commodityCode", isRequired)
	}
	if i.ProductCode == "" && i.Description == "" {
		c.report(at+"description", isRequired)
	}
	if i.NetMassKg == nil {
		c.report(at+"netMassKg", isRequired)
	}
	if i.CustomsValueGBP == nil {
		c.report(at+"customsValueGbp", isRequired)
	}
}

// checkForms rejects an item that states something in short and in full form.
func (c *checker) checkForms(i *Item, at string) {
	if len(i.Classifications) > 0 {
		c.checkForm(at+"classifications", map[string]bool{
			at + "commodityCode": i.CommodityCode != "", at + "taricAdditionalCodes": len(i.TARICAdditionalCodes) > 0,
			at + "nationalAdditionalCodes": len(i.NationalAdditionalCodes) > 0, at + "cusCode": i.CUSCode != "",
		})
	}
	if len(i.Procedures) > 0 {
		c.checkForm(at+"procedures", map[string]bool{
			at + "procedureCode": i.ProcedureCode != "", at + "additionalProcedureCodes": len(i.AdditionalProcedureCodes) > 0,
		})
	}
	if len(i.Origins) > 0 {
		c.checkForm(at+"origins", map[string]bool{at + "countryOfOrigin": i.CountryOfOrigin != "", at + "preferentialOrigin": i.PreferentialOrigin != ""})
	}
	if len(i.Packages) > 0 {
		c.checkForm(at+"packages", map[string]bool{at + "packageCount": i.PackageCount != nil, at + "packageType": i.PackageType != ""})
	}
	if len(i.TaxLines) > 0 && i.TaxLines[0].PreferenceCode != "" {
		c.checkForm(at+"taxLines[0].preferenceCode", map[string]bool{at + "preferenceCode": i.PreferenceCode != ""})
	}
	if len(i.TaxLines) > 0 && i.TaxLines[0].QuotaOrderNumber != "" {
		c.checkForm(at+"taxLines[0].quotaOrderNumber", map[string]bool{at + "quotaOrderNumber": i.QuotaOrderNumber != ""})
	}
}

// checkForm reports the short forms beside a full form.
func (c *checker) checkForm(full string, short map[string]bool) {
	c.details = append(c.details, besides(full, short)...)
}

// besides names the short forms that stand beside a full form.
func besides(full string, short map[string]bool) (details []apierr.Detail) {
	for field, stated := range short {
		if stated {
			details = append(details, apierr.Detail{Field: field, Message: "must not be given beside " + full + ", which says the same in full"})
		}
	}
	sorting.Stable(details, func(a, b apierr.Detail) int { return strings.Compare(a.Field, b.Field) })
	return details
}

// checkCurrencies rejects amounts without a currency, unless the body declares exactly what it states.
func (c *checker) checkCurrencies() {
	if c.Filling() == datamodel.FillNone {
		return
	}
	for _, field := range datamodel.WithoutCurrency(&c.Header, c.Items) {
		c.report(field+".currency", isRequired)
	}
}

// checkShipment rejects a shipment that states something in short and in full form.
func checkShipment(s *Shipment) (details []apierr.Detail) {
	for _, f := range []struct {
		full   string
		stated bool
		short  map[string]bool
	}{
		{"transport", s.Transport != nil, map[string]bool{"transportId": s.TransportID != "", "vesselName": s.VesselName != "", "transportNationality": s.TransportNationality != ""}},
		{"location", s.Location != nil, map[string]bool{"goodsLocation": s.GoodsLocation != ""}},
		{"equipment", len(s.Equipment) > 0, map[string]bool{"containers": len(s.Containers) > 0}},
		{"deliveryTerms", s.DeliveryTerms != nil, map[string]bool{"incoterm": s.Incoterm != "", "incotermLocation": s.IncotermLocation != ""}},
		{"dispatchCountry", s.DispatchCountry != "", map[string]bool{"countryOfDispatch": s.CountryOfDispatch != ""}},
		{"destination", s.Destination != nil, map[string]bool{"countryOfDestination": s.CountryOfDestination != ""}},
		{"security.carrier", s.Security != nil && s.Security.Carrier != nil, map[string]bool{"carrierEori": s.CarrierEORI != ""}},
	} {
		if f.stated {
			details = append(details, besides(f.full, f.short)...)
		}
	}
	return details
}
