package conformance

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// labelled are a body with own labels; field is the member of the own reference.
func labelled(body map[string]any, field, reference, branch string) map[string]any {
	all := map[string]any{}
	maps.Copy(all, body)
	all[field], all["metadata"] = reference, map[string]any{"branch": branch, "always": "yes"}
	return all
}

// find returns the IDs that a list contains.
func (c *caller) find(path, plural string) (ids []string) {
	c.t.Helper()
	for _, r := range c.call("GET", path, nil).want(c.t, 200).body[plural].([]any) {
		ids = append(ids, r.(map[string]any)["id"].(string))
	}
	return ids
}

// A record of each kind keeps the caller's own reference and metadata, shows them in every form and is found by them in its
// list, alone and together, and by their changed values after a correction.
func TestOwnReferenceAndMetadata(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, k := range hubKinds(t) {
			c.call("POST", "/api/hubs/"+k.Hub, nil)
			ref := k.ReferenceField
			first := c.call("POST", k.Path, labelled(k.body(), ref, "PO 1/ä", "Dover")).want(t, k.made()).id()
			second := c.call("POST", k.Path, labelled(k.body(), ref, "PO-2", "Hull")).want(t, k.made()).id()
			record := c.call("GET", k.Path+"/"+first, nil).want(t, 200)
			if record.in(k.Singular, ref) != "PO 1/ä" || record.in(k.Singular, "metadata", "branch") != "Dover" {
				t.Errorf("%s: %s", k.Kind, record.text)
			}
			for query, want := range map[string]string{
				"reference=" + url.QueryEscape("PO 1/ä"): first, "metadata[branch]=Hull": second, "metadata%5Bbranch%5D=Dover&metadata[always]=yes": first,
				"metadata[always]=yes": second + " " + first, "metadata[branch]=dover": "", "reference=PO": "", "sort=createdAt": first + " " + second,
				"sort=-updatedAt&metadata[always]=yes&limit=1": second, "reference=PO-2&metadata[branch]=Dover": "",
			} {
				if got := strings.Join(c.find(k.Path+"?"+query, k.Plural), " "); got != want {
					t.Errorf("%s: %s finds %q, want %q", k.Kind, query, got, want)
				}
			}
			if k.patch == nil {
				continue
			}
			c.call("PATCH", k.Path+"/"+first, map[string]any{ref: "PO-3", "metadata": map[string]any{"branch": "Leith"}}).want(t, 200)
			for query, want := range map[string]string{"reference=PO-3": first, "metadata[branch]=Leith": first, "metadata[branch]=Dover": "", "metadata[always]=yes": second} {
				if got := strings.Join(c.find(k.Path+"?"+query, k.Plural), " "); got != want {
					t.Errorf("%s corrected: %s finds %q, want %q", k.Kind, query, got, want)
				}
			}
			if got := strings.Join(c.find(k.Path+"?sort=-updatedAt", k.Plural), " "); got != first+" "+second {
				t.Errorf("%s: by the last change: %s", k.Kind, got)
			}
		}
	})
}

// Of several requests for a unique reference one succeeds; without that wish, a reference can be given again.
func TestUniqueReference(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client := c.client()
		shipment := map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA", "reference": "SHIP-1", "uniqueReference": true}
		var statuses [8]int
		var all sync.WaitGroup
		for i := range statuses {
			all.Go(func() { statuses[i] = c.call("POST", "/api/shipments", shipment).status })
		}
		all.Wait()
		made := 0
		for _, status := range statuses {
			if status == 201 {
				made++
			} else if status != 409 {
				t.Errorf("status %d", status)
			}
		}
		if made != 1 {
			t.Errorf("%d shipments have the reference", made)
		}
		c.call("POST", "/api/shipments", shipment).refused(t, 409, "reference_taken")
		p.organisation("B").call("POST", "/api/clients", map[string]any{"name": "X", "reference": "SHIP-1", "uniqueReference": true}).want(t, 201)
		delete(shipment, "uniqueReference")
		again := c.call("POST", "/api/shipments", shipment).want(t, 201)
		if again.in("reference") != "SHIP-1" || !strings.HasPrefix(again.in("serviceReference").(string), "SHP-") {
			t.Errorf("own reference of a shipment: %s", again.text)
		}
		c.call("PATCH", "/api/shipments/"+again.id(), map[string]any{"uniqueReference": true}).refused(t, 409, "reference_taken")
		back := c.call("PATCH", "/api/shipments/"+again.id(), map[string]any{"reference": nil}).want(t, 200)
		generated := back.in("shipment", "reference").(string)
		if !strings.HasPrefix(generated, "SHP-") || back.in("shipment", "serviceReference") != nil {
			t.Errorf("without an own reference: %s", back.text)
		}
		if got := c.find("/api/shipments?reference="+generated, "shipments"); len(got) != 1 || got[0] != again.id() {
			t.Errorf("the generated reference finds %v", got)
		}
	})
}

