package browser

import (
	"fmt"
	"testing"
)

// cottonExport makes an export of T-shirts with the location of its goods.
func (c caller) cottonExport() string {
	c.Helper()
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","addressLine1":"2 Mill Lane","city":"Ipswich","postcode":"IP1 1AA","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide","transportId":"9811000","transportNationality":"PA","countryOfDispatch":"GB","counterpartyName":"Oslo Tøy","counterpartyAddress":"1 Havnegata","counterpartyCity":"Oslo","counterpartyPostcode":"0150","counterpartyCountry":"NO"}`, client))
	return c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"EXPORT","location":{"country":"GB","type":"A","qualifier":"U","name":"FXTFXTFXT"},"items":[{"commodityCode":"61091000","description":"T-shirts","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"GB","quantity":600}]}`, shipment))
}

// A clerk reports that the goods of an export have arrived. The page asks for what is missing, and then shows what HMRC answered.
func TestReportMovement(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=700ms")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("movement-" + size.name + "-" + name) }
			path := "/declarations/" + w.caller("Warehouse system").cottonExport()
			w.visit(path)
			w.press("Submit to customs")
			w.press("Submit")
			w.updatesTo("Customs accepted the declaration")
			w.visit(path)
			w.press("Report a movement")
			w.sees("Goods have arrived", "London time")
			check("form")
			w.fill("kind", "ARRIVAL", "occursAt", "")
			w.press("Send to HMRC")
			w.sees("The date and time is required")
			check("faults")
			w.fill("kind", "ARRIVAL", "occursAt", "2026-11-24T09:00")
			w.press("Send to HMRC")
			w.updatesTo("Accepted")
			w.visit(path)
			w.sees("Movements", "Goods have arrived", "GBAUFXTFXTFXT")
			check("answered")
		})
	}
}
