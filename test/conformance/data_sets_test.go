package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// workedExamples returns the bodies of the data model's examples that name a data set and a declarant.
func workedExamples(t *testing.T) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile("../../../shared/spec/declaration-data.md")
	if err != nil {
		t.Skip("the specification is not beside the project")
	}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		var body map[string]any
		if err := json.Unmarshal([]byte(block[1]), &body); err != nil {
			t.Fatal(err)
		}
		if body["dataSet"] != nil && body["declarant"] != nil {
			all = append(all, body)
		}
	}
	return all
}

// Each worked example is accepted as it is printed, says what the service added to it, and customs accepts its document. A
// supplementary declaration follows the simplified one that it names.
func TestWorkedExamples(t *testing.T) {
	examples := workedExamples(t)
	anyDatabase(t, func(t *testing.T, p *server) {
		var simplified, mrn, acceptedAt string
		for n, example := range examples {
			c := p.organisation(fmt.Sprintf("Example %d", n))
			if example["supplements"] != nil {
				c = p.organisation("Supplementary")
				simplified, mrn, acceptedAt = c.acceptedSimplified(t, examples)
			}
			c.call("PATCH", "/api/organisation", map[string]any{"eori": example["declarant"].(map[string]any)["eori"]}).want(t, 200)
			body := maps.Clone(example)
			body["shipmentId"] = c.bareShipment()
			if body["supplements"] != nil {
				body["supplements"], body["taxPointAt"] = simplified, acceptedAt
				text, _ := json.Marshal(body["items"])
				body["items"] = json.RawMessage(strings.ReplaceAll(string(text), "24GBCDS123456789R1", mrn))
			}
			made := c.call("POST", declarationsPath, body).want(t, 201)
			if derived, _ := made.in("derived").([]any); len(derived) == 0 {
				t.Errorf("%d: nothing is said to be added", n)
			}
			if a := c.submit(made.id()); a.status != 200 {
				t.Errorf("%d (%v): %s", n, body["dataSet"], a.text)
				continue
			}
			prelodged := strings.Contains("DEFK", fmt.Sprint(body["additionalType"]))
			if prelodged {
				c.waitForStage(made.id(), "REGISTERED")
				continue
			}
			if d := c.call("GET", declarationsPath+"/"+made.id(), nil); d.in("declaration", "errors") != nil {
				t.Errorf("%d (%v): %v", n, body["dataSet"], d.in("declaration", "errors"))
			}
		}
	})
}

// bareShipment makes a shipment of which nothing but the required members is known.
func (c *caller) bareShipment() string {
	return c.call("POST", "/api/shipments", map[string]any{"clientId": c.client(), "portOfEntry": "GBFXT", "transportMode": "SEA", "arrived": true}).want(c.t, 201).id()
}

// acceptedSimplified files the simplified declaration of the examples, arrived, and returns its ID, MRN and acceptance.
func (c *caller) acceptedSimplified(t *testing.T, examples []map[string]any) (id, mrn, acceptedAt string) {
	for _, example := range examples {
		if example["dataSet"] != "I1" {
			continue
		}
		c.call("PATCH", "/api/organisation", map[string]any{"eori": example["declarant"].(map[string]any)["eori"]}).want(t, 200)
		body := maps.Clone(example)
		body["shipmentId"], body["additionalType"] = c.bareShipment(), "C"
		id = c.call("POST", declarationsPath, body).want(t, 201).id()
		if a := c.submit(id); a.status != 200 {
			t.Fatalf("the simplified declaration: %s", a.text)
		}
		d := c.waitForStatus(id, "CLEARED")
		return id, d.in("declaration", "mrn").(string), regexp.MustCompile(`\.\d+Z$`).ReplaceAllString(d.in("declaration", "acceptedAt").(string), "Z")
	}
	t.Fatal("no simplified declaration among the examples")
	return "", "", ""
}

