package gvms_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
)

// The driver's page begins with where to report for an inspection, if HMRC asks for one, and names trailers and containers.
func TestDriver(t *testing.T) {
	sections, err := gvms.Movements.Type().Driver.Fill(nil, []byte(`{"vehicleReg":"AB24 CDE","routeFrom":"FRCQF","routeTo":"Dover","crossingDate":"2026-11-30T06:30:00Z",
		"message":{"trailerRegistrationNums":["TR1","TR2"],"containerReferenceNums":["MSKU1234565"]},
		"inspectionRequired":true,"reportToLocations":[{"inspectionTypeId":"1","locationIds":["L1","L2"]},{"inspectionTypeId":"2","locationIds":["L3"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, s := range sections {
		fmt.Fprintln(&out, s.Title)
		for _, v := range s.Values {
			fmt.Fprintf(&out, "%s: %s\n", v.Label, strings.ReplaceAll(v.Text, "\n", ", "))
		}
	}
	const want = `Inspection
Report for an inspection: Yes
Report to this location of HMRC’s list: L1, L2
Type of inspection: 1
Report to this location of HMRC’s list: L3
Type of inspection: 2
Crossing
Vehicle: AB24 CDE
Trailers: TR1, TR2
Containers: MSKU1234565
From: Calais
To: Dover
Departure (London time): 30 November 2026 06:30
`
	if out.String() != want {
		t.Errorf("the page says\n%s", out.String())
	}
	if warning := gvms.Movements.Type().Driver.Blocked[gvms.NotFinalisable]; warning == "" {
		t.Error("a record that is not finalisable needs a warning")
	}
}
