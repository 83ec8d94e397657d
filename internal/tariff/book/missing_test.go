package book_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

const (
	dutiesOf2021 = "../../../../shared/tariff/dit_ukgt_rates_2021.csv"
	dutyPage     = "../../../docs/duty.md"
)

// otherRates are the cases whose measures are held, but not those of the day of the case, on which its result rests.
var otherRates = map[string]string{
	"RoW-NI304e-delta.01": calf, "RoW-NI304e-delta.03": calf,
}

const calf = "UK: third-country duty and euro rate of the day; with those of 2021 the duties differ by more than 3 %"

// checkMissing fails if a case that was not asked could be, or if the page about duties does not list what it lacks.
func checkMissing(t *testing.T, cases []*calculatorCase) {
	t.Helper()
	held := thirdCountryDuties(t)
	type row struct{ code, lacks string }
	rows, single := map[row][]string{}, 0
	for _, c := range cases {
		if strings.HasPrefix(c.ID, "engine-") {
			single++ // a single computation, tested in the package duty
			continue
		}
		lacks := c.lacks(held)
		if lacks == "" {
			t.Errorf("%s lacks nothing, and is not asked", c.ID)
		}
		r := row{c.Inputs.Commodity, lacks}
		rows[r] = append(rows[r], c.ID)
	}
	var table []string
	for r, ids := range rows {
		table = append(table, fmt.Sprintf("| %s | %s | %s |\n", r.code, r.lacks, strings.Join(ids, ", ")))
	}
	slices.Sort(table)
	page, err := os.ReadFile(dutyPage)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), strings.Join(table, "")) {
		t.Errorf("docs/duty.md does not list what the cases lack:\n%s", strings.Join(table, ""))
	}
	t.Logf("%d cases are single computations, and %d lack measures; docs/duty.md lists them", single, len(cases)-single)
}

// thirdCountryDuties are the codes of eight digits of which a published table has the UK's third-country duty.
func thirdCountryDuties(t *testing.T) map[string]bool {
	t.Helper()
	file, err := os.Open(dutiesOf2021)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, row := range rows[1:] {
		code := strings.Repeat("0", len(row[0])%2) + row[0]
		held[code[:8]] = true
	}
	return held
}

// lacks names the measures that a case needs and that are neither recorded nor in a table: those of the EU for goods to Northern
// Ireland, and those of the UK.
func (c *calculatorCase) lacks(thirdCountry map[string]bool) string {
	if other := otherRates[c.ID]; other != "" {
		return other
	}
	missing := map[string][]string{}
	add := func(service, what string) {
		if !slices.Contains(missing[service], what) && !c.recordedOf(service) {
			missing[service] = append(missing[service], what)
		}
	}
	toNI := c.Inputs.Destination != "GB"
	for _, o := range c.Expected.Options {
		if o == "waiver" {
			continue // of the law, not of a measure
		}
		if toNI {
			add(measure.XI, o)
		}
		known := o == "third-country duty" && thirdCountry[c.Inputs.Commodity[:8]]
		if !known && (!toNI || strings.Contains(strings.Join(c.Expected.Lines, ""), "(UK)")) {
			add(measure.UK, o)
		}
	}
	if c.Inputs.Meursing != "" && len(c.Expected.Options) == 0 {
		add(measure.XI, "the duty with agricultural components (their amounts are tested)")
	}
	if c.Inputs.Excise != "" {
		add(measure.UK, "excise duty "+c.Inputs.Excise)
	}
	for _, code := range c.Inputs.Additional {
		if !toNI {
			add(measure.UK, "additional code "+strings.TrimPrefix(code, "uk: "))
		}
	}
	if strings.HasPrefix(c.Expected.Outcome, "stopped") {
		add(measure.UK, "the control that refuses the goods")
	}
	var all []string
	for _, service := range slices.Backward(slices.Sorted(maps.Keys(missing))) {
		all = append(all, service+": "+strings.Join(missing[service], ", "))
	}
	return strings.Join(all, "; ")
}

// recordedOf reports whether a whole answer of a service is recorded for the code of the case.
func (c *calculatorCase) recordedOf(service string) bool {
	return slices.ContainsFunc(c.Recorded, func(file string) bool { return strings.HasSuffix(file, "_"+strings.ToLower(service)+".json") })
}
