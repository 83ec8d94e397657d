package analysis

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var dutyRules = ruleSet{
	{Code: "DEC-099", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", remedied), Source: "Trade Remedies Authority: public file of measures; GOV.UK: Trade remedies notices",
		Title: "Anti-dumping or countervailing duty may be due in addition"},
	{Code: "DEC-100", Severity: rules.Info, Field: "items[].commodityCode", Check: each("commodityCode", steelQuota), Source: "GOV.UK: Trade remedies notices; GOV.UK: Trade Tariff: quotas",
		Title: "Steel may be subject to quotas, with an additional duty above them"},
	{Code: "DEC-101", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", excise), Source: "Excise Goods (Holding, Movement and Duty Point) Regulations 2010; " + completion + ": DE 6/17 (national additional codes)",
		Title: "Excise goods are released without their excise type"},
	{Code: "DEC-102", Severity: rules.Info, Field: "items[].procedureCode", Check: each("procedureCode", exciseExport), Source: "Excise Goods (Holding, Movement and Duty Point) Regulations 2010",
		Title: "Excise goods are exported as if their duty were paid"},
	{Code: "DEC-103", Severity: rules.Info, Field: "items[].commodityCode", Check: each("commodityCode", zeroRated), Source: "Value Added Tax Act 1994, Schedules 7A and 8; GOV.UK: VAT rates on different goods and services",
		Title: "The goods may have a zero or reduced VAT rate"},
	{Code: "DEC-104", Severity: rules.Info, Field: "items[].commodityCode", Check: each("commodityCode", carbonBorder), Source: "Finance Act 2026, Part 5 and Schedule 17 (carbon border adjustment mechanism)",
		Title: "Goods are subject to the carbon border adjustment from 1 January 2027"},
	{Code: "DEC-105", Severity: rules.Info, Field: "items", Check: smallConsignment, Source: "GOV.UK: VAT and overseas goods sold directly to customers in the UK",
		Title: "The consignment is worth £135 or less"},
	{Code: "DEC-106", Severity: rules.Warning, Field: "items", Check: manyItems, Source: bothGuides + ": DE 1/9",
		Title: "There are more items than CDS accepts in one declaration"},
}

// remedy is a trade remedy of the United Kingdom, reduced to codes and origins. It finds goods that may be affected;
// the current tariff decides.
type remedy struct{ goods, codes, origins string }

var remedies = []remedy{
	{"aluminium extrusions", "760410 760421 760429 760810 760820 761090", "CN"},
	{"bicycles", "871200", "CN"},
	{"electric bicycles", "87116010", "CN"},
	{"biodiesel", "271020 382600", "US CA CN"},
	{"ceramic tableware and kitchenware", "691110 691200", "CN"},
	{"ceramic tiles", "6907", "CN"},
	{"chamois leather", "411410", "CN"},
	{"citric acid", "291814", "CN"},
	{"cold rolled flat steel", "720915 720916 720917 720918 720925 720926 720927 720928 721190", "CN RU"},
	{"continuous filament glass fibre", "701911 701912 701913 701914 701915", "CN EG"},
	{"bus and lorry tyres", "401120", "CN"},
	{"excavators", "842952", "CN"},
	{"heavy steel plate", "720851 720852 720890 722540", "CN"},
	{"high fatigue performance reinforcing bars", "721420 721310", "CN"},
	{"ironing boards", "73239300 73239900 442199 94031098", "CN"},
	{"engine oils and hydraulic fluids", "27101981 27101983 27101987 27101999 340319 340399", "LT AE"},
	{"optical fibre cables", "854470", "CN"},
	{"organic coated steel", "721070 721240", "CN"},
	{"peroxosulphates", "283340", "CN"},
	{"prestressing wire and strand", "731210 721720", "CN"},
	{"rainbow trout", "030191 030211 030314 030442 030482 030541", "TR"},
	{"seamless pipes and tubes", "730411 730419 730422 730424 730429 730431 730439 730441 730449 730451 730459", "CN"},
	{"tin mill products", "721011 721012", "CN"},
	{"urea and ammonium nitrate in solution", "310280", "RU TT US"},
	{"ammonium nitrate", "310230", "RU"},
	{"welded tubes and pipes", "730630", "BY CN RU"},
	{"wire rod", "721310 721391 721399 722710 722720 722790", "CN"},
}

func remedied(c *Case, i *item) remarks {
	if !c.imports() || i.charged != nil || hasPrefixOf(i.procedure(c), "51 53 71") { // else the estimate has it
		return nil
	}
	for _, r := range remedies {
		if isOneOf(i.CountryOfOrigin, r.origins) && hasPrefixOf(i.CommodityCode, r.codes) {
			return remarkOf(fmt.Sprintf("%s from %s may be under the trade remedy on %s, which the estimate leaves out.", i.CommodityCode, i.CountryOfOrigin, r.goods),
				"Look the code up in the Trade Tariff: the producer's additional code decides the duty, and the declaration needs it.")
		}
	}
	return nil
}

const steel = "7208 7209 7210 7211 7212 7213 7214 7215 7216 7217 7219 7220 7221 7222 7225 7226 7228 7302 7304 7305 7306"

func steelQuota(c *Case, i *item) remarks {
	if !c.imports() || !hasPrefixOf(i.CommodityCode, steel) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is steel of a kind that has had tariff quotas.", i.CommodityCode), "Look the quota's balance up before the goods are released.")
}

