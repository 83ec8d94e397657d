package conformance

import (
	"maps"
	"strings"
	"testing"
)

// canary is contained in every record of the other organisation.
const canary = "Canary Wharf Imports"

// probe is the request for one operation.
type probe struct {
	body    any
	kind    string // of the record in {id}: client, shipment, declaration, endpoint, or a Hub's kind
	headers []string
}

// probes are the operations of the document; a missing one fails the test.
func probes(t *testing.T) map[string]probe {
	all := general(t)
	maps.Copy(all, generatedProbes())
	maps.Copy(all, approvalProbes())
	for _, s := range hubKinds(t) {
		maps.Copy(all, s.probes())
	}
	return all
}

// general are the operations that do not belong to a Hub's kind.
func general(t *testing.T) map[string]probe {
	return map[string]probe{
		"list-clients":   {},
		"create-client":  {body: map[string]any{"name": "A"}},
		"get-client":     {kind: "client"},
		"archive-client": {kind: "client"}, "unarchive-client": {kind: "client"}, "archive-shipment": {kind: "shipment"}, "unarchive-shipment": {kind: "shipment"},
		"update-client":  {kind: "client", body: map[string]any{"city": "Hull"}},
		"list-shipments": {},
		"create-shipment": {body: func(id string) any {
			return map[string]any{"clientId": id, "portOfEntry": "GBFXT", "transportMode": "SEA"}
		}, kind: "client"},
		"list-products": {},
		"create-product": {body: func(id string) any {
			return map[string]any{"clientId": id, "code": "A", "description": "Lamps"}
		}, kind: "client"},
		"get-product":          {kind: "product"},
		"get-product-evidence": {kind: "product"},
		"update-product":       {kind: "product", body: map[string]any{"countryOfOrigin": "CN"}},
		"archive-product":      {kind: "product"},
		"unarchive-product":    {kind: "product"},
		"list-templates":       {},
		"create-template": {kind: "client", body: func(id string) any {
			return map[string]any{"clientId": id, "name": "X", "body": map[string]any{}}
		}},
		"get-template":                     {kind: "template"},
		"get-template-evidence":            {kind: "template"},
		"update-template":                  {kind: "template", body: map[string]any{"name": "X"}},
		"archive-template":                 {kind: "template"},
		"unarchive-template":               {kind: "template"},
		"create-declaration-from-template": {kind: "template", body: map[string]any{}},
		"copy-declaration":                 {kind: "declaration"},
		"export-products":                  {},
		"preview-product-import":           {body: form("file", "clientId,code,description\n5,A,Lamps\n"), headers: formHeader},
		"commit-product-import":            {body: map[string]any{"mapping": map[string]any{"clientId": "C"}, "rows": []any{map[string]any{"C": unknownID}}}},
		"get-shipment":                     {kind: "shipment"},
		"update-shipment":                  {kind: "shipment", body: map[string]any{"portOfEntry": "GBDVR"}},
		"list-comments":                    {},
		"create-comment":                   {kind: "client", body: func(id string) any { return map[string]any{"recordType": "client", "recordId": id, "text": "A"} }},
		"delete-comment":                   {kind: "comment"},
		"list-authorities":                 {},
		"list-unclaimed-messages":          {},
		"begin-authority-consent":          {kind: "hub", body: map[string]any{"identifier": "GBWK002281023"}},
		"delete-authority-consent":         {kind: "hub"},
		"claim-message":                    {kind: "gvms.movement", body: func(id string) any { return map[string]any{"recordId": id} }},
		"list-messages-of-gvms-movement":   {kind: "gvms.movement"},
		"list-inbox-items":                 {},
		"read-inbox-items":                 {},
		"list-declarations":                {},
		"create-declaration":               {kind: "shipment", body: func(id string) any { return goods(id, "") }},
		"get-declaration":                  {kind: "declaration"},
		"import-declaration":               {body: minimalXML("IMA", "9"), headers: []string{"Content-Type", "application/xml"}},
		"update-declaration":               {kind: "declaration", body: map[string]any{"documents": []any{}}},
		"cancel-declaration":               {kind: "declaration"},
		"get-declaration-xml":              {kind: "declaration"},
		"get-declaration-document":         {kind: "declaration"},
		"print-cbam-report":                {kind: "cbam.report"},
		"print-tax-return":                 {kind: "tax.return"},
		"get-declaration-timeline":         {kind: "declaration"},
		"get-shipment-timeline":            {kind: "shipment"},
		"close-declaration-demand":         {kind: "declaration"},
		"request-cancellation":             {kind: "declaration", body: map[string]any{"reasonCode": "2", "reason": "Twice"}},
		"request-presentation":             {kind: "declaration"},
		"create-declaration-movement":      {kind: "declaration", body: map[string]any{"kind": "ARRIVAL", "occursAt": "2026-12-01T09:00:00Z"}},
		"request-amendment":                {kind: "declaration", body: map[string]any{"reason": "Wrong", "changes": map[string]any{"totalPackages": 3}}},
		"add-declaration-files":            {kind: "declaration", body: documentsForm(t, invoice), headers: formHeader},
		"add-declaration-sources":          {kind: "declaration", body: documentsForm(t, document{"invoice", "invoice.pdf", "%PDF-1.7 invoice"}), headers: formHeader},
		"get-declaration-file":             {kind: "declaration"},
		"submit-declaration":               {kind: "declaration", body: func(id string) any { return map[string]any{"declarationId": id} }},

		"create-supplementary-declaration": {kind: "declaration"},

		"list-webhook-endpoints":     {},
		"create-webhook-endpoint":    {body: map[string]any{"url": "https://example.com/hook", "events": []any{"webhook.ping"}}},
		"get-webhook-endpoint":       {kind: "endpoint"},
		"update-webhook-endpoint":    {kind: "endpoint", body: map[string]any{"active": false}},
		"delete-webhook-endpoint":    {kind: "endpoint"},
		"rotate-webhook-secret":      {kind: "endpoint"},
		"test-webhook-endpoint":      {kind: "endpoint"},
		"list-webhook-deliveries":    {kind: "endpoint"},
		"resend-webhook-delivery":    {kind: "endpoint"},
		"get-webhook-delivery":       {kind: "endpoint"},
		"recover-webhook-deliveries": {kind: "endpoint", body: map[string]any{}},
		"list-webhook-event-types":   {},
		"get-webhook-metrics":        {},
		"list-portal-links":          {},
		"create-portal-link":         {kind: "endpoint", body: func(id string) any { return map[string]any{"expiresInMinutes": 5, "endpointIds": []any{id}} }},
		"revoke-portal-link":         {kind: "portal link"},

		"list-keys":         {},
		"create-scim-token": {},
		"create-key":        {body: map[string]any{"name": "K", "role": "VIEWER"}},
		"get-key":           {kind: "key"},
		"delete-key":        {kind: "key"},
		"rotate-key":        {kind: "key"},
		"get-me":            {},
		"get-usage":         {},
		"list-events":       {},
		"stream-events":     {},
		"search":            {},

		"get-test-clock":     {},
		"set-test-clock":     {body: map[string]any{"advance": "PT1S"}},
		"delete-test-clock":  {},
		"reset-sandbox":      {},
		"create-sandbox-key": {body: map[string]any{"name": "K", "role": "VIEWER"}},

		"list-hubs":            {},
		"enable-hub":           {kind: "hub"},
		"disable-hub":          {kind: "hub"},
		"get-organisation":     {},
		"update-organisation":  {body: map[string]any{"city": "Hull"}},
		"close-organisation":   {body: map[string]any{"name": "A"}},
		"restore-organisation": {},
		"list-audit-events":    {},
		"list-holds":           {},
		"set-hold":             {kind: "client", body: func(id string) any { return map[string]any{"recordId": id, "reason": "an inquiry"} }},
		"lift-hold":            {kind: "client", body: func(id string) any { return map[string]any{"recordId": id, "reason": "closed"} }},

		"list-deadlines":                 {},
		"get-deadline-feed":              {},
		"create-deadline-feed":           {},
		"delete-deadline-feed":           {},
		"get-deadline-calendar":          {kind: "feed"},
		"export-clients":                 {},
		"export-shipments":               {},
		"export-declarations":            {},
		"export-gvms-movements":          {},
		"export-emcs-movements":          {},
		"export-tss-declarations":        {},
		"export-trade-licences":          {},
		"export-corporate-filings":       {},
		"export-ics2-filings":            {},
		"list-messages-of-ics2-filing":   {kind: "ics2.filing"},
		"list-messages-of-emcs-movement": {kind: "emcs.movement"},
		"export-cbam-reports":            {},
		"export-tax-returns":             {},
		"preview-client-import":          {body: form("file", "Name\nB Ltd\n"), headers: formHeader},
		"commit-client-import":           {body: map[string]any{"mapping": map[string]any{"name": "N"}, "rows": []any{map[string]any{"N": "B"}}}},
		"preview-declaration-import":     {body: form("file", "commodityCode\n6109100010\n"), headers: formHeader},
		"commit-declaration-import":      {body: map[string]any{"mapping": map[string]any{"declarationType": "T"}, "rows": []any{map[string]any{"T": "IMPORT"}}}},
		"get-import":                     {kind: "import"},
		"cancel-import":                  {kind: "import"},
		"list-import-results":            {kind: "import"},
		"create-batch":                   {body: map[string]any{"operations": []any{row("", "POST", "/api/clients", map[string]any{"name": "B"})}}, headers: []string{"Idempotency-Key", "b"}},
		"get-batch":                      {kind: "batch"},
		"cancel-batch":                   {kind: "batch"},
		"list-batch-results":             {kind: "batch"},
		"export-audit-events":            {},
		"follow-audit-events":            {},
		"export-organisation":            {},
		"get-organisation-export":        {kind: "export"},
		"cancel-organisation-export":     {kind: "export"},
		"get-organisation-archive":       {kind: "export"},
		"get-audit-checkpoint":           {},
		"get-audit-key":                  {},
		"create-sandbox":                 {},
		"get-audit-consistency":          {},

		"get-client-evidence":      {kind: "client"},
		"get-shipment-evidence":    {kind: "shipment"},
		"get-declaration-evidence": {kind: "declaration"},

		"analyse-declaration": {kind: "declaration", body: func(id string) any { return map[string]any{"declarationId": id} }},

		"classify-trade":    {body: map[string]any{"productDescription": "Brass lamps", "destinationCountry": "FR"}},
		"explain-rejection": {kind: "declaration", body: func(id string) any { return map[string]any{"declarationId": id} }},

		"get-tax-connection":    {},
		"begin-tax-connection":  {},
		"delete-tax-connection": {},

		"get-customs-consent":    {},
		"begin-customs-consent":  {},
		"delete-customs-consent": {},
		"classify-commodity":     {body: map[string]any{"description": "Brass lamps"}},

		"get-commodity":       {},
		"list-exchange-rates": {},

		"list-tariff-editions": {},
		"diff-tariff-editions": {},
		"calculate-duties": {kind: "product", body: func(id string) any {
			return map[string]any{"destination": "GB", "lines": []any{map[string]any{"productId": id, "price": map[string]any{"amount": 1, "currency": "GBP"}}}}
		}},
		"create-what-if": {kind: "product", headers: []string{"Idempotency-Key", "w"}, body: func(id string) any {
			line := map[string]any{"productId": id, "price": map[string]any{"amount": 1, "currency": "GBP"}}
			return map[string]any{"source": map[string]any{"lines": []any{line}}, "change": map[string]any{"origin": "BD"}}
		}},
		"upload-what-if-lines": {body: form("file", "commodityCode,origin,price\n6109100010,CN,100\n"), headers: formHeader},

		"get-what-if":        {kind: "what-if"},
		"cancel-what-if":     {kind: "what-if"},
		"get-what-if-result": {kind: "what-if"},
		"get-what-if-csv":    {kind: "what-if"},
		"decide-origin":      {body: map[string]any{"commodityCode": "8517620000", "exportCountry": "CA", "destination": "GB"}},
		"extract-document":   {body: form("file", "Invoice No: A-1", "documentType", "invoice"), headers: formHeader},

		"receive-customs-message":        {kind: "customs"},
		"receive-authority-notification": {kind: "push"},
		"answer-notification-challenge":  {kind: "push"},
	}
}

