package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// chargeRules look at what the imported measures of a code demand and charge. They say nothing about codes of which only the duty
// and VAT are held.
var chargeRules = ruleSet{
	{Code: "DEC-130", Severity: rules.Warning, Field: "items[].documents", Check: merged("documents", demanded), Source: tariffGuide + ": measures and conditions; " + documentGuide,
		Title: "A measure asks for a document (DE 2/3), and the item has none of those that satisfy it"},
	{Code: "DEC-131", Severity: rules.Warning, Field: "items[].documents", Check: merged("documents", refusedGoods), Source: tariffGuide + ": measures and conditions (action 08)",
		Title: "The tariff refuses the goods without a document, or forbids them; a blocker by a tariff of the last 31 days"},
	{Code: "DEC-132", Severity: rules.Warning, Field: "items[].documents", Check: merged("documents", claimNeeds), Source: tariffGuide + ": measures and conditions; " + preferenceGuide,
		Title: "The duty that the item claims needs a document (DE 2/3) that it does not have"},
	{Code: "DEC-133", Severity: rules.Warning, Field: "items[].preferenceCode", Check: merged("preferenceCode", notInTariff), Source: tariffGuide + "; " + preferenceGuide,
		Title: "The item claims a preference, a quota or a code that the tariff does not have for it, or that is closed"},
	{Code: "DEC-134", Severity: rules.Warning, Field: "items[].taricAdditionalCodes", Check: merged("taricAdditionalCodes", openCode), Source: tariffGuide + "; " + completion + ": DE 6/16",
		Title: "Duties differ by additional code (DE 6/16), and the item has none"},
	{Code: "DEC-135", Severity: rules.Info, Field: "items[].nationalAdditionalCodes", Check: merged("nationalAdditionalCodes", openRate), Source: tariffGuide + "; " + completion + ": DE 6/17",
		Title: "The tariff has several VAT rates for the code (DE 6/17), and the standard one is estimated"},
	{Code: "DEC-136", Severity: rules.Info, Field: "items[].commodityCode", Check: merged("commodityCode", incompleteEstimate), Source: tariffGuide,
		Title: "Something is missing from the estimate of an item whose measures are held"},
	{Code: "DEC-137", Severity: rules.Info, Field: "items[].preferenceCode", Check: merged("preferenceCode", cheaper), Source: tariffGuide + "; " + originGuide,
		Title: "There is a lawful way to import the goods for less"},
}

// charged is an item with what it owes.
type charged struct {
	goods      charge.Goods
	assessment charge.Assessment
}

// maxCompared limits the items whose alternatives are computed, because that is slow.
const maxCompared = 100

// assess works out what the items owe whose measures are held.
func (c *Case) assess() {
	if c.Charges == nil || !c.imports() || len(c.items) == 0 {
		return
	}
	if c.charges = c.Charges.At(c.At); c.charges.Editions.ID == 0 {
		return
	}
	for n, g := range c.Goods(c.charges) {
		if c.charges.HasMeasures(&g) {
			c.items[n].charged = &charged{g, c.charges.Assess(&g)}
		}
	}
}

// merged applies a check to every item whose measures are held, and merges what is said of several items in the same words.
func merged(member string, check func(*Case, *item) remarks) checkFunc {
	return func(c *Case, _ rules.Facts) remarks {
		var found remarks
		var items [][]int
		for n := range c.items {
			if c.items[n].charged == nil {
				continue
			}
			for _, m := range check(c, &c.items[n]) {
				same := func(o remark) bool {
					return o.Message == m.Message && o.Suggestion == m.Suggestion && o.Severity == m.Severity
				}
				at := slices.IndexFunc(found, same)
				if at < 0 {
					m.Field = fmt.Sprintf("items[%d].%s", n, cmp.Or(m.Field, member))
					at, found, items = len(found), append(found, m), append(items, nil)
				}
				items[at] = append(items[at], n+1)
			}
		}
		for n := range found {
			if len(items[n]) > 1 {
				p := customs.Problem{Detail: apierr.Detail{Message: found[n].Message}, Items: items[n]}
				found[n].Message = p.InWords()
			}
		}
		return shorten(found)
	}
}

func demanded(c *Case, i *item) (found remarks) {
	for _, d := range c.demands(i) {
		if !d.Refuses {
			found = append(found, remarkOf(i.demand(&d), howToAnswer(d.Documents))...)
		}
	}
	return found
}

func refusedGoods(c *Case, i *item) (found remarks) {
	severity := rules.Warning
	if c.current() {
		severity = rules.Blocker
	}
	for _, d := range c.demands(i) {
		if d.Refuses {
			found = append(found, note(severity, i.demand(&d)+" Customs refuses the goods without it.", howToAnswer(d.Documents))...)
		}
	}
	for _, message := range c.charges.Prohibitions(&i.charged.goods, &i.charged.assessment) {
		found = append(found, note(severity, message+".", "Check code and origin, and add a document that is named.")...)
	}
	return found
}

