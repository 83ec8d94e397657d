package exportcontrol_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

func verdict(t *testing.T, name string, i exportcontrol.Item, want exportcontrol.Verdict, regime exportcontrol.Regime) exportcontrol.Classification {
	t.Helper()
	c := exportcontrol.Classify(i)
	if c.Verdict != want || c.Regime != regime {
		t.Errorf("%s: got %s %s, want %s %s: %s", name, c.Verdict, c.Regime, want, regime, c.Reasoning)
	}
	return c
}

func finds(c exportcontrol.Classification, code string) bool {
	return slices.ContainsFunc(c.Findings, func(f rules.Finding) bool { return f.Code == code })
}

// The end use has priority over the goods, unless it is negated.
func TestEndUse(t *testing.T) {
	for _, c := range []struct {
		name    string
		item    exportcontrol.Item
		verdict exportcontrol.Verdict
		regime  exportcontrol.Regime
		finding string
	}{
		{"missiles", exportcontrol.Item{Description: "Steel tubes", EndUse: "Production of ballistic missiles", Destination: "BR"}, exportcontrol.Needs, exportcontrol.WMDEndUse, "CTL-001"},
		{"no missiles", exportcontrol.Item{Description: "Steel tubes", EndUse: "Not for use in ballistic missiles", Destination: "BR"}, exportcontrol.Free, exportcontrol.None, ""},
		{"no weapons of any kind", exportcontrol.Item{Description: "Steel tubes", EndUse: "Furniture; neither nuclear weapons nor missiles", Destination: "BR"}, exportcontrol.Free, exportcontrol.None, ""},
		{"army in Myanmar", exportcontrol.Item{Description: "Office chairs", EndUse: "Canteen of the army", Destination: "MM"}, exportcontrol.Needs, exportcontrol.MilitaryEndUse, "CTL-002"},
		{"army as end user", exportcontrol.Item{Description: "Office chairs", EndUser: "Ministry of Defence, Naypyidaw", Destination: "MM"}, exportcontrol.Needs, exportcontrol.MilitaryEndUse, "CTL-002"},
		{"army in France", exportcontrol.Item{Description: "Office chairs", EndUse: "Canteen of the army", Destination: "FR"}, exportcontrol.Free, exportcontrol.None, "CTL-002"},
		{"fire brigade in Myanmar", exportcontrol.Item{Description: "Office chairs", EndUse: "Fire brigade", Destination: "MM"}, exportcontrol.Free, exportcontrol.None, ""},
		{"arms for an army in Sudan", exportcontrol.Item{Description: "Assault rifles", EndUse: "Army", Destination: "SD"}, exportcontrol.Needs, exportcontrol.Military, "CTL-005"},
		{"parts for a fighter", exportcontrol.Item{Description: "Aluminium bracket", EndUse: "Fitted to a fighter aircraft", Destination: "FR"}, exportcontrol.Probably, exportcontrol.Military, "CTL-002"},
		{"nuclear power", exportcontrol.Item{Description: "Carbon steel pipes", EndUse: "Cooling water of a nuclear power station", Destination: "CA"}, exportcontrol.Free, exportcontrol.None, "CTL-003"},
		{"the Crimea", exportcontrol.Item{Description: "Window frames", EndUse: "Hotel in Yalta", Destination: "UA"}, exportcontrol.Needs, exportcontrol.Sanctions, ""},
		{"Odesa", exportcontrol.Item{Description: "Window frames", EndUse: "Hotel in Odesa", Destination: "UA"}, exportcontrol.Free, exportcontrol.None, ""},
	} {
		got := verdict(t, c.name, c.item, c.verdict, c.regime)
		if c.finding != "" && !finds(got, c.finding) {
			t.Errorf("%s: no %s in %+v", c.name, c.finding, got.Findings)
		}
	}
}

