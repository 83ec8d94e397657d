package explain

import "strings"

// family is the explanation of codes that are not in the catalogue, by their first digits.
type family struct{ prefix, plain, fix string }

// families have the longer prefixes first.
var families = []family{
	{"100", "Similar codes mean that one detail is missing, not allowed or written wrongly.", "Compare the field that is named here with your documents."},
	{"11", "Similar codes mean that two details contradict each other, or that a request does not fit the declaration.", "Compare the details that belong together, such as counts and weights."},
	{"12", "Similar codes mean that details, companies or authorisations do not fit together.", "Compare the companies, authorisations and procedures on the declaration with your documents."},
	{"13", "Similar codes warn that a number is unusual; they do not stop the declaration.", "Check weight, quantity and value, and do nothing if they are right."},
	{"14", "Similar codes mean that a number is not plausible.", "Compare weight, quantity and value with the invoice and the packing list."},
	{"20", "Similar codes mean that the port's record and the declaration differ.", "Compare reference and place of the goods with the carrier or shed."},
	{"40", "Similar codes mean that a requirement of the tariff for the commodity is not met.", "Look the commodity up in the tariff for your country of origin, and check its requirements."},
	{"50", "Similar codes concern the report of an arrival, a departure or a release.", "Check reference, place and time with the company that reported the movement."},
	{"60", "Similar codes concern a query about a declaration and do not affect it.", "Check the reference that you asked for, and ask again later."},
	{"77", "Similar codes mean that a detail of a document is missing.", "Compare code, number and status with the document itself."},
	{"7", "Similar codes mean that a licence is not accepted.", "Compare the licence with the declaration: number, holder, goods, country and dates."},
}

// generalTexts returns a general explanation for a code that is not in the catalogue.
func generalTexts(code string) (plain, fix string) {
	plain = "Customs sent the code " + code + ", which is not in our catalogue, so that this is a general answer."
	if code == unknownCode {
		plain = "This error has no CDS code that we recognise, so this is a general answer."
	}
	number := strings.TrimLeft(code, "CDMS")
	for _, f := range families {
		if strings.HasPrefix(number, f.prefix) && len(code) == len("CDS00000") && numberShape.MatchString(number) {
			return plain + " " + f.plain, f.fix
		}
	}
	return plain, "Read the text that came with the error and check the field that it names. The CDS helpdesk can explain the code."
}

// unknownCode is the code of an error without one.
const unknownCode = "unknown"
