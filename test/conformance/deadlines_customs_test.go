package conformance

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// kinds lists the kinds of the deadlines within a year, each with its day, and checks that the calendar feed has them too.
func (c *caller) dueKinds(t *testing.T) (kinds map[string]string) {
	t.Helper()
	kinds = map[string]string{}
	for _, item := range c.call("GET", "/api/deadlines?windowDays=365", nil).want(t, 200).body["deadlines"].([]any) {
		d := item.(map[string]any)
		if _, known := kinds[d["kind"].(string)]; !known {
			kinds[d["kind"].(string)] = d["dueAt"].(string)[:10]
		}
	}
	return kinds
}

// A simplified declaration must be completed by the 10th of the next month. Its deadline closes when customs accepts the
// declaration that completes it, whose draft is made from it.
func TestSupplementaryDeadline(t *testing.T) {
	examples := workedExamples(t)
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		simplified, mrn, acceptedAt := c.acceptedSimplified(t, examples)
		if due := c.dueKinds(t)["supplementary"]; !strings.HasSuffix(due, "-10") {
			t.Errorf("the supplementary declaration is due on %q", due)
		}
		page := c.call("GET", declarationsPath+"/"+simplified, nil).want(t, 200)
		made := c.call("POST", declarationsPath+"/"+simplified+"/supplementary", nil).want(t, 201)
		if made.body["supplements"] != simplified || made.body["additionalType"] != "Y" || made.body["dataSet"] != "H1" || made.body["status"] != "DRAFT" {
			t.Errorf("the draft: %s", made.text)
		}
		if text(made.body["items"]) == "" || len(made.body["items"].([]any)) != len(page.in("declaration", "items").([]any)) {
			t.Errorf("the items: %s", made.text)
		}
		for _, e := range examples {
			if e["supplements"] == nil {
				continue
			}
			body := maps.Clone(e)
			for _, name := range []string{"shipmentId", "supplements", "additionalType", "dataSet", "declarationType"} {
				delete(body, name)
			}
			body["taxPointAt"] = acceptedAt
			raw := strings.ReplaceAll(text(body["items"]), "24GBCDS123456789R1", mrn)
			c.call("PATCH", declarationsPath+"/"+made.id(), fmt.Sprintf(`{"items":%s,"taxPointAt":%q}`, raw, acceptedAt)).want(t, 200)
			delete(body, "items")
			c.call("PATCH", declarationsPath+"/"+made.id(), body).want(t, 200)
		}
		c.submit(made.id()).want(t, 200)
		c.waitForStatus(made.id(), "CLEARED")
		if due := c.dueKinds(t)["supplementary"]; due != "" {
			t.Errorf("the deadline is still there: %s", due)
		}
		if by := c.call("GET", declarationsPath+"/"+simplified, nil).in("declaration", "supplementedBy"); by != made.id() {
			t.Errorf("completed by %v", by)
		}
		c.call("POST", declarationsPath+"/"+simplified+"/supplementary", nil).refused(t, 400, "invalid_state")
		c.call("POST", declarationsPath+"/"+made.id()+"/supplementary", nil).refused(t, 400, "invalid_state")
	})
}