func (c *Case) demands(i *item) []charge.Demand {
	return c.charges.Demands(&i.charged.goods, &i.charged.assessment)
}

// freshness is how old a tariff may be to decide what is refused, as for codes that do not exist.
const freshness = 31 * 24 * time.Hour

// current reports whether the tariff was published in the last days before the review.
func (c *Case) current() bool {
	asOf := c.charges.Editions.UK.Holding().AsOf
	return asOf <= c.charges.Day.String() && asOf >= c.charges.Day.Date().Add(-freshness).Format(time.DateOnly)
}

// demand says which measure asks for a document.
func (i *item) demand(d *charge.Demand) string {
	what := "Measure " + d.Type
	if d.Title != "" {
		what += " (" + d.Title + ")"
	}
	if d.Law != "" {
		what += " under " + d.Law
	}
	return fmt.Sprintf("%s asks for %s (DE 2/3) with %s, and the item has none.", what, charge.OneOf(d.Documents), i.CommodityCode)
}

// exemption is how the codes of documents begin that claim that a rule does not apply.
const exemption = "Y"

func howToAnswer(documents []string) string {
	var exempt []string
	for _, code := range documents {
		if strings.HasPrefix(code, exemption) {
			exempt = append(exempt, code)
		}
	}
	if exempt == nil {
		return "Add the document with its reference."
	}
	return "Add the document with its reference or, if the rule does not apply to the goods, " + strings.Join(exempt, " or ") + "."
}

func claimNeeds(c *Case, i *item) remarks {
	documents, _ := i.charged.assessment.Needs()
	if len(documents) == 0 || slices.ContainsFunc(documents, charge.IsProof) && !c.has(proofs) { // else DEC-057
		return nil
	}
	return remarkOf(fmt.Sprintf("%s on %s needs %s (DE 2/3), and the item has none; it is estimated as claimed.", i.charged.assessment.Option.Label, i.CommodityCode, charge.OneOf(documents)),
		"Add the document with its reference, or claim another preference.")
}

func notInTariff(_ *Case, i *item) (found remarks) {
	for _, m := range i.charged.assessment.Missing {
		if m.Code == charge.OptionMissing {
			found = append(found, remarkOf(m.Message, "Claim what the tariff has for the goods, or 100; look the code up in the Trade Tariff.")...)
		}
	}
	for _, n := range i.charged.assessment.Contradictions() {
		found = append(found, about(memberOf(n.Codes), n.Message, "Correct the code, or leave it out."))
	}
	return found
}

// memberOf is the member of an item that a code stands in.
func memberOf(codes []string) string {
	switch {
	case len(codes) > 0 && len(codes[0]) == len("050088"):
		return "quotaOrderNumber"
	case len(codes) > 0 && strings.IndexAny(codes[0], "VX") == 0:
		return "nationalAdditionalCodes"
	}
	return ""
}

func openCode(_ *Case, i *item) remarks {
	codes, _ := i.charged.assessment.OpenCodes()
	if len(codes) == 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("Duties on %s from %s differ by additional code: %s. The item has none of them, and the highest is estimated.", i.CommodityCode, i.origin(), listed(codes)),
		"Give the producer's or the goods' code (DE 6/16); the code that ends in 999 is for producers that are not named.")
}

func openRate(_ *Case, i *item) remarks {
	_, rates := i.charged.assessment.OpenCodes()
	reduced := slices.DeleteFunc(slices.Clone(rates), func(code string) bool { return code == "VAT" })
	if len(reduced) == 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("The tariff has the VAT rate %s for %s too, and the standard rate is estimated.", strings.Join(reduced, " and "), i.CommodityCode),
		"If the goods and their use qualify, claim the rate with that national additional code.")
}

// listed lists codes, some of many.
func listed(codes []string) string {
	if len(codes) > charge.MaxNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(codes[:charge.MaxNamed], ", "), len(codes)-charge.MaxNamed)
	}
	return strings.Join(codes, ", ")
}

func (i *item) origin() string { return cmp.Or(i.CountryOfOrigin, i.PreferentialOrigin) }

func incompleteEstimate(_ *Case, i *item) remarks {
	var missing []string
	for _, m := range i.charged.assessment.Missing {
		if m.Code != charge.OptionMissing { // else DEC-133
			missing = append(missing, m.Message)
		}
	}
	if missing == nil {
		return nil
	}
	return remarkOf(fmt.Sprintf("The estimate for %s is not complete. %s", i.CommodityCode, strings.Join(missing, " ")),
		"Give what is missing, such as the quantity that a tax is computed of (DE 4/4), or expect more than the estimate.")
}

func cheaper(c *Case, i *item) (found remarks) {
	if i.n >= maxCompared {
		return nil
	}
	for _, a := range c.charges.Alternatives(&i.charged.goods, &i.charged.assessment) {
		found = append(found, remarkOf(a.InWords(), "If you hold what it needs and the goods qualify, claim it; otherwise no action is needed.")...)
	}
	return found
}
