package exportcontrol

import (
	"strings"
	"testing"
)

// Goods of a list are judged each by its own words, and the strictest verdict counts.
func TestListsOfGoods(t *testing.T) {
	for _, class := range []struct {
		name  string
		needs bool
		texts []string
	}{
		{"counts", true, []string{"Toys; 5 machine guns", "Toys in boxes, 12 machine guns", "T-shirts, 200 pcs; RPG rocket launchers, 4 pcs"}},
		{"clauses", true, []string{"Books about tanks; torpedoes", "Costumes for theatre; flame throwers", "Gun-shaped lighters\nsubmachine guns", "Water pistols; assault rifles"}},
		{"signs", true, []string{"Toys + machine guns", "Toys / machine guns / soap", "1) toys 2) machine guns", "• candles • landmines", "(1) mugs (2) hand grenades"}},
		{"plurals", true, []string{"Costume jewellery, night vision goggles generation 3", "Christmas baubles, candles, sniper rifles", "Machine guns, toys", "Toys of plastic, machine guns", "Kettle descaler, drones with bomb release, mugs"}},
		{"and", true, []string{"Soap with lavender, hand grenades and towels", "Chocolate eggs and artillery shells 155 mm", "Ladies' shoes & ammunition 9 mm", "Model railway sets and hand grenades"}},
		{"headings", true, []string{"Spare parts: door hinges, sniper rifles, paint"}},
		{"imitations in each place", false, []string{"Toy machine guns and toy soldiers", "Toy pistols, toy rifles; toy swords", "Missile-shaped dog toys; grenade-shaped mugs", "Video games; board games about torpedoes"}},
		{"one thing with commas", false, []string{"Toy pistol, caps 8 shot, orange tip", "Plastic toy guns, assorted colours, display boxes", "Toys, machine gun shaped", "Party balloons, grenade shaped, 50 pcs", "Figurine, soldier with rifle, resin"}},
		{"lists of what imitations show", false, []string{"Toys: machine guns, tanks and missiles of plastic", "Books and posters about tanks and missiles", "Plastic model kits of tanks, aircraft and warships", "Books: machine guns of the world", "Wooden toys: tank, rifle and grenade"}},
		{"soft material below a heading", false, []string{"Toys; plastic machine guns", "Toys; wooden rifles; foam grenades"}},
		{"names over a comma", false, []string{"Bottled water, tanks", "Toys, nail gun"}},
		{"decoys with and", false, []string{"Plates, mortar and pestle of marble", "Tank tops, blouses and skirts", "Nail guns, glue guns and staple guns"}},
	} {
		for _, text := range class.texts {
			if got := Classify(Item{Description: text, Destination: "US"}); (got.Verdict != Free) != class.needs {
				t.Errorf("%s: %q: %s, %s", class.name, text, got.Verdict, got.Reasoning)
			}
		}
	}
}

// A code for toys is of the toys, not of the arms beside them.
func TestCodeOfOneOfSeveralGoods(t *testing.T) {
	for text, needs := range map[string]bool{"Toys; 5 machine guns": true, "Toy machine guns": false, "Machine guns": false, "Toys; plastic machine guns": false} {
		if got := Classify(Item{Description: text, Code: "9503009990", Destination: "US"}); (got.Verdict != Free) != needs {
			t.Errorf("%q: %s, %s", text, got.Verdict, got.Reasoning)
		}
	}
}

// The time for a description of nothing but commas is limited.
func TestManyCommas(t *testing.T) {
	for _, text := range []string{strings.Repeat("toy, ", 20_000), strings.Repeat("toys, ", 20_000), strings.Repeat("a; ", 20_000)} {
		if all := goodsOf(text); len(all) > maxGoods+maxSeparators+1 {
			t.Errorf("%d goods", len(all))
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	for b.Loop() {
		Classify(Item{Description: "Cotton T-shirts, 200 pcs; ceramic mugs, kitchen scales and towels", Destination: "US"})
	}
}