// Another organisation's record and one that does not exist get the same answer, and no answer contains data of
// the other organisation. One connection is used for both, so that no state of one request affects the next.
func TestAnotherOrganisationDoesNotExist(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		mine, theirs := p.organisation("A"), p.organisation(canary)
		for _, s := range hubKinds(t) {
			mine.call("POST", "/api/hubs/"+s.Hub, nil)
		}
		mine.call("POST", "/api/hubs/tax", nil)
		records, probes := theirs.createAllKinds(), probes(t)
		records["endpoint"], records["delivery"] = theirs.hook()
		records["portal link"] = theirs.portalLink(t)
		records["key"] = theirs.call("POST", keysPath, map[string]any{"name": canary, "role": "VIEWER"}).want(t, 201).in("key", "id").(string)
		records["export"] = theirs.call("POST", "/api/organisation/export", nil).want(t, 202).in("job", "id").(string)
		records["batch"] = theirs.batch("b", row("", "POST", "/api/clients", map[string]any{"name": canary}))
		records["import"] = theirs.call("POST", "/api/import/declarations/commit", probes["commit-declaration-import"].body).want(t, 202).in("import", "id").(string)
		records["what-if"] = theirs.canaryWhatIf()
		records["comment"] = theirs.comment("client", records["client"], canary)
		asked := map[string]bool{}
		for path, item := range p.document.Paths.Map() {
			for method, op := range item.Operations() {
				probe, ok := probes[op.OperationID]
				if !ok {
					t.Errorf("%s has no probe: add one to this test", op.OperationID)
					continue
				}
				asked[op.OperationID] = true
				mine.tryForeign(t, method, strings.NewReplacer("{deliveryId}", records["delivery"], "{fileId}", unknownID).Replace(path), probe, records)
			}
		}
		for id := range probes {
			if !asked[id] {
				t.Errorf("the document has no operation %s", id)
			}
		}
		for kind, id := range records {
			if kind == "declaration" {
				if a := theirs.call("GET", "/api/declarations/"+id, nil).want(t, 200); a.in("declaration", "status") != "DRAFT" {
					t.Errorf("their declaration was changed: %s", a.text)
				}
			}
		}
	}, "TIDEWAITER_DATABASE_CONNECTIONS=1")
}

