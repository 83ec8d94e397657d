package nomenclature

import "strconv"

// sections are the sections of the Harmonised System 2022, each with its last chapter.
var sections = []struct {
	last          int
	number, title string
}{
	{5, "I", "Live animals; animal products"}, {14, "II", "Vegetable products"}, {15, "III", "Animal, vegetable or microbial fats and oils"},
	{24, "IV", "Prepared foodstuffs; beverages, spirits and vinegar; tobacco"}, {27, "V", "Mineral products"}, {38, "VI", "Products of the chemical or allied industries"},
	{40, "VII", "Plastics and rubber, and articles thereof"}, {43, "VIII", "Hides, skins, leather, furskins and articles thereof"}, {46, "IX", "Wood, cork, straw and articles thereof"},
	{49, "X", "Pulp of wood; paper and paperboard and articles thereof"}, {63, "XI", "Textiles and textile articles"}, {67, "XII", "Footwear, headgear, umbrellas and prepared feathers"},
	{70, "XIII", "Articles of stone, ceramic products and glass"}, {71, "XIV", "Pearls, precious stones and metals, jewellery, coin"}, {83, "XV", "Base metals and articles of base metal"},
	{85, "XVI", "Machinery and electrical equipment"}, {89, "XVII", "Vehicles, aircraft, vessels and transport equipment"}, {92, "XVIII", "Optical, measuring and medical instruments; clocks; musical instruments"},
	{93, "XIX", "Arms and ammunition"}, {96, "XX", "Miscellaneous manufactured articles"}, {97, "XXI", "Works of art, collectors' pieces and antiques"},
}

// SectionOf returns the number and the title of the section of a code in the Harmonised System; empty if it has none.
func SectionOf(code string) (number, title string) {
	if len(code) < 2 {
		return "", ""
	}
	chapter, err := strconv.Atoi(code[:2])
	if err != nil || chapter < 1 {
		return "", ""
	}
	for _, s := range sections {
		if chapter <= s.last {
			return s.number, s.title
		}
	}
	return "", ""
}
