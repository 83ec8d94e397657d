package tss

import "testing"

// Restricted goods are known by their names, their isotopes, and what becomes of them.
func TestRestrictedByName(t *testing.T) {
	for need, texts := range map[string][]string{
		needsFirearm: {"Pistols 9 mm", "Shotgun cartridges 12 bore", "Toys; 5 machine guns", "Ammunition .22 LR", "Black powder", "Electric detonators", "Safety fuses, 100 m", "Detonating cord"},
		needsFirework: {"Display fireworks, category F3", "Firework rockets and fountains", "Candles; rocket fireworks", "Firecrackers", "Distress flares for lifeboats", "Signal flares for ships",
			"Chinese fireworks, 12 cartons"},
		needsCITES: {"Live parrots, African grey", "Elephant ivory carvings", "Rosewood guitar fingerboards, Dalbergia nigra", "Caviar of Beluga sturgeon", "Crocodile leather handbags",
			"Sea turtle shells", "Pangolin scales", "Snake skin belts python"},
		needsDrug:    {"Cocaine hydrochloride", "Morphine ampoules", "Cannabis resin", "Ketamine", "Opium"},
		needsNuclear: {"Uranium hexafluoride cylinders", "Caesium-137 sealed source", "Spent nuclear fuel", "Cobalt-60 radioactive source", "Depleted uranium counterweights"},
		needsWaste: {"Used tyres for recycling", "Waste batteries", "Electronic scrap, printed circuit boards", "Used batteries for recycling", "End-of-life vehicles for dismantling",
			"Municipal refuse", "Slag and ash from incineration", "Household rubbish baled", "Discarded computers for recovery"},
		"": {"Waste bins of plastic", "Rubbish bags", "Refuse sacks", "Recycling bins, used in offices", "Used cars", "Second-hand clothing", "Recycled paper notebooks", "Toy pistols", "Faux crocodile handbags",
			"Nuclear family board game", "Non-radioactive contrast fluid", "Iodine 10 % solution", "Carbon 12 mm tubes", "Recovery drinks", "Opium perfume",
			"Fireworks print cushions", "Posters of fireworks", "Tea towels with a fireworks motif", "Ear defenders for fireworks", "Flared jeans", "Toy fireworks set, wooden", "Lamps, not fireworks", "Gunpowder green tea", "Lockers for detonators", "Crocodile-style belts"},
	} {
		for _, text := range texts {
			if got := restrictedByName(text, ""); got != need {
				t.Errorf("%q: %q, not %q", text, got, need)
			}
		}
	}
}