// The result depends on the destination.
func TestDestinations(t *testing.T) {
	for _, c := range []struct {
		name, goods, code, to string
		verdict               exportcontrol.Verdict
		regime                exportcontrol.Regime
		licence               string
	}{
		{"tool to Germany", "Five-axis machining centre", "", "DE", exportcontrol.Needs, exportcontrol.DualUse, "OPEN_GENERAL"},
		{"tool to Brazil", "Five-axis machining centre", "", "BR", exportcontrol.Needs, exportcontrol.DualUse, "DUAL_USE_SIEL"},
		{"tool to Iran", "Five-axis machining centre", "", "IR", exportcontrol.Needs, exportcontrol.Sanctions, "DUAL_USE_SIEL"},
		{"tool to Leeds", "Five-axis machining centre", "", "GB", exportcontrol.Free, exportcontrol.None, ""},
		{"tool to Belfast", "Five-axis machining centre", "", "XI", exportcontrol.Free, exportcontrol.None, ""},
		{"ricin to Germany", "Ricin, purified", "", "DE", exportcontrol.Needs, exportcontrol.DualUse, "DUAL_USE_SIEL"},
		{"rifles to Russia", "Sporting rifles", "", "RU", exportcontrol.Needs, exportcontrol.Sanctions, "STRATEGIC_CONTROL"},
		{"cheese to Belfast", "Cheddar cheese", "", "XI", exportcontrol.Probably, exportcontrol.EHC, "EHC"},
		{"caviar to Belfast", "Sturgeon caviar", "", "XI", exportcontrol.Needs, exportcontrol.CITES, "CITES"},
		{"cheese to Russia", "Cheddar cheese", "", "RU", exportcontrol.Needs, exportcontrol.EHC, "EHC"},
		{"chips to Turkey", "Microcontrollers", "854231", "TR", exportcontrol.Free, exportcontrol.None, ""},
		{"chips to Belarus", "Microcontrollers", "854231", "BY", exportcontrol.Needs, exportcontrol.Sanctions, "DUAL_USE_SIEL"},
		{"dinghies to Libya", "Inflatable boats with outboard motors", "8903110000", "LY", exportcontrol.Needs, exportcontrol.Sanctions, "DUAL_USE_SIEL"},
		{"dinghies to Spain", "Inflatable boats with outboard motors", "8903110000", "ES", exportcontrol.Free, exportcontrol.None, ""},
		{"anything to North Korea", "Paper cups", "", "KP", exportcontrol.Needs, exportcontrol.Sanctions, "DUAL_USE_SIEL"},
	} {
		got := verdict(t, c.name, exportcontrol.Item{Description: c.goods, Code: c.code, Destination: c.to}, c.verdict, c.regime)
		licence := ""
		if got.LicenceType != nil {
			licence = *got.LicenceType
		}
		if licence != c.licence {
			t.Errorf("%s: %s, not %s", c.name, licence, c.licence)
		}
	}
	if c := exportcontrol.Classify(exportcontrol.Item{Description: "Microcontrollers", Code: "854231", Destination: "TR"}); !finds(c, "CTL-007") {
		t.Errorf("there is no finding about the route to Russia: %+v", c.Findings)
	}
}

// Cryptography counts by its purpose, and hardly if the exporter says that there is none.
func TestCryptography(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		goods   string
		says    *bool
		verdict exportcontrol.Verdict
		finding string
	}{
		{"Network encryptor", nil, exportcontrol.Needs, "CTL-020"},
		{"Network encryptor", &yes, exportcontrol.Needs, "CTL-020"},
		{"Network encryptor", &no, exportcontrol.Probably, "CTL-020"},
		{"Industrial controller", nil, exportcontrol.Free, ""},
		{"Industrial controller", &yes, exportcontrol.Probably, "CTL-020"},
		{"Industrial controller", &no, exportcontrol.Free, ""},
		{"Smartphone, boxed for retail", &yes, exportcontrol.Free, "CTL-019"},
		{"Secure phone with end-to-end encryption, sold in shops", &yes, exportcontrol.Needs, "CTL-020"},
		{"Payment terminal", &yes, exportcontrol.Free, "CTL-019"},
		{"Disk encryption software", &yes, exportcontrol.Needs, "CTL-020"},
	} {
		got := exportcontrol.Classify(exportcontrol.Item{Description: c.goods, Destination: "IN", Cryptography: c.says})
		if got.Verdict != c.verdict || c.finding != "" && !finds(got, c.finding) {
			t.Errorf("%s, %v: %s %+v", c.goods, c.says, got.Verdict, got.Findings)
		}
	}
}

