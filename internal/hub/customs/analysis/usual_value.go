package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// usualRules report each constant that is declared because nothing states the value. At HMRC those that state facts block.
var usualRules = func() (all ruleSet) {
	for n := range customs.UsualKinds {
		k := &customs.UsualKinds[n]
		all = append(all, rules.Rule[Case]{
			Code: k.Code, Severity: rules.Warning, Field: k.Fields[0], Title: "A usual value is declared: " + k.Name, Source: bothGuides + ": DE " + k.Element,
			Check: func(c *Case, _ rules.Facts) remarks { return assumed(c, k) },
		})
	}
	return all
}()

func assumed(c *Case, k *customs.UsualKind) (found remarks) {
	for n := range c.preview.Assumptions {
		a := &c.preview.Assumptions[n]
		if a.Kind != k {
			continue
		}
		m := remark{Field: a.Field, Message: a.Message(), Suggestion: k.Remedy, Value: cmp.Or(a.Value, k.Shown)}
		if !c.Simulated && !k.Choice {
			m.Severity, m.Suggestion = rules.Blocker, k.Remedy+" HMRC gets stated values only."
		}
		found = append(found, m)
	}
	return shorten(found)
}

// refusalRules report what customs would refuse, by the checks of the simulator.
var refusalRules = ruleSet{
	refusals("DEC-301", check.Form, "declarationType", "Customs would refuse type or procedure"),
	refusals("DEC-302", check.DataSet, "dataSet", "Customs would refuse what is missing, or does not belong there"),
	refusals("DEC-303", check.Values, "items[]", "Customs would refuse a value"),
	refusals("DEC-304", check.Levels, "items[]", "Customs would refuse what header and items say together"),
	refusals("DEC-305", check.Relations, "items[]", "Customs would refuse values that do not go together"),
	refusals("DEC-306", check.Tariff, "items[].commodityCode", "Customs would refuse it by the tariff"),
	refusals("DEC-307", check.OwnRecords, "dataSet", "The declaration contradicts itself or its client's record"),
}

func refusals(code string, stage check.Stage, field, title string) rules.Rule[Case] {
	return rules.Rule[Case]{
		Code: code, Severity: rules.Blocker, Field: field, Title: title, Source: "GOV.UK: Code of CDSs; " + bothGuides,
		Check: func(c *Case, _ rules.Facts) remarks { return refused(c, stage) },
	}
}

var problemSeverity = map[check.Severity]rules.Severity{check.Refusal: rules.Blocker, check.Warning: rules.Warning, check.Unknown: rules.Info}

func refused(c *Case, stage check.Stage) (found remarks) {
	for n := range c.preview.Problems {
		p := &c.preview.Problems[n]
		if p.Stage == stage {
			found = append(found, remark{Field: p.Field, Severity: problemSeverity[p.Severity], Message: p.InWords(), Suggestion: p.Remedy, CustomsCode: p.Code})
		}
	}
	return shorten(found)
}

// saidBy are the rules that say the same as a code of customs about a member, and say it with the values of the body.
var saidBy = []struct{ customs, member, rules string }{
	{"CDS10001", "declarant", "DEC-002"}, {"CDS10001", "exporter", "DEC-002"}, {"CDS10001", "importer", "DEC-002"}, {"CDS12005", "", "DEC-001 DEC-002"},
	{"CDS12135", "", "DEC-009"}, {"CDS10004", "", "DEC-019"}, {"CDS12123", "", "DEC-030"}, {"CDS10021", "items[].netMassKg", "DEC-030"}, {"CDS11006", "items[]", "DEC-031"},
	{"CDS12058", "", "DEC-042"}, {"CDS10001", "items[].countryOfOrigin", "DEC-051"}, {"CDS10020", "items[].countryOfOrigin", "DEC-053"},
	{"CDS10020", "items[].preferenceCode", "DEC-055"}, {"CDS11004", "", "DEC-091"}, {"CDS12104", "", "DEC-091"}, {"CDS12050", "", "DEC-091"},
	{"CDS10001", "previousDocuments", "DEC-001 DEC-002"}, {"CDS12108", "", "DEC-001 DEC-002"}, // a DUCR begins with the trader's EORI
	{"CDS12149", "", "DEC-096"}, {"CDS12070", "items[].quotaOrderNumber", "DEC-059"}, {"CDS10020", "documents[].type", "DEC-108"}, {"CDS40011", "", "DEC-037"},
}

// unauthorisedRule only warns of what customs refuses.
const unauthorisedRule, needsAuthorisation = "DEC-093", "CDS12070"

// withoutRepeats removes the refusals by customs that another blocker explains: one about the same item, or about the header or
// another record. It also removes the warning that a refusal makes superfluous.
func withoutRepeats(all []rules.Finding) []rules.Finding {
	blockers := map[string][]int{} // items, 0 for none, by rule
	var unauthorised []string
	for _, f := range all {
		if f.CustomsCode == needsAuthorisation {
			unauthorised = append(unauthorised, f.Field)
		}
		if f.Severity == rules.Blocker && f.CustomsCode == "" && f.Value == "" {
			blockers[f.Code] = append(blockers[f.Code], customs.ItemOf(f.Field))
		}
	}
	return slices.DeleteFunc(all, func(f rules.Finding) bool {
		return f.CustomsCode != "" && isSaid(f, blockers) || f.Code == unauthorisedRule && slices.Contains(unauthorised, f.Field)
	})
}

func isSaid(f rules.Finding, blockers map[string][]int) bool {
	item, member := customs.ItemOf(f.Field), customs.WithoutIndices(f.Field)
	for _, s := range saidBy {
		if s.customs != f.CustomsCode || !strings.HasPrefix(member, s.member) {
			continue
		}
		for code := range strings.FieldsSeq(s.rules) {
			if slices.ContainsFunc(blockers[code], func(other int) bool { return other == item || other == 0 }) {
				return true
			}
		}
	}
	return false
}
