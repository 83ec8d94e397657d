package measure

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// maxDuty is much longer than any duty, in bytes.
const maxDuty = 500

var (
	errLongDuty = fmt.Errorf("must have at most %d characters", maxDuty)
	errRate     = errors.New("must be a percentage, or an amount in pounds or euro for a unit")
)

// ParseDuty reads a duty as text, in the dialect of HMRC's tariff service ("0.80 GBP / % vol/hl + 5.30 GBP / hl") or in that
// of the publisher's tables ("244.78 GBP / 1,000 items", "+ AC", "+ SD (reduced)"). Spaces, commas and case do not matter.
//
// The error is an *UnknownUnit if only a unit is not known; the components then have the unit as it is spelled.
func ParseDuty(text string) ([]Component, error) {
	if len(text) > maxDuty {
		return nil, errLongDuty
	}
	var all []Component
	var unknown *UnknownUnit
	for _, part := range split(strings.ToUpper(text)) {
		c, err := parseComponent(part.text)
		if err != nil && !errors.As(err, &unknown) {
			return nil, fmt.Errorf("duty %q: %w", text, err)
		}
		if c.Expression == "" {
			c.Expression = joints[part.joint]
			if len(all) == 0 {
				c.Expression = "01"
			}
		}
		all = append(all, c)
	}
	if unknown != nil {
		return all, fmt.Errorf("duty %q: %w", text, unknown)
	}
	return all, nil
}

// UnknownUnit is the error of a unit that the tariff does not have.
type UnknownUnit struct{ Spelling string }

func (u *UnknownUnit) Error() string { return fmt.Sprintf("the unit %q is not known", u.Spelling) }

// joints are the expression ids of what joins components.
var joints = map[string]string{"+": "04", "-": "02", "MIN": "15", "MAX": "17"}

// joined is a part of a duty with what stands before it.
type joined struct{ joint, text string }

// split splits a duty at what joins its components.
func split(text string) (parts []joined) {
	joint := "+"
	var part []string
	flush := func() {
		if len(part) > 0 {
			parts = append(parts, joined{joint, strings.Join(part, "")})
		}
		part = nil
	}
	for _, word := range strings.Fields(strings.NewReplacer("+", " + ", ",", "").Replace(text)) {
		if _, joins := joints[word]; joins {
			flush()
			joint = word
			continue
		}
		part = append(part, word)
	}
	flush()
	return parts
}

// agricultural are the names of agricultural components in both dialects.
var agricultural = map[string]string{
	"EA": "12", "AC": "12", "EAR": "14", "AC(REDUCED)": "14", "ADSZ": "21", "SD": "21", "ADSZR": "25", "SD(REDUCED)": "25",
	"ADFM": "27", "FD": "27", "ADFMR": "29", "FD(REDUCED)": "29", "NIHIL": "37",
}

func parseComponent(text string) (Component, error) {
	if id := agricultural[text]; id != "" {
		return Component{Expression: id}, nil
	}
	if u, err := ParseUnit(text); err == nil {
		return Component{Expression: "99", Unit: u.Code, Qualifier: u.Qualifier}, nil
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end <= 0 {
		return Component{}, errRate
	}
	amount, ok := new(big.Rat).SetString(text[:end])
	if !ok {
		return Component{}, errRate
	}
	c := Component{Amount: amount}
	rest, unit, hasUnit := strings.Cut(text[end:], "/")
	switch rest {
	case "%":
	case "GBP", "EUR":
		c.Currency = rest
	default:
		return Component{}, errRate
	}
	if !hasUnit {
		return c, nil
	}
	u, err := ParseUnit(unit)
	var unknown *UnknownUnit
	if errors.As(err, &unknown) {
		u = Unit{Code: unknown.Spelling}
	}
	c.Unit, c.Qualifier = u.Code, u.Qualifier
	return c, err
}

// spelled are the units by their spellings, in capitals and without spaces.
var spelled = spellings()

func spellings() map[string]Unit {
	all := map[string]Unit{}
	for unit, abbreviation := range abbreviations {
		all[squeeze(abbreviation)] = unit
	}
	for spelling, unit := range map[string]Unit{
		"KILOGRAM": {"KGM", ""}, "KGH2O2": {"KNS", ""}, "KGK2O": {"KPO", ""}, "KGP2O5": {"KPP", ""},
		"1000KG": {"TNE", ""}, "TONNE": {"TNE", ""}, "100KG": {"DTN", ""}, "1000ITEMS": {"MIL", ""}, "ITEM": {"NAR", ""}, "ITEMS": {"NAR", ""},
		"100ITEMS": {"CEN", ""}, "%VOL/HL": {"ASV", "X"}, "LITRE": {"LTR", ""}, "HECTOLITRE": {"HLT", ""}, "1000L": {"KLT", ""}, "M2": {"MTK", ""},
		"M3": {"MTQ", ""}, "PAIR": {"NPR", ""}, "PAIRS": {"NPR", ""}, "RETAILPRICE": {"RET", ""}, "LALC100%": {"LPA", ""}, "GRAM": {"GRM", ""},
		"100KGEDA": {"DTN", "E"}, "100KG/NETDRAINEDWT": {"DTN", "E"}, "100KGMAS": {"DTN", "M"}, "100KG/NETDRY": {"DTN", "M"}, "100KG/STDQUAL": {"DTN", "R"},
		"100KG/NET/%SACCHAR": {"DTN", "Z"}, "1000KG/BIODIESEL": {"TNE", "I"},
	} {
		all[spelling] = unit
	}
	return all
}

func squeeze(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", ",", "").Replace(text))
}

// ParseUnit reads a unit as duties write it, such as "100 kg", or its code, such as DTN or DTN/Z. The error is an *UnknownUnit.
func ParseUnit(text string) (Unit, error) {
	text = squeeze(text)
	for _, form := range []string{text, strings.TrimSuffix(text, "."), strings.ReplaceAll(text, ".", "")} {
		if u, ok := spelled[form]; ok {
			return u, nil
		}
	}
	if u, ok := qualified(text); ok {
		return u, nil
	}
	code, qualifier, _ := strings.Cut(text, "/")
	if u := (Unit{code, qualifier}); u.Known() {
		return u, nil
	}
	return Unit{}, &UnknownUnit{text}
}