// The exporter's rating decides, and an invalid code has a finding.
func TestCodes(t *testing.T) {
	for code, want := range map[string]struct {
		verdict exportcontrol.Verdict
		entry   string
		finding string
	}{
		"ML10.a": {exportcontrol.Needs, "ML10", ""}, "ml 10 (a)": {exportcontrol.Needs, "ML10", ""}, "5A002.a.1": {exportcontrol.Needs, "5A002", "CTL-020"}, "PL5001c": {exportcontrol.Needs, "PL5001", ""},
		"ML23": {exportcontrol.Needs, "ML23", "CTL-018"}, "8A017": {exportcontrol.Needs, "8A017", "CTL-018"}, "9302000000": {exportcontrol.Needs, "ML1", ""}, "93": {exportcontrol.Free, "", "CTL-017"},
		"9999999999": {exportcontrol.Free, "", "CTL-017"}, "'; DROP TABLE": {exportcontrol.Free, "", "CTL-017"},
	} {
		got := exportcontrol.Classify(exportcontrol.Item{Description: "Brass fittings", Code: code, Destination: "IN"})
		entry := ""
		if len(got.Entries) > 0 {
			entry = got.Entries[0].Entry
		}
		if got.Verdict != want.verdict || entry != want.entry || want.finding != "" && !finds(got, want.finding) {
			t.Errorf("%s: %s %s %+v", code, got.Verdict, entry, got.Findings)
		}
	}
}

// Words are recognised in all spellings, and an unreadable description is not free.
func TestSpelling(t *testing.T) {
	for _, text := range []string{
		"ASSAULT RIFLES", "assault-rifle", "Ａｓｓａｕｌｔ　ｒｉｆｌｅ", "assault rіflеs", "ass\u200bault rifle", "Assault\nrifle", "assault_rifle", "Винтовка", "步枪零件", "Maschinengewehr", "بندقية",
	} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "RS"}, exportcontrol.Needs, exportcontrol.Military)
	}
	for _, text := range []string{"工业机床零件", "Оборудование для завода", "Goods", "…", "12345"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "AE"}, exportcontrol.Probably, exportcontrol.None)
	}
	verdict(t, "with a code", exportcontrol.Item{Description: "棉质T恤", Code: "6109100010", Destination: "AE"}, exportcontrol.Free, exportcontrol.None)
}

// Words for arms in the names of harmless goods are not controls, and toys are controlled only for a reason.
func TestHarmlessNames(t *testing.T) {
	for _, text := range []string{
		"Water pistols", "Fish tank with pump", "Bath bombs", "Printer cartridges", "Lime mortar", "Rocket salad", "Hot glue gun", "Exhaust silencer for motorcycles", "Toy machine gun",
		"Replica cannon, ornament for the garden", "Poster of a fighter aircraft", "Laser printer", "Ivory coloured satin dress", "Crocodile print handbag", "Milk chocolate bars", "Horse blanket",
		"Book on the history of artillery", "Swiss army knife", "Navy blue suits", "Nail gun", "Fuel tank for a lawn mower", "Confetti cannon",
	} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Free, exportcontrol.None)
	}
}

// Prohibited goods have a blocker.
func TestProhibited(t *testing.T) {
	for text, code := range map[string]string{"Anti-personnel mines": "CTL-010", "Cluster munitions": "CTL-010", "Thumbscrews": "CTL-009", "Electric chair for executions": "CTL-009"} {
		if c := exportcontrol.Classify(exportcontrol.Item{Description: text, Destination: "SA"}); c.Verdict != exportcontrol.Needs || !finds(c, code) || c.Findings[0].Severity != rules.Blocker {
			t.Errorf("%s: %s %+v", text, c.Verdict, c.Findings)
		}
	}
}