// createAllKinds creates a record of every kind that contains the canary.
func (c *caller) createAllKinds() map[string]string {
	c.t.Helper()
	client := c.call("POST", "/api/clients", map[string]any{"name": canary}).want(c.t, 201).id()
	shipment := c.call("POST", "/api/shipments", map[string]any{"clientId": client, "portOfEntry": canary, "transportMode": "SEA"}).want(c.t, 201).id()
	body := goods(shipment, "")
	body["items"].([]any)[0].(map[string]any)["description"] = canary
	declaration := c.call("POST", "/api/declarations", body).want(c.t, 201).id()
	product := c.call("POST", "/api/products", map[string]any{"clientId": client, "code": "A", "description": canary}).want(c.t, 201).id()
	template := c.call("POST", templates, map[string]any{"clientId": client, "name": canary, "body": map[string]any{}}).want(c.t, 201).id()
	records := map[string]string{"client": client, "shipment": shipment, "declaration": declaration, "product": product, "template": template}
	for _, k := range hubKinds(c.t) {
		c.call("POST", "/api/hubs/"+k.Hub, nil)
		marked := map[string]any{k.text: canary}
		if k.due != "" {
			marked[k.due] = inDays(5)
		}
		records[k.Kind] = c.call("POST", k.Path, k.with(marked)).want(c.t, k.made()).id()
	}
	maps.Copy(records, c.createGenerated())
	return records
}