// What a caller writes for itself does not change what is sent to customs.
func TestLabelsAreNotFiled(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		id := c.call("POST", "/api/declarations", goods(shipment, "INV-1")).want(t, 201).id()
		before := c.call("GET", "/api/declarations/"+id+"/declaration.xml", nil).want(t, 200).text
		c.call("PATCH", "/api/shipments/"+shipment, labelled(nil, "reference", "SECRET-REF", "SECRET-BRANCH")).want(t, 200)
		c.call("PATCH", "/api/declarations/"+id, labelled(nil, "reference", "SECRET-REF", "SECRET-BRANCH")).want(t, 200)
		if after := c.call("GET", "/api/declarations/"+id+"/declaration.xml", nil).want(t, 200).text; after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
		table := c.call("GET", "/api/export/declarations", nil).want(t, 200).text
		if !strings.Contains(table, "SECRET-REF") || !strings.Contains(table, `"{""always"":""yes"",""branch"":""SECRET-BRANCH""}"`) {
			t.Errorf("export: %s", table)
		}
	})
}

// Declarations are found by LRN, shipment and client, by several statuses, and by the time of creation and change: after
// includes the instant, before excludes it. The client of a shipment that moves to another client goes with it.
func TestDeclarationFilters(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment, other := c.shipment(), c.shipment()
		first := c.call("POST", "/api/declarations", goods(shipment, "")).want(t, 201)
		second := c.call("POST", "/api/declarations", goods(other, "")).want(t, 201).id()
		c.call("DELETE", "/api/declarations/"+second, nil).want(t, 200)
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		created, both := first.in("createdAt").(string), second+" "+first.id()
		check := func(query, want string) {
			t.Helper()
			if got := strings.Join(c.find("/api/declarations?"+query, "declarations"), " "); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		check("lrn="+strings.ToLower(first.in("lrn").(string)), first.id())
		check("lrn=TWS0", "")
		check("mrn=26GB3TTI2CQ1C7FGR4", "")
		check("shipmentId="+strings.ToUpper(shipment), first.id())
		check("clientId="+client, first.id())
		check("clientId="+client+"&status=CANCELLED", "")
		check("status=DRAFT,CANCELLED", both)
		check("status=DRAFT&status=CANCELLED", both)
		check("status=DRAFT&status=CANCELLED&sort=createdAt", first.id()+" "+second)
		check("status=SUBMITTED,CLEARED", "")
		check("createdAfter="+created+"&lrn="+first.in("lrn").(string), first.id())
		check("createdBefore="+created, "")
		check("updatedBefore="+created, "")
		check("updatedAfter="+created, both)
		check("updatedAfter=2100-01-01T00:00:00Z", "")
		moved := c.client()
		c.call("PATCH", "/api/shipments/"+shipment, map[string]any{"clientId": moved}).want(t, 200)
		check("clientId="+client, "")
		check("clientId="+moved, first.id())
		if got := p.organisation("B").find("/api/declarations?clientId="+moved, "declarations"); len(got) != 0 {
			t.Errorf("another organisation finds %v", got)
		}
		for query, field := range map[string]string{
			"status=DRAFT,LOST": "status", "clientId=x": "clientId", "createdAfter=today": "createdAfter", "sort=lrn": "sort", "gmrId=1": "gmrId", "metadata=x": "metadata",
			"metadata[]=x": "metadata[]", "lrn=a&lrn=b": "lrn", "metadata[a]=1&metadata[a]=2": "metadata[a]", "reference=" + strings.Repeat("x", 101): "reference",
		} {
			if got := c.call("GET", "/api/declarations?"+query, nil).refused(t, 400, "invalid_request").fields(); len(got) != 1 || got[0] != field {
				t.Errorf("%s: %v", query, got)
			}
		}
		c.call("GET", "/api/clients?mrn=1", nil).refused(t, 400, "invalid_request")
	})
}

