package conformance

import (
	"strings"
	"testing"
)

// A description that is that of one of the organisation's products, or its code, gets the product's code first, whatever its case,
// spaces and punctuation; the reason names the product and how often customs accepted the code. Neither another organisation's
// product nor an archived one is used, and a code that the tariff does not have is not validated.
func TestCommodityOfProducts(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		product := func(code, description, commodity string) string {
			body := map[string]any{"clientId": client, "code": code, "description": description, "commodityCode": commodity}
			return products + "/" + c.call("POST", products, body).want(t, 201).id()
		}
		one := product("WF-20/B", "Wherry flange, annealed", "6109100010")
		product("OLD-1", "Grommet of yore", "6109999999")
		first := func(c *caller, text string) (map[string]any, answer) {
			got := c.classify(text).want(t, 200)
			all, last := got.in("suggestions").([]any), 1.0
			for _, s := range all {
				confidence := s.(map[string]any)["confidence"].(float64)
				if confidence > last || len(all) > 10 {
					t.Errorf("not ranked: %s", got.text)
				}
				last = confidence
			}
			if len(all) == 0 {
				return nil, got
			}
			return all[0].(map[string]any), got
		}
		for _, text := range []string{"wherry FLANGE annealed", "Wherry-flange (annealed).", "wf 20 b"} {
			s, got := first(c, text)
			if s["code"] != "6109100010" || s["validated"] != true || !strings.Contains(s["reasoning"].(string), "“WF-20/B”") ||
				!strings.Contains(s["reasoning"].(string), "not accepted this code") || s["dutyExpression"] == "" {
				t.Errorf("%s: %s", text, got.text)
			}
			if again := c.classify(text); again.text != got.text {
				t.Errorf("the second answer differs: %s", again.text)
			}
			if _, theirs := first(other, text); strings.Contains(theirs.text, "WF-20") || strings.Contains(theirs.text, "Your product") {
				t.Errorf("another organisation gets it: %s", theirs.text)
			}
		}
		if s, got := first(c, "Grommet of yore"); s["code"] != "6109999999" || s["validated"] != false || !strings.Contains(got.text, "Correct the product") {
			t.Errorf("a code that the tariff does not have: %s", got.text)
		}
		body := named(shipment, "IMPORT", map[string]any{"productCode": "WF-20/B", "countryOfOrigin": "BD"})
		body["documents"] = []any{map[string]any{"type": "N935", "reference": "INV-1"}}
		id := c.call("POST", declarationsPath, body).want(t, 201).id()
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		if s, got := first(c, "wherry flange annealed"); !strings.Contains(s["reasoning"].(string), "accepted this code for it once") {
			t.Errorf("after the acceptance: %s", got.text)
		}
		c.call("PATCH", one, map[string]any{"description": "Something else"}).want(t, 200)
		if _, got := first(c, "wherry flange annealed"); strings.Contains(got.text, "Your product") {
			t.Errorf("the former description: %s", got.text)
		}
		c.call("POST", one+"/archive", nil).want(t, 200)
		if _, got := first(c, "WF-20/B"); strings.Contains(got.text, "Your product") {
			t.Errorf("an archived product: %s", got.text)
		}
	})
}
