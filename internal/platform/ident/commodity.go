package ident

// CommodityCode is a tariff code or its beginning: six digits of the Harmonised System, eight of an export declaration,
// ten of an import declaration. Package tariff knows whether it exists.
type CommodityCode string

var commodityShape = newShape(`[0-9]{6,10}`, "must be 6 to 10 digits")

// ParseCommodityCode reads a code of six to ten digits.
func ParseCommodityCode(text string) (CommodityCode, error) {
	s, err := commodityShape.parse(text)
	return CommodityCode(s), err
}

// Chapter returns the first two digits.
func (c CommodityCode) Chapter() string { return string(c[:2]) }

// Heading returns the first four digits.
func (c CommodityCode) Heading() string { return string(c[:4]) }
