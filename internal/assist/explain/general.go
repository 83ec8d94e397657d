package explain

import "strings"

// family is the explanation of codes that are not in the catalogue, by their first digits.
type family struct{ prefix, plain, fix string }

// families have the longer prefixes first.
var families = []family{
	{"100", "Codes like it say that one detail is missing, superfluous or written wrongly.", "Look at the field that is named here and compare it with your papers."},
	{"11", "Codes like it say that two details contradict each other, or that a request does not fit the declaration.", "Compare the details that belong together, such as counts and weights."},
	{"12", "Codes like it say that details, companies or permissions do not go together.", "Check the companies, permissions and procedures on the declaration against your papers."},
	{"13", "Codes like it are hints that a figure is unusual; they do not stop the declaration.", "Check weight, quantity and value, and do nothing if they are right."},
	{"14", "Codes like it say that a figure is hard to believe.", "Compare weight, quantity and value with the invoice and the packing list."},
	{"20", "Codes like it say that the port's record and the declaration differ.", "Compare reference and place of the goods with the carrier or shed."},
	{"40", "Codes like it say that the tariff asks something of the commodity that was not fulfilled.", "Look the commodity up in the tariff for your country of origin, and compare what it asks for."},
	{"50", "Codes like it come from the report of an arrival, a departure or a release.", "Check reference, place and time with whoever reported the movement."},
	{"60", "Codes like it come from asking customs about a declaration and do not touch it.", "Check the reference that you asked for, and ask again later."},
	{"77", "Codes like it say that something about a document is missing.", "Compare the document's code, number and status with the paper."},
	{"7", "Codes like it say that a licence is not accepted.", "Compare the licence with the declaration: number, holder, goods, country and dates."},
}

// generally returns a general explanation for a code that is not in the catalogue.
func generally(code string) (plain, fix string) {
	plain = "Customs sent the code " + code + ", which is not in our catalogue, so that this is a general answer."
	if code == unknownCode {
		plain = "No code of customs can be made out in this error, so that this is a general answer."
	}
	number := strings.TrimLeft(code, "CDMS")
	for _, f := range families {
		if strings.HasPrefix(number, f.prefix) && len(code) == len("CDS00000") && numberShape.MatchString(number) {
			return plain + " " + f.plain, f.fix
		}
	}
	return plain, "Read what customs wrote beside it and look at the field that it names. The customs help desk can tell what the code means."
}

// unknownCode is the code of an error without one.
const unknownCode = "unknown"