// A cursor is valid for the list, filter and order that it was made for.
func TestCursorsBelongToTheirFilter(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for range 3 {
			c.call("POST", "/api/clients", labelled(map[string]any{"name": "X"}, "reference", "R", "Dover")).want(t, 201)
		}
		queries := []string{"", "&sort=createdAt", "&sort=-updatedAt", "&sort=updatedAt", "&reference=R", "&metadata[branch]=Dover", "&metadata[always]=yes", "&status=ACTIVE", "&createdAfter=2020-01-01T00:00:00Z"}
		for _, of := range queries {
			cursor, _ := c.call("GET", "/api/clients?limit=1"+of, nil).want(t, 200).body["nextCursor"].(string)
			for _, with := range queries {
				a := c.call("GET", "/api/clients?limit=2&cursor="+cursor+with, nil)
				if with == of {
					if got := a.want(t, 200).body["clients"].([]any); len(got) != 2 {
						t.Errorf("%s: the second page has %d clients", of, len(got))
					}
				} else if a.refused(t, 400, "invalid_request"); a.fields()[0] != "cursor" {
					t.Errorf("%q with the cursor of %q: %s", with, of, a.text)
				}
			}
		}
		trail := c.call("GET", "/api/audit?limit=1", nil).want(t, 200).body["nextCursor"].(string)
		c.call("GET", "/api/audit?limit=1&hub=customs&cursor="+trail, nil).refused(t, 400, "invalid_request")
	})
}

