package analysis

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

var controlRules = ruleSet{
	{Code: "DEC-070", Severity: rules.Blocker, Field: "items[].description", Check: each("description", uncontrolledExport), Source: controlGuide + "; " + documentGuide,
		Title: "Military or dual-use goods, or instruments of torture, are exported without a licence"},
	{Code: "DEC-071", Severity: rules.Warning, Field: "items[].description", Check: each("description", waivedExport), Source: controlGuide + "; " + documentGuide,
		Title: "A licence is waived for goods that seem to be on the control lists"},
	{Code: "DEC-072", Severity: rules.Warning, Field: "items[].description", Check: each("description", importedArms), Source: "Import of Goods (Control) Order 1954; GOV.UK: Import controls",
		Title: "Arms or ammunition are imported without a licence"},
}

// Documents for controlled goods: licences, and statements that none is needed.
const (
	exportLicences = "X0 E0 9104 9105 9106 9107 C052 C064"
	exportWaivers  = "Y901 Y908 Y921 Y934 999L"
	armsDocuments  = "9100 9102 9103 9007 Y934 999L"
)

// strategic reports whether goods seem to be on the control lists, independent of the destination.
func (i *item) strategic() bool {
	r := i.control.Regime
	return r == exportcontrol.Military || r == exportcontrol.DualUse || r == exportcontrol.Torture || r == exportcontrol.MilitaryEndUse || r == exportcontrol.WMDEndUse
}

func uncontrolledExport(c *Case, i *item) remarks {
	if c.imports() || !i.strategic() || i.control.Verdict == exportcontrol.Free || c.has(exportLicences) || c.has(exportWaivers) {
		return nil
	}
	severity := rules.Warning
	if i.control.Verdict == exportcontrol.Needs {
		severity = rules.Blocker
	}
	return note(severity, fmt.Sprintf("%q, bound for %s, may need an export licence: %s", excerpt(i.Description), firstOf(c.destination(), "an unnamed country"), i.control.Reasoning),
		"Rate the goods against the control lists. Name the licence (X002 for dual-use goods, 9104 for the Export Control Joint Unit's), or Y901 where they are not listed.")
}

func waivedExport(c *Case, i *item) remarks {
	if c.imports() || !i.strategic() || i.control.Verdict != exportcontrol.Needs || c.has(exportLicences) || !c.has(exportWaivers) {
		return nil
	}
	return remarkOf(fmt.Sprintf("A document says that no licence is needed, and %q seems to be listed: %s", excerpt(i.Description), i.control.Reasoning),
		"Keep the reason why the goods are not listed, or name the licence.")
}

func importedArms(c *Case, i *item) remarks {
	if !c.imports() || !hasPrefixOf(i.CommodityCode, "9301 9302 9303 9305 9306") || c.has(armsDocuments) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is of arms or ammunition, and no document is an import licence.", i.CommodityCode),
		"Name the import licence of the Department for Business and Trade (9100), or that none is needed.")
}

// suspicion returns the best match of the goods in a regime.
func (i *item) suspicion(r exportcontrol.Regime) (found exportcontrol.Entry) {
	for _, e := range i.control.Entries {
		if e.Regime == r && e.Confidence > found.Confidence {
			found = e
		}
	}
	return found
}
