package browser

import (
	"fmt"
	"testing"
)

// clerk counts clicks and the pages that they lead to.
type clerk struct {
	*window
	clicks, loads int
}

// presses clicks what leads to another page.
func (c *clerk) presses(text string) {
	c.Helper()
	c.press(text)
	c.clicks++
	c.loads++
}

// A rejected declaration is corrected and cleared with at most four pages, from its own page.
func TestLoadsOfARejection(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	k := &clerk{window: openWindow(t, p, 1366, 768)}
	k.found(p)
	k.visit("/declarations/new?form=page") // the user's choice from then on
	c := k.caller("Broker")
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD"}`, client))
	id := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":100,"customsValueGbp":1850,"countryOfOrigin":"BD"}]}`, shipment))
	k.visit("/declarations/" + id)
	k.press("Submit to customs")
	k.press("Submit")
	k.updatesTo("Errors found by customs")
	k.presses("Correct it")
	k.checked(func() { k.typeInto("items[0].grossMassKg", "131") })
	k.presses("Save and continue to submit")
	k.presses("Submit")
	k.updatesTo("Customs has released the goods")
	t.Logf("from rejected to cleared: %d page loads", k.loads)
	if k.loads > 4 {
		t.Errorf("a rejection takes %d page loads", k.loads)
	}
}
