package conformance

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strings"
	"testing"
)

// document is a file of a form with documents.
type document struct{ kind, name, content string }

var invoice = document{"Invoice", "invoice.pdf", "%PDF-1.7 invoice"}

// documentsForm encodes documents as the form of an upload, each after its type.
func documentsForm(t *testing.T, all ...document) string {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary(boundary); err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.kind != "" {
			_ = w.WriteField("documentType", d.kind)
		}
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, d.name)}})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte(d.content))
	}
	_ = w.Close()
	return body.String()
}

// send uploads documents.
func (c *caller) send(id string, headers []string, all ...document) answer {
	c.t.Helper()
	return c.call("POST", "/api/declarations/"+id+"/files", documentsForm(c.t, all...), append(headers, formHeader...)...)
}

// files returns the files of a declaration.
func (a answer) files() (all []map[string]any) {
	list, _ := a.in("declaration", "files").([]any)
	for _, f := range list {
		all = append(all, f.(map[string]any))
	}
	return all
}

// waitForFiles waits until each file has a status.
func (c *caller) waitForFiles(id string, statuses ...string) (a answer) {
	c.t.Helper()
	c.eventually("files "+strings.Join(statuses, ", "), func() bool {
		a = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		var now []string
		for _, f := range a.files() {
			now = append(now, f["status"].(string))
		}
		return strings.Join(now, ", ") == strings.Join(statuses, ", ")
	})
	return a
}

// Customs asks for documents. They are sent, confirmed and answer the demand; the declaration is released and cleared.
func TestDocumentsAreSent(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-D-1")
		c.send(id, nil, invoice).refused(t, 400, "invalid_state")
		c.submit(id).want(t, 200)
		c.waitForStage(id, "DOCUMENTS_REQUIRED")
		licence := document{"Licence", `C:\docs\licence.txt`, "Licence 4711"}
		first := c.send(id, []string{"Idempotency-Key", "one"}, invoice, licence).want(t, 200)
		if first.in("request", "kind") != "FILES" || len(first.in("files").([]any)) != 2 {
			t.Errorf("answer %s", first.text)
		}
		if again := c.send(id, []string{"Idempotency-Key", "one"}, invoice, licence).want(t, 200); again.text != first.text {
			t.Errorf("repeated: %s, not %s", again.text, first.text)
		}
		c.send(id, []string{"Idempotency-Key", "one"}, invoice).refused(t, 422, "idempotency_mismatch")
		c.waitForFiles(id, "RECEIVED", "RECEIVED")
		a := c.waitForStatus(id, "CLEARED")
		demand := a.demand(t)
		if demand["status"] != "CLOSED" || demand["closedBy"] != "DMSROG" || demand["answeredAt"] == nil {
			t.Errorf("demand %v", demand)
		}
		files := a.files()
		if files[1]["fileName"] != "licence.txt" || files[1]["documentType"] != "Licence" || files[1]["mediaType"] != "text/plain; charset=utf-8" || files[0]["demands"].([]any)[0] != demand["id"] {
			t.Errorf("files %v", files)
		}
		path := "/api/declarations/" + id + "/files/" + files[0]["id"].(string)
		got := c.call("GET", path, nil).want(t, 200)
		if got.text != invoice.content || got.header.Get("Content-Type") != "application/pdf" || got.header.Get("Content-Disposition") != `attachment; filename=invoice.pdf` {
			t.Errorf("content %q %v", got.text, got.header)
		}
		p.organisation("B").call("GET", path, nil).refused(t, 404, "not_found")
		for event, n := range map[string]int{"file_added": 1, "file_sent": 2, "file_received": 2, "file_rejected": 0} {
			events := c.call("GET", "/api/audit?eventType=declaration."+event, nil).want(t, 200)
			if got := len(events.in("events").([]any)); got != n {
				t.Errorf("%d events %s, not %d", got, event, n)
			}
		}
		c.send(id, nil, invoice).refused(t, 400, "invalid_state")
	})
}
