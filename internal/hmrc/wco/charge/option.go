package charge

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// kindOf is the kind of option that a preference code (DE 4/17) claims; empty for an unknown code. Source: HMRC's list of preference
// codes, November 2026: the first digit is the regime, the others the kind of duty.
func kindOf(preference string) string {
	if len(preference) != len(NoPreference) {
		return ""
	}
	first, rest := preference[:1], preference[1:]
	switch {
	case rest[:1] == "2":
		return duty.QuotaOption
	case rest[:1] == "1":
		return duty.Suspension
	case first == "1":
		return duty.ThirdCountry
	}
	return duty.Preference
}

// claims reports whether an option is what the item declares.
func (g *Goods) claims(o *duty.Option) bool {
	switch {
	case o.Kind == duty.NoDuty:
		return true
	case g.states(deMinimisAid) && g.northern():
		return o.Kind == duty.Waiver
	case o.PreferenceCode == nil:
		return false
	}
	order := ""
	if o.Order != nil {
		order = *o.Order
	}
	sameRegime := (*o.PreferenceCode)[:1] == g.Preference[:1]
	return order == g.Quota && sameRegime && (g.Quota != "" || kindOf(g.Preference) == o.Kind)
}

// closest is the option that the item declares; nil if there is none. Of several it is the one with the same preference code, then
// one that needs no further fact, then the dearest.
func (g *Goods) closest(all []duty.Option) *duty.Option {
	var claimed []*duty.Option
	for i := range all {
		if g.claims(&all[i]) {
			claimed = append(claimed, &all[i])
		}
	}
	if len(claimed) == 0 {
		return nil
	}
	return slices.MinFunc(claimed, func(a, b *duty.Option) int {
		return firstOf(g.rank(a)-g.rank(b), b.Totals.Known.Cmp(a.Totals.Known), strings.Compare(b.Label, a.Label))
	})
}

// rank is how far an option is from what the item declares.
func (g *Goods) rank(o *duty.Option) (rank int) {
	if o.PreferenceCode != nil && *o.PreferenceCode != g.Preference {
		rank += 2
	}
	if o.Status != duty.Available {
		rank++
	}
	return rank
}

func firstOf(comparisons ...int) int {
	for _, c := range comparisons {
		if c != 0 {
			return c
		}
	}
	return 0
}

// standard is the dearest third-country duty; nil if there is none.
func standard(all []duty.Option) *duty.Option {
	without := Goods{Preference: NoPreference}
	return without.closest(all)
}
