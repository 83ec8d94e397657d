package ident

// EORI identifies a trader towards customs. Those of Great Britain and Northern
// Ireland are GB or XI and 12 digits, or 15; of a trader registered for VAT the
// digits begin with the VRN. Of other countries only the outline is checked,
// since each member state forms its own.
type EORI string

const eoriMust = "must be GB or XI and 12 or 15 digits, or another country's two letters and up to 15 letters or digits"

var (
	eoriShape   = newShape(`[A-Z]{2}[A-Z0-9]{1,15}`, eoriMust)
	ukEORIShape = newShape(`(GB|XI)[0-9]{12}([0-9]{3})?`, eoriMust)
)

// ParseEORI reads an EORI of any country.
func ParseEORI(text string) (EORI, error) {
	s, err := eoriShape.parse(text)
	if err == nil && EORI(s).IsUK() {
		s, err = ukEORIShape.parse(s)
	}
	return EORI(s), err
}

// Country is where the EORI was issued; XI means Northern Ireland.
func (e EORI) Country() Country { return Country(e[:2]) }

// IsUK tells whether HMRC issued it, as GB or as XI.
func (e EORI) IsUK() bool { return e.Country() == "GB" || e.Country() == NorthernIreland }

// Digits is the part after the country, which a trader's GB and XI EORI share.
func (e EORI) Digits() string { return string(e[2:]) }
