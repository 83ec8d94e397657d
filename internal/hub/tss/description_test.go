package tss_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func hasFinding(t *testing.T, description string) bool {
	return len(suite.Changed(t, fromGB, func(d body) { d.GoodsDescription = description })) > 0
}

// Vague descriptions have a finding, and specific ones have none.
func TestVagueDescriptions(t *testing.T) {
	for _, text := range []string{
		"Goods", "PARTS", "spare parts", "Spare parts for machines", "Mixed goods", "household items", "General cargo (12 pallets)", "Iron and steel",
		"Clothing & footwear", "electronic equipment", "Medical supplies", "Toys", "leather articles", "as per attached invoice", "Gifts/samples",
		"84713000", "Food", "N/A", "???", "Freight of all kinds", "Various products",
	} {
		if !hasFinding(t, text) {
			t.Errorf("%q has no finding", text)
		}
	}
	for _, text := range []string{
		"Plastic toys", "Toys, plastic", "Steel pipes", "Men's cotton T-shirts", "Cheddar cheese", "Whisky", "Frozen fish fillets", "Bicycle parts", "Mixed nuts",
		"Electric espresso machines for household use", "Olive oil, extra virgin", "Used passenger cars", "Paper napkins", "Aluminium ladders",
		"Laptop computers", "Medicine cabinets", "Leather handbags", "Agricultural tractors", "Fresh apples", "Chocolate and biscuits",
		"Ham and cheese sandwiches", "Printed circuit boards", "Dog food", "Hand tools", "Plant pots", "Vehicle seats", "Birthday cards", "Decorative tiles", "Used cars",
	} {
		if hasFinding(t, text) {
			t.Errorf("%q has a finding", text)
		}
	}
}

// At least 98% of the stop words that ICS2 rejects have a finding.
func TestStopWords(t *testing.T) {
	f, err := os.Open("../../../../shared/domain/data/ics2/ics2_stop_words.txt")
	if err != nil {
		t.Skip("the list of stop words is not available")
	}
	defer f.Close()
	var missed []string
	count := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if word := lines.Text(); word != "" && !strings.HasPrefix(word, "#") {
			count++
			if !hasFinding(t, word) {
				missed = append(missed, word)
			}
		}
	}
	if count < 100 || len(missed)*50 > count {
		t.Errorf("of %d stop words these have no finding: %q", count, missed)
	}
}

// TSS-023 finds exactly the headings that the Harmonised System does not have.
func TestHeadings(t *testing.T) {
	f, err := os.Open("../../../../shared/domain/data/common/CL152_HScode.csv")
	if err != nil {
		t.Skip("the list of headings is not available")
	}
	defer f.Close()
	real := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		real[lines.Text()[:4]] = true
	}
	for chapter := '0'; chapter <= '9'; chapter++ {
		for n := range 1000 {
			heading := string(chapter) + string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)})
			if heading >= "9800" {
				break
			}
			d := tss.Declaration{MovementType: tss.NIToGB, CommodityCode: heading + "000000", NetMassKg: quantity.MustMass("1")}
			if got := has(&d, "TSS-023"); got == real[heading] {
				t.Errorf("%s: found %v, real %v", heading, got, real[heading])
			}
		}
	}
}
