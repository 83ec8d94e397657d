package exportcontrol

import "testing"

// A word for the military makes a platform military within four words that tell something; small words between them do not count.
func TestPlatformsOfForces(t *testing.T) {
	for _, arms := range []string{
		"Helicopters to be used by the air force", "Helicopters destined for the Royal Thai Air Force", "Trailers, three-axle, to be delivered to the armed forces", "Buses for soldiers",
		"Tugboat for the navy dockyard", "Simulators for air force pilots", "Trucks for the gendarmerie", "Boats of the border guard", "Lorries for a paramilitary unit",
	} {
		if got := Classify(Item{Description: arms, Destination: "KE"}); got.Regime != Military {
			t.Errorf("%q: %s, %s", arms, got.Regime, got.Reasoning)
		}
	}
	for _, civil := range []string{
		"Fire brigade trucks", "Salvation Army van", "Truck tyres, army green", "Navy blue boat shoes", "Helicopter for tours of the museum of the air force", "Flight simulator games",
		"Buses for the city of Nairobi", "Boat varnish, navy blue", "Book about ships of the navy",
	} {
		if got := Classify(Item{Description: civil, Destination: "KE"}); got.Verdict != Free {
			t.Errorf("%q: %s, %s", civil, got.Verdict, got.Reasoning)
		}
	}
}

// The words for the military in an end use are those in a description; surplus of an army is military for a country under an embargo only.
func TestForcesUnderEmbargo(t *testing.T) {
	for description, free := range map[string]bool{
		"Army surplus tents": false, "Military surplus clothing": false, "Barracks beds": false, "Defense force helmets": false, "Gendarmerie uniforms": false, "Blankets for the garrison": false,
		"Military style jackets": true, "Navy blue cotton trousers": true, "Tents for camping": true, "Fire brigade uniforms": true,
	} {
		if got := Classify(Item{Description: description, Destination: "ZW"}); (got.Verdict == Free) != free {
			t.Errorf("%q: %s, %s", description, got.Verdict, got.Reasoning)
		}
	}
	for _, description := range []string{"Army surplus tents", "Military surplus clothing", "Barracks beds", "Gendarmerie uniforms"} {
		if got := Classify(Item{Description: description, Destination: "FR"}); got.Verdict != Free {
			t.Errorf("%q for France: %s, %s", description, got.Verdict, got.Reasoning)
		}
	}
}
