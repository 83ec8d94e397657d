package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The checks below share one harness because the assistants take time to start.
func TestEntry(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	for _, check := range []func(*harness){entryByHand} {
		check(h)
	}
}

// aPlainImport is what a clerk types for one line.
var aPlainImport = []string{
	"declarationType", "IMPORT", "client", "own", "shipment.transportMode", "SEA", "shipment.portOfEntry", "GBFXT", "shipment.counterpartyName", "Chittagong Knitwear Ltd",
	"shipment.counterpartyCountry", "Bangladesh", "items[0].description", "Men's knitted cotton T-shirts", "items[0].commodityCode", "6109 1000 10",
	"items[0].countryOfOrigin", "bd", "items[0].netMassKg", "120.5", "items[0].itemPrice.amount", "1,850.00", "items[0].itemPrice.currency", "gbp",
	"documents[0].type", "n935", "documents[0].reference", "INV-1",
}

func entryByHand(h *harness) {
	p := h.owner("Quay Ltd", "onepage@example.com")
	p.get("/declarations/new").expect(h, http.StatusOK, "Start from a document")
	p.get("/declarations/new?form=page").expect(h, http.StatusOK, `name="items[0].description"`)
	p.get("/declarations/new").expect(h, http.StatusOK, `name="items[0].description"`)
	p.post("/declarations/new/page", append(aPlainImport, "go", "check")...).expect(h, http.StatusOK, "£222.00", "£414.40")
	if n := len(p.records("declaration")); n != 0 {
		h.Fatalf("a check has stored %d declarations", n)
	}
	next := p.post("/declarations/new/page", append(aPlainImport, "go", "submit")...).redirect(h)
	all := p.records("declaration")
	if len(all) != 1 || next != "/declarations/"+all[0].ID+"/submit" {
		h.Fatalf("%d declarations, then %s", len(all), next)
	}
	var body struct {
		Items []struct {
			CustomsValueGBP json.Number
			ItemPrice       struct {
				Amount   json.Number
				Currency string
			}
		}
	}
	h.must(json.Unmarshal(p.stored("declaration", all[0].ID).Body, &body))
	if got := fmt.Sprint(body.Items); got != "[{1850 {1850.00 GBP}}]" {
		h.Errorf("stored %s", got)
	}
	_ = strings.Contains
	_ = worksheet.MaxItems
}
