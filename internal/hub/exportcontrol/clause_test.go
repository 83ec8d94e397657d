package exportcontrol

import "testing"

// A toy in another clause says nothing about a rifle, but a short first clause is the heading of all that follow.
func TestImitationsInOtherClauses(t *testing.T) {
	for description, needs := range map[string]bool{
		"Hunting rifle; toy packaging":            true,
		"Rifle, calibre .308. Toy cars, plastic.": true,
		"Toy gun\nAssault rifle":                  true,
		"No. 12, toy; gun-shaped soap.":           false,
		"Toys; plastic machine guns":              false,
		"Toy rifle, plastic. Made in China":       false,
		"Toy, cal. .308 rifle, plastic":           false,
	} {
		if got := Classify(Item{Description: description}).Verdict != "no_licence_needed"; got != needs {
			t.Errorf("%q needs a licence: %v", description, got)
		}
	}
}