// A declaration that lacks what its data set requires is not sent: the answer names each field, its data element, the code
// with which customs would reject it, and the remedy.
func TestIncompleteDeclaration(t *testing.T) {
	examples := workedExamples(t)
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("PATCH", "/api/organisation", map[string]any{"eori": "GB603202734852"}).want(t, 200)
		body := maps.Clone(examples[0])
		for _, name := range []string{"previousDocuments", "location", "destination"} {
			delete(body, name)
		}
		body["shipmentId"] = c.bareShipment()
		body["dataSet"] = "H3"
		id := c.call("POST", declarationsPath, body).want(t, 201).id()
		a := c.submit(id)
		if a.status != 422 || a.in("error") != "declaration_incomplete" {
			t.Fatalf("%d: %s", a.status, a.text)
		}
		found := map[string]map[string]any{}
		for _, d := range a.in("details").([]any) {
			found[fmt.Sprint(d.(map[string]any)["field"])] = d.(map[string]any)
		}
		for field, de := range map[string]string{"location.name": "5/23", "destination.country": "5/8", "dataSet": "1/2"} {
			if d := found[field]; d == nil || d["de"] != de || d["code"] == nil || d["remedy"] == nil {
				t.Errorf("%s: %v in %s", field, d, a.text)
			}
		}
		if c.call("GET", declarationsPath+"/"+id, nil).in("declaration", "status") != "DRAFT" {
			t.Error("the declaration was sent")
		}
	})
}

// A body cannot say a thing in short and in full form, leave a currency out, or be empty; without a data set it must have what
// it always had to have.
func TestFormsOfABody(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		item := func(more map[string]any) map[string]any {
			one := map[string]any{"description": "Toys", "commodityCode": "9503006900", "netMassKg": 1, "customsValueGbp": 10}
			maps.Copy(one, more)
			return map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "items": []any{one}}
		}
		for field, body := range map[string]map[string]any{
			"items[0].commodityCode":      item(map[string]any{"classifications": []any{map[string]any{"id": "95030069", "type": "TSP"}}}),
			"items[0].packageCount":       item(map[string]any{"packages": []any{map[string]any{"count": 1}}, "packageCount": 2}),
			"items[0].itemPrice.currency": item(map[string]any{"itemPrice": map[string]any{"amount": 1}}),
			"items[0].itemPrice.amount":   item(map[string]any{"itemPrice": map[string]any{"amount": 1.2345, "currency": "USD"}}),
			"items[0].seller":             item(map[string]any{"seller": map[string]any{}}),
			"items[0].seller.name":        item(map[string]any{"seller": map[string]any{"name": ""}}),
			"items[0].procedureCode":      item(map[string]any{"procedureCode": "40AB"}),
			"items[0].dangerousGoods[0]":  item(map[string]any{"dangerousGoods": []any{"UN1263"}}),
			"items[0].nothing":            item(map[string]any{"nothing": 1}),
			"items[0].netMassKg":          item(map[string]any{"netMassKg": -1}),
		} {
			if a := c.call("POST", declarationsPath, body); a.status != 400 || !strings.Contains(a.text, `"`+field+`"`) {
				t.Errorf("%s: %d %s", field, a.status, a.text)
			}
		}
		c.call("POST", declarationsPath, map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "fill": "NONE", "items": []any{map[string]any{}}}).want(t, 201)
	})
}

// A declaration has room for 999 items with 99 documents each, and no more.
func TestLargestDeclaration(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		documents := make([]any, 99)
		for n := range documents {
			documents[n] = map[string]any{"type": "N935", "reference": fmt.Sprintf("INV-2026-%035d", n), "status": "AC"}
		}
		items := make([]any, 999)
		for n := range items {
			items[n] = map[string]any{"description": "Toys", "commodityCode": "9503006900", "documents": documents}
		}
		body := map[string]any{"shipmentId": c.bareShipment(), "declarationType": "IMPORT", "dataSet": "H1", "fill": "NONE", "items": items}
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		made := c.server.quietly(c.key, "POST", declarationsPath, string(text))
		if made != 201 {
			t.Errorf("%d bytes: %d", len(text), made)
		}
		body["items"] = append(items, items[0])
		if text, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
		if again := c.server.quietly(c.key, "POST", declarationsPath, string(text)); again != 400 {
			t.Errorf("1,000 items: %d", again)
		}
	})
}

// quietly makes a request whose answer is too large to validate with the document, and returns its status.
func (p *server) quietly(key, method, path, body string) int {
	r, err := http.NewRequest(method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := callers.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}
