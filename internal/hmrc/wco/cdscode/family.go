package cdscode

import (
	"cmp"
	"strings"
)

// family holds the text for codes with the same first digits.
type family struct {
	prefix, title, meaning, fix string
}

// families are sorted so that the longer prefix comes first.
var families = []family{
	{"100", "A detail is absent or badly written", "Codes that begin with 100 concern a single element: absent, superfluous, in the wrong form or with an unknown content.",
		"Look at the field that the pointer names, and compare it with what its data element prescribes."},
	{"110", "Details that do not agree", "Codes that begin with 110 concern parts of a declaration that contradict each other, or a message that does not fit the declaration it refers to.",
		"Compare the fields that the pointers name, and correct the one that is wrong."},
	{"12", "Details, parties or steps that do not go together", "Codes that begin with 12 concern combinations of elements, parties and authorisations, references used before, or messages out of turn.",
		"Check the fields that the pointers name against each other, against your authorisations and against the declaration's history."},
	{"13", "A figure looks unusual", "Codes that begin with 13 are checks of credibility, which do not stop a declaration.",
		"Check mass, quantity and value of the item, and amend the declaration if one is wrong."},
	{"14", "A figure is hard to believe", "Codes that begin with 14 are checks of credibility.",
		"Compare the figures of the item with its invoice and packing list."},
	{"20", "The port's records do not match", "Codes that begin with 20 come from matching the declaration with the inventory of the port or airport.",
		"Check the consignment reference and the location of the goods with the carrier or shed."},
	{"40", "A tariff measure is not satisfied", "Codes that begin with 40 come from the measures of the tariff: documents, additional codes, quotas, units and bans.",
		"Look the commodity up in the tariff for your origin and date, and compare each measure with the item."},
	{"50", "A movement was refused", "Codes that begin with 50 concern the arrival, departure or consolidation of a consignment, or a release by another authority.",
		"Check the consignment reference, the location and the time in the movement message."},
	{"60", "A query failed", "Codes that begin with 60 come from asking customs about a declaration; they do not affect the declaration.",
		"Check the reference that you asked for, and ask again later."},
	{"7", "A licence or document is not accepted", "Codes that begin with 7 concern licences and additional documents: number, status, quantity, holder, goods and countries.",
		"Compare what you declared in 2/3 with the licence or document itself."},
}

// anyFamily is the text for codes without a family.
var anyFamily = family{"", "Customs reported an error", "This service has no explanation of the code.",
	"Read the text that customs sent with it and the field that the pointer names; the customs help desk can tell more."}

// general returns the entry for a code that is not in the catalogue.
func general(code string) Entry {
	number := strings.TrimPrefix(strings.TrimPrefix(code, "CDS"), "DMS")
	f := anyFamily
	for _, candidate := range families {
		if strings.HasPrefix(number, candidate.prefix) && isNumber(number) {
			f = candidate
			break
		}
	}
	name := "The code " + code
	if code == "" {
		name = "A fault without a code"
	}
	return Entry{
		Code:     cmp.Or(code, "unknown"),
		Title:    f.title,
		Meaning:  name + " is not in the catalogue. " + f.meaning,
		Fix:      f.fix,
		Blocking: f.prefix != "13",
	}
}

// isNumber reports whether a string is the five digits of a CDS code.
func isNumber(text string) bool {
	return len(text) == 5 && strings.Trim(text, "0123456789") == ""
}
