package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const eoriGuide = "GOV.UK: Get an EORI number"

var partyRules = ruleSet{
	{Code: "DEC-001", Severity: rules.Blocker, Field: "client.eori", Check: malformedEORI, Source: eoriGuide,
		Title: "The EORI of the client, the organisation or the carrier is malformed"},
	{Code: "DEC-002", Severity: rules.Blocker, Field: "client.eori", Check: missingEORI, Source: eoriGuide + "; " + bothGuides + ": DE 3/2 and 3/16",
		Title: "The importer or exporter has no EORI"},
	{Code: "DEC-003", Severity: rules.Warning, Field: "client.eori", Check: foreignEORI, Source: eoriGuide,
		Title: "The importer's or exporter's EORI was not issued by the United Kingdom"},
	{Code: "DEC-004", Severity: rules.Warning, Field: "client.role", Check: contraryRole, Source: "House rule: what the client's record says",
		Title: "The client's role does not fit the direction"},
	{Code: "DEC-005", Severity: rules.Warning, Field: "shipment.counterpartyName", Check: incompleteCounterparty, Source: bothGuides + ": DE 3/1 and 3/9",
		Title: "The exporter of an import, or the consignee of an export, has an incomplete name or address"},
	{Code: "DEC-006", Severity: rules.Warning, Field: "shipment.counterpartyName", Check: placeholderParty, Source: bothGuides + ": DE 3/1 and 3/9",
		Title: "A party's name is a placeholder"},
	{Code: "DEC-007", Severity: rules.Warning, Field: "shipment.counterpartyCountry", Check: counterpartyAtHome, Source: bothGuides + ": DE 3/1 and 3/9",
		Title: "The counterparty of the import or export is in the United Kingdom"},
	{Code: "DEC-008", Severity: rules.Warning, Field: "shipment.counterpartyName", Check: relatedParties, Source: valueLaw + ": related parties; " + completion + ": DE 4/13",
		Title: "Seller and buyer seem to be related, which affects the value"},
}

func malformedEORI(c *Case, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, eori string }{
		{"client.eori", c.Client.EORI}, {"organisation.eori", c.Trader.EORI}, {"shipment.carrierEori", c.Shipment.CarrierEORI},
	} {
		if p.eori == "" {
			continue
		}
		if _, err := ident.ParseEORI(p.eori); err != nil {
			found = append(found, about(p.field, fmt.Sprintf("%q is no EORI: it %s.", p.eori, err), "Correct it; HMRC's EORI checker shows whether it is valid."))
		}
	}
	return found
}

func missingEORI(c *Case, _ rules.Facts) remarks {
	if c.Client.EORI != "" {
		return nil
	}
	if !c.imports() {
		return remarkOf(fmt.Sprintf("%s has no EORI, and an export names its exporter by EORI alone.", c.Client.Name), "Give the exporter's GB EORI in the client's record.")
	}
	remark := about("", fmt.Sprintf("%s has no EORI; only private persons import without one.", c.Client.Name), "Give the importer's GB EORI in the client's record, unless it is a private person.")
	if c.Trader.EORI != "" {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

func foreignEORI(c *Case, _ rules.Facts) remarks {
	eori, err := ident.ParseEORI(c.Client.EORI)
	if err != nil || eori.IsUK() {
		return nil
	}
	return remarkOf(fmt.Sprintf("The EORI %s of %s was issued by %s; customs of the United Kingdom knows GB and XI alone.", eori, c.Client.Name, eori.Country()),
		"Apply for a GB EORI, or let a representative established in the United Kingdom declare in its own name.")
}

func contraryRole(c *Case, _ rules.Facts) remarks {
	if c.imports() && c.Client.Role == "EXPORTER" || !c.imports() && c.Client.Role == "IMPORTER" {
		return remarkOf(fmt.Sprintf("%s is recorded as %s, and this is an %s.", c.Client.Name, c.Client.Role, c.Declaration.DeclarationType),
			"Check that the shipment is of the right client and the declaration of the right direction.")
	}
	return nil
}

func (c *Case) counterparty() string {
	if c.imports() {
		return "exporter"
	}
	return "consignee"
}

func incompleteCounterparty(c *Case, _ rules.Facts) remarks {
	var missing []string
	for _, p := range []struct{ field, value string }{
		{"counterpartyName", c.Shipment.CounterpartyName}, {"counterpartyAddress", c.Shipment.CounterpartyAddress},
		{"counterpartyCity", c.Shipment.CounterpartyCity}, {"counterpartyCountry", c.Shipment.CounterpartyCountry},
	} {
		if strings.TrimSpace(p.value) == "" {
			missing = append(missing, p.field)
		}
	}
	if missing == nil {
		return nil
	}
	return remarks{about("shipment."+missing[0], fmt.Sprintf("Of the %s the shipment has no %s.", c.counterparty(), strings.Join(missing, ", ")),
		"Give name, street, city and country: customs requires all of them for a party without an EORI.")}
}

func placeholderParty(c *Case, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, name string }{{"client.name", c.Client.Name}, {"shipment.counterpartyName", c.Shipment.CounterpartyName}} {
		if p.name != "" && party.Placeholder(p.name) {
			found = append(found, about(p.field, fmt.Sprintf("%q is not a party's name.", p.name), "Give the registered name of the business, or the full name of the person."))
		}
	}
	return found
}

func counterpartyAtHome(c *Case, _ rules.Facts) remarks {
	country := c.Shipment.CounterpartyCountry
	if country != "GB" && country != "XI" {
		return nil
	}
	return remarkOf(fmt.Sprintf("The %s %s is in %s, inside the United Kingdom.", c.counterparty(), c.Shipment.CounterpartyName, country),
		"Name who sends the goods from abroad, or receives them there; a seller or buyer at home is not that party.")
}

// forms are words in business names that do not distinguish them.
const forms = `ltd limited plc llp llc inc incorporated corp corporation co company gmbh ag kg bv nv sa sas sarl srl spa sl oy ab as aps pty pvt private
	sp z o k the and group holding holdings international uk gb europe`

func relatedParties(c *Case, _ rules.Facts) remarks {
	ours, theirs := ownWords(c.Client.Name), ownWords(c.Shipment.CounterpartyName)
	if len(ours) == 0 || !slices.Equal(ours, theirs) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%q and %q go by the same name; the service declares that buyer and seller are not related (0000).", c.Client.Name, c.Shipment.CounterpartyName),
		"If they are related, make sure that the price is not influenced by it, keep the evidence, and have customs told (DE 4/13).")
}

// ownWords returns the words of a name without legal forms, countries and the like.
func ownWords(name string) []string {
	return slices.DeleteFunc(goods.Words(strings.ToLower(name)), func(w string) bool { return isOneOf(w, forms) })
}