// The supplementary declaration of an entry in the declarant's records names the entry by the day of its tax point, and no
// simplified declaration. Customs accepts it, and the deadline of the entry closes.
func TestSupplementaryOfAnEntryInTheRecords(t *testing.T) {
	examples := workedExamples(t)
	example := func(is func(map[string]any) bool) map[string]any {
		return maps.Clone(examples[slices.IndexFunc(examples, is)])
	}
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		entry := example(func(e map[string]any) bool { return e["dataSet"] == "C21I" })
		full := example(func(e map[string]any) bool { return e["additionalType"] == "Z" })
		eori := full["declarant"].(map[string]any)["eori"]
		c.call("PATCH", "/api/organisation", map[string]any{"eori": eori}).want(t, 200)
		entry["shipmentId"], entry["dataSet"], entry["declarant"], entry["importer"] = c.bareShipment(), "C21I_EIDR", full["declarant"], full["importer"]
		entry["authorisations"] = []any{map[string]any{"type": "EIR", "holder": eori}}
		item := maps.Clone(entry["items"].([]any)[0].(map[string]any))
		item["procedureCode"] = "4000"
		item["documents"] = []any{map[string]any{"type": "C514", "reference": "XIEIR025115100010I20231019133850"}}
		entry["items"] = []any{item}
		id := c.call("POST", declarationsPath, entry).want(t, 201).id()
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		if due := c.dueKinds(t)["supplementary"]; !strings.HasSuffix(due, "-10") {
			t.Errorf("the supplementary declaration is due on %q", due)
		}
		made := c.call("POST", declarationsPath+"/"+id+"/supplementary", nil).want(t, 201)
		day := strings.ReplaceAll(inDays(0)[:10], "-", "")
		if derived := text(made.body["derived"]); !strings.Contains(derived, `"reference":"`+day+`"`) || !strings.Contains(derived, `"type":"CLE"`) || strings.Contains(derived, "SDE") {
			t.Errorf("the draft: %s", made.text)
		}
		for _, name := range []string{"shipmentId", "taxPointAt", "additionalType", "declarationType"} {
			delete(full, name)
		}
		full["dispatchCountry"] = nil                                     // the item of the example states it
		full["previousDocuments"] = full["previousDocuments"].([]any)[1:] // without the entry of the example
		c.call("PATCH", declarationsPath+"/"+made.id(), full).want(t, 200)
		c.submit(made.id()).want(t, 200)
		c.waitForStatus(made.id(), "CLEARED")
		xml := c.call("GET", declarationsPath+"/"+made.id()+"/declaration.xml", nil).want(t, 200).text
		if !strings.Contains(xml, "<ID>"+day+"</ID>") || !strings.Contains(xml, "<TypeCode>CLE</TypeCode>") || strings.Contains(xml, "<TypeCode>SDE</TypeCode>") {
			t.Errorf("the document: %s", xml)
		}
		if due := c.dueKinds(t)["supplementary"]; due != "" {
			t.Errorf("the deadline is still there: %s", due)
		}
	})
}

// finals returns the authorisations for which a final supplementary declaration is due within the month, sorted.
func (c *caller) finals(t *testing.T) string {
	t.Helper()
	var all []string
	for _, item := range c.call("GET", "/api/deadlines?windowDays=20", nil).want(t, 200).body["deadlines"].([]any) {
		if d := item.(map[string]any); d["kind"] == "final_supplementary" {
			all = append(all, regexp.MustCompile(`(SDE|EIR) GB\w+`).FindString(d["title"].(string)))
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// The deadline of a final supplementary declaration ends when customs accepts the one for the month and the authorisation, and is
// back if that one is cancelled.
func TestFinalSupplementaryDeadline(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A").sandbox()
		held := func(kinds ...string) (all []any) {
			for _, kind := range kinds {
				all = append(all, map[string]any{"type": kind[:3], "number": "GB" + kind})
			}
			return all
		}
		shipment := c.bareShipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).in("shipment", "clientId").(string)
		c.call("PATCH", "/api/clients/"+client, map[string]any{"authorisations": held("SDE1", "EIR1"), "representation": "DIRECT"}).want(t, 200)
		c.call("PATCH", "/api/organisation", map[string]any{"authorisations": held("EIR9", "CWP9")}).want(t, 200)
		fifth := time.Date(time.Now().Year(), time.Now().Month()+2, 5, 9, 0, 0, 0, time.UTC)
		c.call("POST", "/api/test/clock", map[string]any{"now": fifth.Format(time.RFC3339)}).want(t, 200)
		const all = "EIR GBEIR1, EIR GBEIR9, SDE GBSDE1"
		if due := c.finals(t); due != all {
			t.Fatalf("due: %s", due)
		}
		report := func(location string, at time.Time, statements ...string) string {
			var said []any
			for _, code := range statements {
				said = append(said, map[string]any{"code": code, "text": "SD=1/1"})
			}
			body := map[string]any{
				"shipmentId": shipment, "declarationType": "IMPORT", "dataSet": "FSD", "additionalType": "Q", "taxPointAt": at.Format(time.RFC3339),
				"location":          map[string]any{"name": location, "type": "B", "qualifier": "Y", "country": "GB"},
				"previousDocuments": []any{map[string]any{"category": "Z", "reference": "FSD", "type": "ZZZ"}},
				"items":             []any{map[string]any{"procedureCode": "0090", "additionalProcedureCodes": []any{"97F"}, "additionalInformation": said}},
			}
			id := c.call("POST", declarationsPath, body).want(t, 201).id()
			c.submit(id).want(t, 200)
			c.waitForStatus(id, "CLEARED")
			return id
		}
		report("FSDGBEIR1", fifth.AddDate(0, -1, -10), "FINSY", "FINSZ")
		if due := c.finals(t); due != all {
			t.Errorf("after that of the month before: %s", due)
		}
		report("FSDGBEIR9", fifth.AddDate(0, 0, -1), "FINSY", "FINSZ")
		if due := c.finals(t); due != "EIR GBEIR1, SDE GBSDE1" {
			t.Errorf("after that of the organisation: %s", due)
		}
		id := report("FSDGBEIR1", fifth.AddDate(0, 0, -8), "FINSY")
		if due := c.finals(t); due != "" {
			t.Errorf("after that of the client: %s", due)
		}
		c.call("POST", declarationsPath+"/"+id+"/cancellation", map[string]any{"reasonCode": "3", "reason": "It reports too many"}).want(t, 200)
		c.waitForStatus(id, "CANCELLED")
		if due := c.finals(t); due != "EIR GBEIR1, SDE GBSDE1" {
			t.Errorf("after the cancellation: %s", due)
		}
		report("GBWLALONBTW", fifth, "FINSY")
		if due := c.finals(t); due != "EIR GBEIR1" {
			t.Errorf("after that of the client without a number: %s", due)
		}
	})
}

