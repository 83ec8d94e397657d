package origin

import (
	"strings"
	"testing"
)

// Every family of published texts becomes the conditions that its words state.
func TestCompile(t *testing.T) {
	const finishing = "(such as scouring, bleaching, mending and burling)"
	for text, want := range map[string]string{
		"Manufacture from materials of any heading, except that of the product.":                                                    "change 4",
		"Manufacture from materials of any subheading, except that of the good":                                                     "change 6",
		"Manufacture from materials of any heading.":                                                                                "none",
		"Production from non-originating materials of any heading.":                                                                 "none",
		"Manufacture from materials of any heading, including other materials of [heading&nbsp;1702](/headings/1702).":              "none",
		"Manufacture in which the value of all the materials used does not exceed **47.5 %** of the ex‐works price of the product.": "[] max 47.5% of EXW",
		"Manufacture in which all the materials used are classified within a heading other than that of the product.":               "change 4",
		"<abbr title='Change of tariff heading'>CTH</abbr>: All non-originating materials used in the production of the good have undergone a change in tariff classification at the 4-digit level (tariff heading).":                                              "change 4",
		"Manufacture from materials of any heading, except that of the product. However, materials of the same heading as the product may be used, provided that their total value does not exceed **20%** of the ex-works price of the product.":                  "all(change 4 allowing [same 4 digits]; [same 4 digits] max 20% of EXW)",
		"Manufacture:\n\n- from materials of any heading, except that of the product, *and*\n\n- in which the value of all the materials used does not exceed **40%** of the ex-works price of the product.":                                                       "all(change 4; [] max 40% of EXW)",
		"Manufacture in which:\n\n- the value of all the materials used does not exceed 40% of the ex-works price of the product, *and*\n\n- the value of all the non-originating materials used does not exceed the value of all the originating materials used.": "all([] max 40% of EXW; non-originating <= originating)",
		"Manufacture in which:\n\nall the materials used are classified within a heading other than that of the product\n\nthe value of all the materials used does not exceed **40%** of the ex-works price of the product.":                                      "all(change 4; [] max 40% of EXW)",
		"Manufacture from materials of any heading, except heading 4104 to heading 4113.":                                                                                   "none except [4104-4113]",
		"Manufacture from materials of any heading, except those of heading 0203 or bones of heading 0506.":                                                                 "none except [0203 or ['bones of heading 0506' 0506]]",
		"Manufacture from materials of any heading, except that of the product. However, waste and scrap of heading 7902 may not be used.":                                  "all(change 4; none except ['waste and scrap of heading 7902' 7902])",
		"Manufacture from materials of any heading, except that of the product. However, handles of base metal may be used.":                                                "change 4 allowing ['handles of base metal']",
		"Manufacture from materials of any heading. However, the value of all the materials of heading 2909 used must not exceed 20% of the ex-works price of the product.": "all(none; [2909] max 20% of EXW)",
		"Manufacture in which all the materials of chapter 2 and chapter 3 used must be wholly obtained.":                                                                   "obtained [02 03]",
		"Manufacture in which at least 70% by weight of the unmanufactured tobacco or tobacco refuse of heading 2401 used is originating.":                                  "originating 70% of ['unmanufactured tobacco or tobacco refuse of heading 2401' 2401]",
		"Manufacture in which all the materials used are originating.":                                                                                                      "none except [all]",
		"Manufacture from:\n\n- natural fibres, *or*\n\n- chemical materials or textile pulp.":                                                                              "from ['natural fibres' 'chemical materials or textile pulp']",
		"Manufacture from unembroidered fabric, provided that the value of the unembroidered fabric used does not exceed 40% of the ex-works price of the product.":         "all(from ['unembroidered fabric']; ['unembroidered fabric'] max 40% of EXW)",
		"Manufacture from materials of heading 4104, provided that their total value does not exceed 50% of the ex-works price of the product.":                             "all(from [4104]; [4104] max 50% of EXW)",
		"Manufacture from yarn.\n\nFor special conditions relating to products made of a mixture of textile materials, see Introductory Note 5.":                            "from ['yarn']",
		"Manufacture from materials of any heading, except that of the good, in which:\n\n- the individual weight of sugar and of the materials of chapter 4 used does not exceed 20% of the weight of the final good, and\n\n- the total combined weight of sugar and the materials of chapter 4 used does not exceed 40% of the weight of the final good.": "all(change 4; ['sugar'] max 20% of mass; [04] max 20% of mass; ['sugar' 04] max 40% of mass)",
		"A change from any other heading, except from heading 8466.": "change 4 except [8466]",
		"A change from within this heading or any other heading.":    "none",
		"A change from within any one of these heading, whether or not there is also a change from any other heading, provided that the value of non-originating materials classified in the same heading as the final product does not exceed 50% of the transaction value or ex-works price of the product.": "all(none; [same 4 digits] max 50% of EXW)",
		"A change to a good of subheading 030611 through 030614 from any other chapter.":                    "all(for [030611-030614]; change 2)",
		"A change to any other good of subheading 845690 from any other heading, except from heading 8466.": "all(for ['any other good of subheading 845690' 845690]; change 4 except [8466])",
		"No change in tariff classification required for a good of heading 8501, provided there is a regional value content of not less than:\n\n- a) 35% under the build-up method.\n- b) 45% under the build-down method.\n- c) 55% under the focused value method taking into account only the non-originating materials of heading 8503.": "all(for [8501]; any(content up 35% of FOB; content down 45% of FOB; [8503] max 45% of FOB))",
		"A maximum of **50%** of the ex-works price (EXW) is made up of non-originating parts (MAXNOM).":                                                                                                               "[] max 50% of EXW",
		"Your goods contain a Regional Value Content (RVC) of at least **55%** of the Free on Board (FOB) cost of the goods.":                                                                                          "content down 55% of FOB",
		"Making-up including cutting of fabric, provided that the value of non-originating materials used does not exceed 50% of the ex-works price (EXW) or 45% of the Free on Board (FOB) cost of the product.":      "all(MAKING_UP_INCLUDING_CUTTING; any([] max 50% of EXW; [] max 45% of FOB))",
		"Weaving combined with dyeing or with coating or with laminating.":                                                                                                                                             "all(WEAVING; any(DYEING; COATING; LAMINATING))",
		"Spinning of natural fibres or extrusion of man-made filament yarn, in each case accompanied by weaving.":                                                                                                      "all(any(SPINNING_OF_NATURAL_FIBRES; EXTRUSION_OF_MAN_MADE_FILAMENT_YARN); WEAVING)",
		"Extrusion of man-made fibres accompanied by spinning or spinning of natural fibres.":                                                                                                                          "readings(all(EXTRUSION_OF_MAN_MADE_FIBRES; any(SPINNING; SPINNING_OF_NATURAL_FIBRES)); any(all(EXTRUSION_OF_MAN_MADE_FIBRES; SPINNING); SPINNING_OF_NATURAL_FIBRES))",
		"Printing accompanied by at least two preparatory or finishing operations " + finishing + ", provided that the value of the unprinted fabric used does not exceed 47.5% of the ex-works price of the product.": "all(PRINTING; 2 of [SCOURING BLEACHING MENDING BURLING]; ['unprinted fabric'] max 47.5% of EXW)",
		"A chemical reaction, purification, a change in particle size, or biotechnological processing is undergone.":                                                                                                   "any(CHEMICAL_REACTION; PURIFICATION; CHANGE_IN_PARTICLE_SIZE; BIOTECHNOLOGICAL_PROCESSING)",
		"Operations of refining and / or one or more specific process(es).":                                                                                                                                            "any(REFINING; SPECIFIC_PROCESSES)",
		"Planing, sanding or end-jointing.": "any(PLANING; SANDING; END_JOINTING)",
		"Carding or combing of silk waste.": "CARDING_OR_COMBING_OF_SILK_WASTE",
		"Enriching of the carbon content, purifying and grinding of crude crystalline graphite.": "ENRICHING_OF_THE_CARBON_CONTENT_PURIFYING_AND_GRINDING_OF_CRUDE_CRYSTALLINE_GRAPHITE",
	} {
		n, ok := Compile(text)
		if got := n.String(); !ok || got != want {
			t.Errorf("%s\n got %v %s\nwant %s", text, ok, got, want)
		}
	}
}

