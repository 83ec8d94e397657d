package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// steel is an import of plates from a Turkish mill, with the supplier's figure.
func steel() map[string]any {
	return map[string]any{
		"category": "IRON_STEEL", "commodityCode": "72085120", "countryOfOrigin": "TR", "netMassKg": 24500, "customsValueGbp": 16900.5,
		"embeddedEmissionsKgCo2": 51450, "notes": "Iskenderun mill, verification report 2026-118",
	}
}

// thisQuarter is the current quarter, UTC.
func thisQuarter() string {
	now := time.Now().UTC()
	return fmt.Sprintf("%d-Q%d", now.Year(), (int(now.Month())+2)/3)
}

// An import keeps the supplier's figure, or gets an estimate that names its basis.
func TestCBAMImports(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/cbam/imports", steel()).refused(t, 402, "hub_not_enabled")
		c.call("GET", "/api/cbam/imports", nil).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		given := c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		if given.in("embeddedEmissionsKgCo2") != 51450.0 || given.in("emissionsSource") != "SUPPLIER" || given.in("quarter") != thisQuarter() || strings.Count(given.text, "embeddedEmissionsKgCo2") != 1 {
			t.Errorf("given: %s", given.text)
		}
		for code, want := range map[string]map[string]any{
			"7208512000": {"embeddedEmissionsKgCo2": 56595.0, "emissionsBasis": "TYPICAL_OF_GOODS_AND_COUNTRY", "emissionsFactor": 2.31},
			"9999":       {"embeddedEmissionsKgCo2": 56595.0, "emissionsBasis": "TYPICAL_OF_SECTOR_AND_COUNTRY"},
		} {
			unknown := steel()
			delete(unknown, "embeddedEmissionsKgCo2")
			unknown["commodityCode"] = code
			estimated := c.call("POST", "/api/cbam/imports", unknown).want(t, 201)
			want["emissionsSource"] = "ESTIMATED_DEFAULT"
			for name, value := range want {
				if estimated.in(name) != value {
					t.Errorf("%s is not %v: %s", name, value, estimated.text)
				}
			}
		}
		listed := c.call("GET", "/api/cbam/imports", nil).want(t, 200)
		if len(listed.in("imports").([]any)) != 3 || !strings.Contains(listed.text, given.id()) {
			t.Errorf("listed: %s", listed.text)
		}
		if a := c.call("GET", "/api/cbam/imports/"+given.id(), nil).want(t, 200); a.in("import", "notes") != steel()["notes"] {
			t.Errorf("shown: %s", a.text)
		}
	})
}

// Missing or mistyped required fields are refused, all at once.
func TestCBAMInput(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		bad := map[string]any{
			"category": "GLASS", "commodityCode": "", "countryOfOrigin": "ZZ", "netMassKg": -1, "customsValueGbp": 1e15,
			"embeddedEmissionsKgCo2": "51", "notes": strings.Repeat("x", 2001), "quarter": "2026-Q4",
		}
		named := c.call("POST", "/api/cbam/imports", bad).refused(t, 400, "invalid_request").fields()
		for field := range bad {
			if !slices.Contains(named, field) {
				t.Errorf("%s is not named: %q", field, named)
			}
		}
		for _, field := range []string{"category", "commodityCode", "countryOfOrigin", "netMassKg"} {
			lacking := steel()
			delete(lacking, field)
			if named := c.call("POST", "/api/cbam/imports", lacking).refused(t, 400, "invalid_request").fields(); !slices.Equal(named, []string{field}) {
				t.Errorf("without %s: %q", field, named)
			}
		}
		most := steel()
		delete(most, "embeddedEmissionsKgCo2")
		most["category"], most["commodityCode"], most["netMassKg"] = "HYDROGEN", "28041000", 99999999999.0
		if a := c.call("POST", "/api/cbam/imports", most).want(t, 201); a.in("embeddedEmissionsKgCo2") != 1081999999989.18 {
			t.Errorf("most: %s", a.text)
		}
		if a := c.call("GET", "/api/cbam/imports", nil).want(t, 200); len(a.in("imports").([]any)) != 1 {
			t.Errorf("something was stored: %s", a.text)
		}
	})
}