// What clients and the organisation hold ends on days that are deadlines, and holders of SDE and EIR submit a final supplementary
// declaration by the 11th of each month.
func TestDeadlinesOfTerms(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation(canary)
		until := inDays(100)[:10]
		terms := map[string]any{
			"authorisations": []any{map[string]any{"type": "SDE", "number": "GBSDE1", "validUntil": until}},
			"guarantees":     []any{map[string]any{"type": "1", "reference": "GBCGU1", "validUntil": until}}, "representationAuthority": map[string]any{"until": until},
		}
		client := c.client()
		c.call("PATCH", "/api/clients/"+client, terms).want(t, 200)
		kinds := c.dueKinds(t)
		for _, want := range []string{"authorisation_expiry_1", "guarantee_expiry_1", "representation_expiry"} {
			if kinds[want] != until {
				t.Errorf("%s is due on %q, want %s", want, kinds[want], until)
			}
		}
		if !strings.HasSuffix(kinds["final_supplementary"], "-11") {
			t.Errorf("the final supplementary declaration is due on %q", kinds["final_supplementary"])
		}
		c.call("PATCH", "/api/organisation", map[string]any{"authorisations": terms["authorisations"]}).want(t, 200)
		if kinds := c.dueKinds(t); kinds["expiry"] != until {
			t.Errorf("of the organisation: %v", kinds)
		}
		feed := c.call("POST", "/api/deadlines/feed", nil)
		if feed.status < 300 {
			r, err := http.Get(feed.in("feed", "url").(string))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			text, _ := io.ReadAll(r.Body)
			if !strings.Contains(string(text), "final supplementary") {
				t.Error("the feed has no final supplementary declaration")
			}
		}
		if len(other.dueKinds(t)) > 0 && slices.Contains(slices.Collect(maps.Keys(other.dueKinds(t))), "expiry") {
			t.Error("another organisation sees the deadlines")
		}
		c.call("POST", "/api/clients/"+client+"/archive", nil).want(t, 200)
		if kinds := c.dueKinds(t); kinds["guarantee_expiry_1"] != "" {
			t.Errorf("an archived client: %v", kinds)
		}
	})
}
