package corporate

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var protectionRules = ruleSet{
	{Code: "COR-061", Severity: rules.Warning, Field: "formData.registrationNumber", Check: onlyFor(malformedRegistration, ICORenewal), Source: "ICO: register of fee payers",
		Title: "The registration number is malformed"},
	{Code: "COR-062", Severity: rules.Blocker, Field: "formData.tier", Check: onlyFor(unknownTier, ICORenewal), Source: protectionLaw,
		Title: "The tier does not exist"},
	{Code: "COR-063", Severity: rules.Warning, Field: "formData.tier", Check: onlyFor(wrongTier, ICORenewal), Source: protectionLaw + ", regulation 3: tiers by staff and turnover",
		Title: "The tier does not fit staff and turnover"},
	{Code: "COR-064", Severity: rules.Warning, Field: "formData.expiryDate", Check: onlyFor(expired, ICORenewal), Source: protectionLaw + ", regulation 2",
		Title: "The registration has expired"},
}

var registration = lazyregexp.New(`^Z[A-Z]?[0-9]{6,7}$`)

func malformedRegistration(f *Filing, _ rules.Facts) remarks {
	number := f.text("registrationNumber")
	if number == "" || registration.MatchString(strings.ToUpper(withoutPunctuation(number))) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not a registration number: it must be Z, ZA or ZB and six or seven digits.", number), "Copy the number from the ICO's certificate or its register.")
}

// fees by tier since 17 February 2025. A payment by direct debit is £5 less.
var fees = [...]string{"", "£52", "£78", "£3,763"}

// tier returns the tier in the form, such as 2, "2", "Tier 2" or "Tier 2 (small and medium)".
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
	if _, ok := f.tier(); ok || !f.hasValue("tier") {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is not a tier of the fee.", f.format("tier")), "Write 1, 2 or 3.")
}

// Limits of the tiers. An organisation that exceeds both is in the next tier.
var (
	tierStaff    = [...]int64{0, 10, 250}
	tierTurnover = [...]*big.Rat{nil, big.NewRat(632_000, 1), big.NewRat(36_000_000, 1)}
)

// dueTier returns the tier by staff and turnover. If one of them is missing, the tier is known only if the other is small
// enough.
func (f *Filing) dueTier() (int, bool) {
	staff, ok1 := f.wholeNumber("staff")
	turnover, ok2 := f.amount("turnover")
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
	message := fmt.Sprintf("The form has tier %d (%s), but %s mean tier %d (%s).", named, fees[named], f.measures(), right, fees[right])
	if named > right {
		return withSeverity(rules.Info, rules.Remarks(message, "Pay the lower fee, unless the figures cover only a part of the organisation."))
	}
	return rules.Remarks(message, "Pay the higher fee. Only charities and small occupational pension schemes are in tier 1 regardless of size.")
}

var charitable = lazyregexp.New(`(?i)\b(charity|charities|charitable|cio|scio|hospice|almshouses?)\b`)

// isCharity reports whether the number or the name is that of a charity, which is in tier 1 regardless of size.
func (f *Filing) isCharity() bool {
	return f.hasPrefix(charities) || charitable.MatchString(f.CompanyName)
}

// measures formats staff and turnover for a message.
func (f *Filing) measures() string {
	var all []string
	if staff, ok := f.wholeNumber("staff"); ok {
		all = append(all, fmt.Sprintf("%d staff", staff))
	}
	if turnover, ok := f.amount("turnover"); ok {
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
	return rules.Remarks(fmt.Sprintf("The registration expired on %s, %s. The penalty for processing personal data without payment is up to £4,350.", formatDate(day), formatDays(left)),
		"Pay the fee now.")
}
