package ident

// EORI identifies a trader to customs authorities. Those of Great Britain and Northern Ireland are GB or XI and 12 or
// 15 digits; for a trader registered for VAT the digits begin with the VRN. For other countries only the outline is
// checked, because each member state has its own form.
type EORI string

const eoriRequirement = "must be GB or XI and 12 or 15 digits, or another country's two letters and up to 15 letters or digits"

var (
	eoriShape   = newShape(`[A-Z]{2}[A-Z0-9]{1,15}`, eoriRequirement)
	ukEORIShape = newShape(`(GB|XI)[0-9]{12}([0-9]{3})?`, eoriRequirement)
)

// ParseEORI reads an EORI of any country.
func ParseEORI(text string) (EORI, error) {
	s, err := eoriShape.parse(text)
	if err == nil && EORI(s).IsUK() {
		s, err = ukEORIShape.parse(s)
	}
	return EORI(s), err
}

// Country returns the country that issued the EORI; XI means Northern Ireland.
func (e EORI) Country() Country { return Country(e[:2]) }

// IsUK reports whether HMRC issued it, as GB or XI.
func (e EORI) IsUK() bool { return e.Country() == "GB" || e.Country() == NorthernIreland }

// Digits returns the part after the country, which a trader's GB and XI EORI share.
func (e EORI) Digits() string { return string(e[2:]) }
