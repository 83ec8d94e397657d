package cbam

import "cmp"

// codeTexts are the texts of sources and bases of emissions figures.
var codeTexts = map[string]string{
	"SUPPLIER": "Figure from the supplier", "ESTIMATED_AI": "Estimated with an AI model", "ESTIMATED_DEFAULT": "Estimated from tables",
	"DEFAULT_VALUE": "Published default value of code and country", "TYPICAL_OF_GOODS_AND_COUNTRY": "Typical of the goods and the country",
	"TYPICAL_OF_GOODS": "Typical of the goods", "TYPICAL_OF_MAKING": "Typical of how the goods were made",
	"TYPICAL_OF_SECTOR_AND_COUNTRY": "Typical of the sector in the country", "TYPICAL_OF_SECTOR": "Typical of the sector",
}

// TextOf returns the text of a sector, a source or a basis of emissions figures; empty for another code.
func TextOf(code string) string { return cmp.Or(Sectors[Category(code)], codeTexts[code]) }
