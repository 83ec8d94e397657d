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
