package charge

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// names of types of tax (DE 4/3). HMRC's list of November 2026.
var names = map[string]string{
	"A00": "Customs duty", "A20": "Additional duty", "A30": "Anti-dumping duty", "A35": "Provisional anti-dumping duty", "A40": "Countervailing duty",
	"A45": "Provisional countervailing duty", "A50": "Customs duty of the EU", "B00": "Import VAT", "B05": "Import VAT",
}

// Name is what the type of tax is called.
func (c *Charge) Name() string {
	if name := names[c.Type]; name != "" {
		return name
	}
	if c.Line != nil {
		return "Excise duty"
	}
	return "Tax"
}

// Settlement says how a charge is settled that is not paid now; empty if it is.
func (c *Charge) Settlement() string {
	switch c.Payable {
	case duty.Secured:
		return "security"
	case Suspended:
		return "suspended"
	case duty.Postponed:
		return "postponed"
	case duty.NotDue:
		return "not due"
	}
	return ""
}

// InWords says what an alternative saves, and what it needs.
func (a *Alternative) InWords() string {
	text := fmt.Sprintf("£%s less with preference %s (%s", a.Saving.Fixed(), a.Preference, a.Label)
	if a.Quota != "" && !strings.Contains(a.Label, a.Quota) {
		text += ", quota " + a.Quota
	}
	text += ")"
	switch {
	case len(a.Documents) > 0:
		text += ", which needs " + OneOf(a.Documents)
	case a.Proof:
		text += ", which needs a proof of origin"
	case len(a.Notes) > 0:
		text += ", only for the goods that the footnotes describe: " + strings.Join(a.Notes, ", ")
	}
	return text + "."
}

// MaxNamed is the largest number of codes that a sentence names.
const MaxNamed = 8

// OneOf lists codes of which one is needed.
func OneOf(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	if len(all) > MaxNamed {
		return fmt.Sprintf("one of %s and %d more", strings.Join(all[:MaxNamed], ", "), len(all)-MaxNamed)
	}
	return "one of " + strings.Join(all, ", ")
}