// Metadata has at most 50 texts, with keys of up to 40 and values of up to 500 characters. At the limit it is found.
func TestLimitsOfMetadata(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		key, value := strings.Repeat("ä", filing.MaxMetadataKey), strings.Repeat("€", filing.MaxMetadataValue)
		whole := map[string]any{key: value}
		for len(whole) < filing.MaxMetadata {
			whole[fmt.Sprint("k", len(whole))] = ""
		}
		id := c.call("POST", "/api/clients", map[string]any{"name": "X", "metadata": whole}).want(t, 201).id()
		if got := c.find("/api/clients?metadata["+url.QueryEscape(key)+"]="+url.QueryEscape(value), "clients"); len(got) != 1 || got[0] != id {
			t.Errorf("found %v", got)
		}
		more := maps.Clone(whole)
		more["another"] = "x"
		for name, wrong := range map[string]any{
			"51 entries": more, "a long key": map[string]any{key + "k": "x"}, "an empty key": map[string]any{"": "x"}, "a long value": map[string]any{"k": value + "x"},
			"a number": map[string]any{"k": 1}, "a list": []any{}, "text": "x",
		} {
			if got := c.call("POST", "/api/clients", map[string]any{"name": "X", "metadata": wrong}).refused(t, 400, "invalid_request").fields(); !strings.HasPrefix(got[0], "metadata") {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

// A text that no record can have, such as one with a zero byte, finds nothing. A search without letters and digits finds only
// the record whose reference it is.
func TestOddQueries(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/clients", map[string]any{"name": "Mill Lane Textiles", "reference": "--"}).want(t, 201)
		for _, query := range []string{"reference=%00", "reference=a%ff", "metadata%5Ba%5D=%00", "metadata%5B%00%5D=a", "metadata%5Ba%ff%5D=a"} {
			if a := c.call("GET", "/api/clients?"+query, nil).want(t, 200); len(a.body["clients"].([]any)) != 0 {
				t.Errorf("%s: %s", query, a.text)
			}
		}
		for query, want := range map[string]int{"--": 1, "%00": 0, "x%00y": 0, "%ff": 0, "%2F%20.": 0, "%F0%9F%98%80": 0, "mill": 1} {
			if a := c.call("GET", "/api/search?q="+query, nil).want(t, 200); len(a.body["results"].([]any)) != want {
				t.Errorf("%s: %s", query, a.text)
			}
		}
		c.call("GET", "/api/declarations?lrn=%00", nil).want(t, 200)
		if a := c.call("GET", "/api/clients?reference=--", nil).want(t, 200); len(a.body["clients"].([]any)) != 1 {
			t.Error(a.text)
		}
	})
}

// The search finds records of all kinds by references, names, goods, containers and metadata, however they are grouped, also
// after a change and in a Hub that was disabled. A reference that is the query comes first; another organisation finds nothing.
func TestSearchOverAllRecords(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		client := c.call("POST", "/api/clients", labelled(map[string]any{"name": "Mill Lane Textiles", "eori": "GB123456789000"}, "reference", "C 1001", "Leith Walk")).want(t, 201).id()
		shipment := c.call("POST", "/api/shipments", map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "Ever Tide", "containers": []string{"MSKU1234565"}}).want(t, 201)
		declaration := c.call("POST", "/api/declarations", goods(shipment.id(), "BDX/26/1133")).want(t, 201)
		c.call("POST", "/api/hubs/emcs", nil).want(t, 200)
		movement := c.call("POST", "/api/emcs/movements", labelled(exciseMovement(), "reference", "MSKU1234565", "Dover")).want(t, 200).id()
		arc := c.call("POST", "/api/emcs/movements/"+movement+"/submit", nil).want(t, 200).in("movement", "arc").(string)
		c.call("DELETE", "/api/hubs/emcs", nil).want(t, 200)
		c.call("GET", "/api/export/clients", nil).want(t, 200) // an event of no record
		search := func(c *caller, query string) (ids []string) {
			t.Helper()
			a := c.call("GET", "/api/search?q="+url.QueryEscape(query), nil).want(t, 200)
			for _, r := range a.body["results"].([]any) {
				found := r.(map[string]any)
				ids = append(ids, found["id"].(string))
				if found["title"] == "" || found["subtitle"] == "" || found["matched"] == "" {
					t.Errorf("%s: %v", query, found)
				}
			}
			return ids
		}
		for query, want := range map[string]string{
			"MSKU1234565": movement + " " + shipment.id(), "MSKU 123456-5": movement + " " + shipment.id(), "ever tide": shipment.id(), "GB123456789000": client, "mill textil": client,
			"c-1001": client, "C 1001": client, "leith": client, "BDX/26/1133": declaration.id(), "bdx261133": declaration.id(), "6109100010": declaration.id(),
			declaration.in("lrn").(string): declaration.id(), strings.ToLower(arc): movement, shipment.in("reference").(string): shipment.id(), "dover": movement, "no such words": "",
		} {
			if got := strings.Join(search(c, query), " "); got != want {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
			if got := search(other, query); len(got) != 0 {
				t.Errorf("another organisation finds %v by %q", got, query)
			}
		}
		c.call("PATCH", "/api/clients/"+client, map[string]any{"metadata": map[string]any{"branch": "Grangemouth"}}).want(t, 200)
		if got := search(c, "grangemouth"); len(got) != 1 || got[0] != client || len(search(c, "leith")) != 0 {
			t.Errorf("after a change: %v", got)
		}
		for range 5 {
			c.call("POST", "/api/clients", map[string]any{"name": "Pages Ltd"}).want(t, 201)
		}
		seen, path := map[any]bool{}, "/api/search?limit=2&q=pages"
		for cursor := ""; ; {
			page := c.call("GET", path+cursor, nil).want(t, 200)
			for _, r := range page.body["results"].([]any) {
				seen[r.(map[string]any)["id"]] = true
			}
			if page.body["hasMore"] == false {
				break
			}
			cursor = "&cursor=" + page.body["nextCursor"].(string)
			c.call("GET", "/api/search?limit=2&q=other"+cursor, nil).refused(t, 400, "invalid_request")
		}
		if len(seen) != 5 {
			t.Errorf("%d results on all pages, want 5", len(seen))
		}
		for _, query := range []string{"", "?q=", "?q=%20", "?q=x&limit=51", "?q=x&cursor=x", "?q=" + strings.Repeat("x", 201)} {
			c.call("GET", "/api/search"+query, nil).refused(t, 400, "invalid_request")
		}
	})
}
