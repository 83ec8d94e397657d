package analysis

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

const descriptionGuide = bothGuides + ": DE 6/8"

var descriptionRules = ruleSet{
	{Code: "DEC-026", Severity: rules.Warning, Field: "items[].description", Check: each("description", vague), Source: descriptionGuide,
		Title: "The description does not say what the goods are"},
	{Code: "DEC-027", Severity: rules.Warning, Field: "items[].description", Check: each("description", brandAlone), Source: descriptionGuide,
		Title: "The description is a brand and does not say what the goods are"},
	{Code: "DEC-028", Severity: rules.Warning, Field: "items[].description", Check: each("description", otherScript), Source: descriptionGuide,
		Title: "The description is not written in Latin letters"},
	{Code: "DEC-029", Severity: rules.Info, Field: "items[].description", Check: each("description", usedGoods), Source: "GOV.UK: Importing and exporting waste; GOV.UK: Trade Tariff",
		Title: "Goods are described as used, broken or scrap"},
}

// shortest is the number of letters below which a description is too short.
const shortest = 4

func vague(_ *Case, i *item) remarks {
	const advice = "Say what the goods are, what they are made of and what they are for, such as “men's knitted cotton T-shirts”."
	text := strings.TrimSpace(i.Description)
	switch hedge := goods.Hedge(text); {
	case strings.IndexFunc(text, unicode.IsLetter) < 0:
		return remarkOf(fmt.Sprintf("%q contains no words.", excerpt(text)), advice)
	case goods.Vague(text):
		return remarkOf(fmt.Sprintf("%q could be anything.", excerpt(text)), advice)
	case hedge != "":
		return remarkOf(fmt.Sprintf("%q is incomplete because of %q.", excerpt(text), hedge), advice)
	case len([]rune(text)) < shortest:
		return note(rules.Info, fmt.Sprintf("%q is short for a description.", text), advice)
	}
	return nil
}

// brands are names that are often used as the only description.
const brands = `adidas aldi amazon apple armani asus audi balenciaga bmw bosch burberry canon cartier casio chanel cisco converse dell dewalt dior disney
	dyson ebay epson ferrari fila fitbit ford garmin gopro gucci hermes honda hp huawei ikea jbl lacoste lego lenovo levi's levis lg louis
	vuitton makita mercedes michelin microsoft motorola nike nikon nintendo nokia north face oakley omega panasonic philips prada puma ralph lauren
	ray-ban rayban rolex samsung shein siemens skechers sony stanley superdry temu toshiba toyota ugg under armour versace vw xiaomi yeezy zara`

func brandAlone(_ *Case, i *item) remarks {
	branded := ""
	for _, w := range i.words {
		switch {
		case isOneOf(w, brands):
			branded = w
		case !isModel(w):
			return nil
		}
	}
	if branded == "" || branded == "apple" && hasPrefixOf(i.CommodityCode, "07 08 20 22") {
		return nil
	}
	return remarkOf(fmt.Sprintf("%q names a brand and not what the goods are.", excerpt(i.Description)), "Add what they are, such as “running shoes” or “mobile telephones”.")
}

// isModel reports whether a word is a number or a model name.
func isModel(word string) bool {
	return strings.ContainsAny(word, "0123456789") || isOneOf(word, "pro max plus mini ultra air original genuine model style brand series")
}

func otherScript(_ *Case, i *item) remarks {
	latin, other := 0, 0
	for _, r := range i.Description {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other <= latin {
		return nil
	}
	return remarkOf(fmt.Sprintf("%q is not in English.", excerpt(i.Description)), "Describe the goods in English.")
}

func usedGoods(_ *Case, i *item) remarks {
	word := anyOf(i.words, "used second-hand secondhand refurbished scrap broken faulty waste")
	if word == "" || anyOf(i.words, "for bin bins bag bags water disposal disposer compactor metal-free") != "" || hasPrefixOf(i.CommodityCode, "6309 6310 7204 7404 7602 8549 3915 4707 87 97") {
		return nil
	}
	return remarkOf(fmt.Sprintf("The description says “%s”.", word),
		"Make sure that the goods are not waste, which moves under rules of its own; and that the value is that of used goods.")
}