// tryForeign calls an operation with another organisation's record and with an unknown id.
func (c *caller) tryForeign(t *testing.T, method, path string, pr probe, records map[string]string) {
	t.Helper()
	ask := func(id string) answer {
		body := pr.body
		if make, ok := body.(func(string) any); ok {
			body = make(id)
		}
		return c.call(method, strings.ReplaceAll(path, "{id}", id), body, pr.headers...)
	}
	switch pr.kind {
	case "customs":
		c.server.call("", method, path, "<x/>", "Content-Type", "application/xml").refused(t, 401, "unauthorized")
		return
	case "push": // without a push secret
		want, code := 401, "unauthorized"
		if method == "GET" {
			want, code = 400, "invalid_request"
		}
		c.server.call("", method, strings.ReplaceAll(path, "{id}", "emcs"), nil).refused(t, want, code)
		return
	case "hub", "":
		c.mustNotLeak(t, method+" "+path, ask("gvms"), records)
		return
	case "feed":
		token := c.call("POST", "/api/deadlines/feed", nil).want(t, 201).in("feed", "token").(string)
		c.mustNotLeak(t, method+" "+path, c.server.call("", method, path+"?token="+token, nil).want(t, 200), records)
		return
	}
	foreign, random := ask(records[pr.kind]), ask(unknownID)
	if foreign.status != random.status || without(foreign) != without(random) || foreign.status < 400 || foreign.status >= 500 {
		t.Errorf("%s %s: another organisation's record gets %d %s, an unknown id %d %s", method, path, foreign.status, foreign.text, random.status, random.text)
	}
}

// mustNotLeak fails the test if an answer contains data of the other organisation.
func (c *caller) mustNotLeak(t *testing.T, what string, a answer, records map[string]string) {
	t.Helper()
	leaked := strings.Contains(a.text, canary)
	for _, id := range records {
		leaked = leaked || strings.Contains(a.text, id)
	}
	if a.status >= 500 || leaked {
		t.Errorf("%s: the answer %d leaks another organisation's data: %s", what, a.status, a.text)
	}
}

// without is the text without the request id.
func without(a answer) string { return strings.ReplaceAll(a.text, a.header.Get("X-Request-Id"), "") }

// canaryWhatIf makes a what-if and returns its id.
func (c *caller) canaryWhatIf() string {
	c.t.Helper()
	return c.call("POST", whatIfPath, map[string]any{
		"source": map[string]any{"lines": []any{priced("6109100010", "CN", map[string]any{"ref": canary})}}, "change": map[string]any{"origin": "BD"},
	}, "Idempotency-Key", "w").want(c.t, 202).in("job", "id").(string)
}
