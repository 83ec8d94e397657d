package corporate

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var protectionRules = ruleSet{
	{Code: "COR-061", Severity: rules.Warning, Field: "formData.registrationNumber", Judge: of(malformedRegistration, ICORenewal), Source: "ICO: register of fee payers",
		Title: "The registration number is malformed"},
	{Code: "COR-062", Severity: rules.Blocker, Field: "formData.tier", Judge: of(unknownTier, ICORenewal), Source: protectionLaw,
		Title: "The tier is not one that there is"},
	{Code: "COR-063", Severity: rules.Warning, Field: "formData.tier", Judge: of(wrongTier, ICORenewal), Source: protectionLaw + ", regulation 3: tiers by staff and turnover",
		Title: "The tier does not go with staff and turnover"},
	{Code: "COR-064", Severity: rules.Warning, Field: "formData.expiryDate", Judge: of(expired, ICORenewal), Source: protectionLaw + ", regulation 2",
		Title: "The registration has expired"},
}

var registration = lazyregexp.New(`^Z[A-Z]?[0-9]{6,7}$`)

func malformedRegistration(f *Filing, _ rules.Facts) remarks {
	number := f.text("registrationNumber")
	if number == "" || registration.MatchString(strings.ToUpper(plain(number))) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q is not a registration number: it must be Z, ZA or ZB and six or seven figures.", number), "Copy the number from the ICO's certificate or its register.")
}

// fees of the tiers in pounds, since 17 February 2025; £5 less by direct debit.
var fees = [...]string{"", "£52", "£78", "£3,763"}

// tier is the tier that the form names, such as 2, "2", "Tier 2" or "Tier 2 (small and medium)".
func (f *Filing) tier() (int, bool) {
	word, _, _ := strings.Cut(f.text("tier"), "(")
	switch strings.ToUpper(strings.Map(lettersOnly, word)) {
	case "1", "TIER1", "ONE", "TIERONE", "MICRO":
		return 1, true
	case "2", "TIER2", "TWO", "TIERTWO", "SMALLANDMEDIUM", "SME":
		return 2, true
	case "3", "TIER3", "THREE", "TIERTHREE", "LARGE":
		return 3, true
	}
	return 0, false
}

func unknownTier(f *Filing, _ rules.Facts) remarks {
	if _, ok := f.tier(); ok || !f.given("tier") {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s is not a tier of the fee.", f.shown("tier")), "Write 1, 2 or 3.")
}

// Limits of the tiers: to exceed both is to be in the next.
var (
	tierStaff    = [...]int64{0, 10, 250}
	tierTurnover = [...]*big.Rat{nil, big.NewRat(632_000, 1), big.NewRat(36_000_000, 1)}
)

// dueTier is the tier by staff and turnover. Where one of them is not told it is
// known only if the other is small enough.
func (f *Filing) dueTier() (int, bool) {
	staff, ok1 := f.whole("staff")
	turnover, ok2 := f.sum("turnover")
	for tier := 1; tier <= 2; tier++ {
		if ok1 && staff <= tierStaff[tier] || ok2 && turnover.Cmp(tierTurnover[tier]) <= 0 {
			return tier, ok1 && ok2 || tier == 1
		}
	}
	return 3, ok1 && ok2
}

func wrongTier(f *Filing, _ rules.Facts) remarks {
	named, ok1 := f.tier()
	right, ok2 := f.dueTier()
	if !ok1 || !ok2 || named == right || named == 1 && f.isCharity() {
		return nil
	}
	message := fmt.Sprintf("The form pays tier %d (%s); %s make it tier %d (%s).", named, fees[named], f.measures(), right, fees[right])
	if named > right {
		return milder(rules.Info, rules.Say(message, "Pay the lower fee, unless the figures are those of a part of the organisation."))
	}
	return rules.Say(message, "Pay the higher fee; charities and small occupational pension schemes alone are in tier 1 whatever their size.")
}

var charitable = lazyregexp.New(`(?i)\b(charity|charities|charitable|cio|scio|hospice|almshouses?)\b`)

// isCharity tells a charity by its number or its name, as far as those tell: it is in
// tier 1 whatever its size.
func (f *Filing) isCharity() bool {
	return f.hasPrefix(charities) || charitable.MatchString(f.CompanyName)
}

// measures are staff and turnover in a message.
func (f *Filing) measures() string {
	var all []string
	if staff, ok := f.whole("staff"); ok {
		all = append(all, fmt.Sprintf("%d staff", staff))
	}
	if turnover, ok := f.sum("turnover"); ok {
		all = append(all, "a turnover of "+pounds(turnover))
	}
	return strings.Join(all, " and ")
}

func expired(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("expiryDate")
	left := daysBetween(dateOf(facts.Now), day)
	if !ok || left >= 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("The registration expired on %s, %s; whoever processes personal data without paying can be fined up to £4,350.", written(day), distance(left)),
		"Pay the fee now.")
}