// The same goods have the same complete result: no nil lists, and confidences within their bounds.
func TestResults(t *testing.T) {
	for _, l := range slices.Concat(readLabels(t, "development.csv"), []labelled{{}, {item: exportcontrol.Item{Description: strings.Repeat("gun ", 5000), EndUse: strings.Repeat("not ", 5000), Destination: "??"}}}) {
		c := exportcontrol.Classify(l.item)
		if c.Entries == nil || c.Findings == nil || len(c.Entries) > 5 || c.Confidence < 0 || c.Confidence > 1 || c.Reasoning == "" {
			t.Errorf("%+v: %+v", l.item, c)
		}
		for _, e := range c.Entries {
			if e.Title == "" || e.Why == "" || e.Regime == "" || e.Confidence <= 0 || e.Confidence > 1 {
				t.Errorf("%+v: %+v", l.item, e)
			}
		}
		for _, f := range c.Findings {
			if f.Code == "" || f.Field == "" || f.Message == "" || f.Suggestion == "" || f.Source == "" {
				t.Errorf("%+v: %+v", l.item, f)
			}
		}
		if again := exportcontrol.Classify(l.item); !reflect.DeepEqual(again, c) {
			t.Errorf("%+v: another answer: %+v, %+v", l.item, c, again)
		}
	}
}

// The entries are those of the classification, if one of them is of a regime that is asked for.
func TestEntriesAlone(t *testing.T) {
	for _, c := range []struct {
		item exportcontrol.Item
		some bool
	}{
		{exportcontrol.Item{}, false},
		{exportcontrol.Item{Description: "Plucked and drawn chickens", Code: "0207129000"}, false},
		{exportcontrol.Item{Description: "Ivory carvings of elephants", Code: "9601100000"}, true},
		{exportcontrol.Item{Description: "Ephedrine, 25 kg"}, true},
		{exportcontrol.Item{Description: "VPN gateway appliance with AES-256 encryption for data centres"}, false},
		{exportcontrol.Item{Description: "Toy pistols", Code: "9503009990", EndUse: "Games"}, false},
	} {
		got, want := exportcontrol.Entries(c.item, exportcontrol.CITES, exportcontrol.Drugs), exportcontrol.Classify(c.item).Entries
		if !c.some {
			want = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %+v, not %+v", c.item, got, want)
		}
	}
}

// A word for a kind of ammunition is of arms only beside a word for ammunition or a calibre.
func TestTracers(t *testing.T) {
	for _, text := range []string{"Tracer rounds 5.56 x 45", "Ammunition, tracer, 12.7 mm", "Linked tracer cartridges", "Red tracer bullets", "Projectiles, 20 mm, tracer"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Needs, exportcontrol.Military)
	}
	verdict(t, "a calibre", exportcontrol.Item{Description: "7.62 mm tracer", Destination: "US"}, exportcontrol.Probably, exportcontrol.Military)
	for _, text := range []string{"Tracer dye for leak detection", "Tracer gas, helium", "Curve tracer for transistors", "GPS tracer for dogs", "Tracer wheels for sewing", "Tracer wire for buried pipes", "Steam tracers"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Free, exportcontrol.None)
	}
}

// Goods in the style, colour or print of a species are not of it; toys and books may be.
func TestStylesOfSpecies(t *testing.T) {
	for _, text := range []string{"Crocodile-style belts", "Rosewood-coloured laminate", "Python-effect handbags", "Leopard-look scarves", "Tortoiseshell patterned spectacle frames", "Ivory-colour tiles"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Free, exportcontrol.None)
	}
	for _, text := range []string{"Crocodile belts in the Italian style", "Crocodile-style belts with python straps", "Printed python leather", "Ivory chess pieces"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Needs, exportcontrol.CITES)
	}
}

// The noun at the end names the goods: what stands before it is only their kind, if it is food, drink or a book. A place of origin is
// no weapon.
func TestNounAtTheEnd(t *testing.T) {
	for _, text := range []string{"Gunpowder green tea", "Torpedo bread, frozen", "Stinger nettle tea", "Fighter fish food", "Howitzer coffee 500 g", "Silk sarees made in Bangalore"} {
		if c := exportcontrol.Classify(exportcontrol.Item{Description: text, Destination: "US"}); c.Regime == exportcontrol.Military {
			t.Errorf("%q: %s", text, c.Reasoning)
		}
	}
	for _, text := range []string{"Gunpowder", "Torpedo water tunnel", "Howitzers and tea", "Bangalore torpedoes", "Gunpowder, tea", "Sniper rifles for salmon", "Grenades in coffee tins"} {
		verdict(t, text, exportcontrol.Item{Description: text, Destination: "US"}, exportcontrol.Needs, exportcontrol.Military)
	}
}