// A text with one word that the grammar does not have is not compiled as a whole.
func TestNotCompiled(t *testing.T) {
	for _, text := range []string{
		"",
		"The origin of the product in its original classification shall be retained.",
		"Manufacture from materials of any heading, except that of the product, in accordance with Appendix 2A.",
		"Manufacture from materials of any heading, except that of the product - within the limits of the annual quota.",
		"Manufacture in which the value of all the materials used does not exceed 140% of the ex-works price of the product.",
		"Manufacture in which the value of all the materials used does not exceed 40% of the moon.",
		"Manufacture from materials of any heading, except that of the product. However, hope may.",
		"80% of the net cost of the product.",
		"Each item in the set must satisfy the rule which would apply to it if it were not included in the set.",
		"Manufacture:\n\n- from animals of chapter 1, and/or\n\n- in which all the materials of chapter 3 used are wholly obtained.",
		"A change from any other subheading, provided that the change is the result of more than packaging.",
		strings.Repeat("weaving ", 5000),
	} {
		if n, ok := Compile(text); ok {
			t.Errorf("%.80s: compiled as %s", text, n)
		}
	}
}

// In a list of conditions that must all hold, those that are understood stay, so that the rule can still fail.
func TestPartlyCompiled(t *testing.T) {
	n, ok := Compile("Manufacture:\n\n- from materials of any heading, except that of the product, and\n\n- on a Tuesday.")
	if want := `all(change 4; unread "on a tuesday .")`; ok || n.String() != want {
		t.Errorf("got %v %s, want %s", ok, n, want)
	}
}

// FuzzCompile: no text panics or takes long, and what is compiled has no unread part and not too many alternatives.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		"Manufacture from materials of any heading, except that of the product.", "Manufacture:\n\n- from yarn, or\n\n- in which A, and", "CTH: ((((", "A change to lamps of heading 9405 from",
		"Weaving or, knitting or, or accompanied by", "No change in tariff classification required for", "- b) 40% under the build-down method.", "<a><b>&nbsp;[x](y)**%%",
		"Printing accompanied by at least two preparatory or finishing operations (such as", "Manufacture in which all the materials of chapter 4 to chapter 2 used",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := Compile(text)
		if ok && n.unread() {
			t.Errorf("%q: compiled, with an unread part", text)
		}
		if all, fits := clauses(n); fits && len(all) > maxClauses {
			t.Errorf("%q: %d readings", text, len(all))
		}
	})
}
