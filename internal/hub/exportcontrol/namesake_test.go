package exportcontrol

import "testing"

// A noun that ends the name of civil goods outweighs a single word for arms before it; a word in the plural, a part of arms and a word for
// soldiers do not give way.
func TestCivilNouns(t *testing.T) {
	for _, civil := range []string{
		"Torpedo onions, fresh", "Corvette rear brake discs", "Corvette car parts", "Destroyer jacket, wool", "Paper destroyer, cross cut", "Document destroyer",
		"Revolver leather hole punch", "Carbine snap hooks, stainless", "Carbine hook for dog leads", "Camera sniper bags", "Grenade pomegranate syrup", "Air-compressor silencer",
		"Pneumatic silencers, bronze", "Artillery fungus remover", "Fighter kite, silk", "Ammunition boots, brown leather",
	} {
		if got := Classify(Item{Description: civil}); got.Verdict != Free {
			t.Errorf("%q: %s, %s", civil, got.Verdict, got.Reasoning)
		}
	}
	for _, arms := range []string{
		"Torpedo motors", "Torpedoes, electric", "Detonators electric", "Destroyer radar masts", "Naval destroyer stores, paper", "Carbine stocks", "Revolvers, leather holsters", "Revolver cylinders", "Missile racks",
		"Corvette propulsion gearbox for the navy", "TNT flakes", "12 gauge shells", "Birdshot, 20 bore", ".45 ACP hollow point", "Brass cases .308 for reloading", "Bullets, 168 grain",
		"Rifle silencers", "Suppressor 9 mm pistol", "Bullet resistant helmets", "Army torpedo bags",
	} {
		if got := Classify(Item{Description: arms}); got.Verdict == Free {
			t.Errorf("%q needs no licence: %s", arms, got.Reasoning)
		}
	}
}

// Parts for civil goods are not arms, whatever they are called; but arms may be for such goods too.
func TestPartsForCivilGoods(t *testing.T) {
	for _, civil := range []string{"Revolver heads for lathes", "Bayonet fittings for lamps", "Carbine clasps for handbags"} {
		if got := Classify(Item{Description: civil}); got.Verdict != Free {
			t.Errorf("%q: %s, %s", civil, got.Verdict, got.Reasoning)
		}
	}
	for _, arms := range []string{"Bayonet lugs for rifles", "Torpedo tubes for submarines", "Howitzer barrels for museums", "Revolver grips for collectors", "Milling machine for howitzer barrels", "Cannon barrels for tanks"} {
		if got := Classify(Item{Description: arms}); got.Verdict == Free {
			t.Errorf("%q needs no licence: %s", arms, got.Reasoning)
		}
	}
}

// A name with its qualifier behind a comma is read as it is spoken.
func TestInvertedNames(t *testing.T) {
	for _, arms := range []string{"Mine, limpet", "Mines, anti-personnel", "Charge, shaped", "Gun, machine", "Pistols, signal"} {
		if got := Classify(Item{Description: arms}); got.Regime != Military {
			t.Errorf("%q: %s, %s", arms, got.Regime, got.Reasoning)
		}
	}
	for _, civil := range []string{"Bomb, bath", "Mine, coal", "Tank, water", "Gun, nail", "Cartridge, toner"} {
		if got := Classify(Item{Description: civil}); got.Verdict != Free {
			t.Errorf("%q: %s, %s", civil, got.Verdict, got.Reasoning)
		}
	}
}

// A wood is only a colour of goods that are never of wood.
func TestWoodsAsColours(t *testing.T) {
	for name, wood := range map[string]bool{
		"Ebony hair dye": false, "Rosewood lipstick": false, "Rosewood matt nail varnish": false, "Curtains, mahogany": false, "Ebony paint, 5 l": false,
		"Ebony piano keys": true, "Rosewood guitar fingerboard": true, "Rosewood oil": true, "Rosewood brush handles": true, "Furniture, rosewood": true, "Leather case with ebony handle": true,
	} {
		if got := Classify(Item{Description: name}); (got.Verdict != Free && got.Regime == CITES) != wood {
			t.Errorf("%q: %s %s, %s", name, got.Verdict, got.Regime, got.Reasoning)
		}
	}
}

// Animals and plants are known by the names of their orders, families and genera; goods that are only called like animals are not them.
func TestSpecies(t *testing.T) {
	for _, species := range []string{
		"Slipper orchids", "Snowy owl, taxidermy", "Live eels", "Glass eels, chilled", "Barn owl feathers", "Kestrel, mounted", "Buzzard skull", "Anaconda hides", "Water monitor skins", "Saiga horn", "Hornbill casque",
		"Poison dart frogs", "Requiem shark jaws", "Humphead wrasse, frozen", "Medicinal leeches", "Giraffe bone handles", "Otter pelts", "Dolphin skull", "Nautilus shell", "Palisander furniture", "Cocobolo blanks",
		"Oud oil", "Venus fly traps", "Goldenseal root powder", "Cycas revoluta plants", "Cyclamen coum tubers", "Crocodile belt", "Python boots", "Leopard coat", "Tiger bone wine",
	} {
		if got := Classify(Item{Description: species}); got.Regime != CITES {
			t.Errorf("%q: %s, %s", species, got.Regime, got.Reasoning)
		}
	}
	for _, namesake := range []string{
		"Owl-shaped clock", "Night owl coffee beans", "Kite string", "Rhino roof rack", "Jaguar car floor mats", "Jaguar brake pads", "Lynx body spray", "Puma trainers", "Gorilla glue", "Parrot cage", "Parrot food seed mix",
		"Hippo water roller", "Flamingo pool float", "Beluga black lentils", "Python wheel rims", "Cobra golf driver", "Crane hooks", "Otter box phone cases", "Monitor stands", "Shark fin antenna",
	} {
		if got := Classify(Item{Description: namesake}); got.Regime == CITES {
			t.Errorf("%q: %s", namesake, got.Reasoning)
		}
	}
}
