package conformance

import (
	"strings"
	"testing"
)

// A conditional read of a draft is not answered 304 after a change of its shipment, its client or the organisation, from which the
// service adds values. The version of the draft, and with it If-Match, stays.
func TestConditionalReadsFollowDerivedValues(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := "/api/clients/" + c.call("GET", "/api/shipments/"+shipment, nil).in("shipment", "clientId").(string)
		body := goods(shipment, "")
		body["dataSet"] = "H1"
		one := declarationsPath + "/" + c.call("POST", declarationsPath, body).want(t, 201).id()
		read := c.call("GET", one, nil).want(t, 200)
		etag := read.header.Get("ETag")
		for _, path := range []string{one, one + "?form=full"} {
			c.call("GET", path, nil, "If-None-Match", c.call("GET", path, nil).header.Get("ETag")).unmodified(t)
		}
		for path, change := range map[string]map[string]any{
			"/api/shipments/" + shipment: {"countryOfDispatch": "FR"}, client: {"paymentMethod": "E"}, "/api/organisation": {"defermentAccount": "7654321"},
		} {
			c.call("PATCH", path, change).want(t, 200)
			after := c.call("GET", one, nil, "If-None-Match", etag).want(t, 200)
			if after.header.Get("ETag") != etag || text(after.in("declaration", "derived")) == text(read.in("declaration", "derived")) && strings.Contains(path, "shipments") {
				t.Errorf("after a change of %s: %v %s", path, after.header, after.text)
			}
			c.call("GET", one+"?form=full", nil, "If-None-Match", strings.TrimSuffix(etag, `"`)+`-full"`).want(t, 200)
		}
		changed := c.call("PATCH", one, map[string]any{"reference": "R1"}, "If-Match", etag).want(t, 200)
		c.call("GET", one, nil, "If-None-Match", changed.header.Get("ETag")).unmodified(t)
		c.call("PATCH", one, map[string]any{"reference": "R2"}, "If-Match", etag).refused(t, 412, "precondition_failed")
	})
}
