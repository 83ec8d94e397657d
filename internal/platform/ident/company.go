package ident

// CompanyNumber is a number of the Companies House register: eight digits, or a prefix such as SC, NI or OC and six. BR
// is a UK establishment of a foreign company; old registered societies end in R or RS. Leading zeros are significant.
type CompanyNumber string

var companyShape = newShape(
	`[0-9]{8}|(AC|BR|CE|CS|FC|FE|GE|GN|GS|IC|IP|LP|NA|NC|NF|NI|NL|NO|NP|NR|NV|NZ|OC|OE|PC|RC|RS|SA|SC|SE|SF|SG|SI|SL|SO|SP|SR|SZ|ZC)[0-9]{6}|R[0-9]{7}|IP[0-9]{5}R|SP[0-9]{4}RS`,
	"must be 8 digits with leading zeros, or a prefix such as SC, NI or OC and 6 digits")

// ParseCompanyNumber reads a company number.
func ParseCompanyNumber(text string) (CompanyNumber, error) {
	s, err := companyShape.parse(text)
	return CompanyNumber(s), err
}