// excisable are goods with excise duty in the United Kingdom.
var excisable = []struct{ codes, but, what string }{
	{"2203 2204 2205 2206 2208", "", "alcohol"},
	{"220710 220720", "", "spirits"},
	{"2402 2403", "", "tobacco"},
	{"240412", "", "vaping liquid"},
	{"271012 271019 271020 382600", "27101971 27101975 27101985 27101991 27101993 27101999", "hydrocarbon oil"},
}

func excisableGoods(code string) string {
	for _, e := range excisable {
		if hasPrefixOf(code, e.codes) && !hasPrefixOf(code, e.but) {
			return e.what
		}
	}
	return ""
}

func excise(c *Case, i *item) remarks {
	what := excisableGoods(i.CommodityCode)
	if !c.imports() || what == "" || i.charged != nil { // else the estimate has it
		return nil
	}
	severity, advice := rules.Warning, "Excise duty falls due on release: reckon with it, and lodge the excise type (DE 6/17) with customs, since the declaration has no place for it here; or move the goods to a warehouse in duty suspension."
	if strings.HasPrefix(i.procedure(c), "07") || c.has("C651 C658") {
		severity, advice = rules.Info, "The goods move in duty suspension: see that the warehouse and the e-AD fit."
	}
	return note(severity, fmt.Sprintf("%s is %s, which bears excise duty.", i.CommodityCode, what), advice)
}

func exciseExport(c *Case, i *item) remarks {
	what := excisableGoods(i.CommodityCode)
	if c.imports() || what == "" || i.procedure(c) != exportUsual || c.has("C651 C658") {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is %s, under %s: exported with its excise duty paid.", i.CommodityCode, what, exportUsual), "Use 1007 and name the e-AD (C651) for goods from an excise warehouse; else look at drawback.")
}

const exportUsual = "1040"

// relieved are goods with a zero or reduced VAT rate, by codes and words.
var relieved = []struct{ codes, words, what string }{
	{"61 62 64 65", "children children's childrens child baby babies infant toddler kids", "children's clothing and footwear are zero-rated up to their sizes"},
	{"6506", "motorcycle motorbike cycle", "protective helmets are zero-rated"},
	{"4901 4902 4903 4904 4905 4911", "book books magazine newspaper leaflet map music", "books, newspapers, maps and leaflets are zero-rated"},
	{"8713 9021 3004", "disabled wheelchair prescription", "aids for disabled people and prescribed medicines are relieved"},
	{"9619", "sanitary tampons", "women's sanitary products are zero-rated"},
	{"940161 8713 8714", "child car seat seats", "children's car seats bear the reduced rate"},
}

func zeroRated(c *Case, i *item) remarks {
	if !c.imports() || i.charged != nil || i.known && i.line.VATRate == 0 { // else DEC-135
		return nil
	}
	for _, r := range relieved {
		if word := anyOf(i.words, r.words); word != "" && hasPrefixOf(i.CommodityCode, r.codes) {
			return remarkOf(fmt.Sprintf("The description says “%s”: %s, and the estimate is at the standard rate.", word, r.what), "If they qualify, claim the rate with the national additional code VATZ or VATR.")
		}
	}
	return nil
}

// carbon are the goods of the United Kingdom's carbon border adjustment: aluminium, cement, fertilisers, hydrogen, iron
// and steel.
const (
	carbon    = "25070080 2523 280410 2808 2814 283421 3102 3105 7201 7202 7203 7205 7206 7207 7208 7209 721 722 7301 7302 7303 7304 7305 7306 7307 7308 7309 7310 7311 7318 7326 7601 7603 7604 7605 7606 7607 7608 7609 7610 7611 7612 7613 7614 7616"
	carbonBut = "72022 72023 72025 72027 72028 72029 310560"
)

func carbonBorder(c *Case, i *item) remarks {
	if !c.imports() || !hasPrefixOf(i.CommodityCode, carbon) || hasPrefixOf(i.CommodityCode, carbonBut) || i.CountryOfOrigin == "GB" {
		return nil
	}
	return remarkOf(fmt.Sprintf("Goods of %s released from 1 January 2027 count towards the £50,000 from which the adjustment is due.", i.CommodityCode), "Ask the supplier for the embedded emissions, and record the import in the CBAM Hub.")
}

// small is the value up to which the seller, and not customs, charges VAT on sales to consumers.
var small = quantity.MustMoney("135")

func smallConsignment(c *Case, _ rules.Facts) remarks {
	total := c.value()
	if !c.imports() || total.Sign() <= 0 || total.Cmp(small) > 0 {
		return nil
	}
	for n := range c.items {
		for _, code := range c.items[n].AdditionalProcedureCodes {
			if isOneOf(code, "C07 C08") {
				return nil
			}
		}
	}
	return remarkOf(fmt.Sprintf("The items are worth %s together.", pounds(total)), "No duty is due on up to £135, alcohol, tobacco and perfume apart: look at C07; VAT may have been charged at the sale.")
}

// fullItems is the number of items that CDS accepts in a full declaration.
const fullItems = 99

func manyItems(c *Case, _ rules.Facts) remarks {
	if n := len(c.items); n > fullItems {
		return remarkOf(fmt.Sprintf("There are %d items; most data sets of CDS take %d.", n, fullItems), "Put items of one code, origin and procedure together, or declare the consignment in parts.")
	}
	return nil
}
