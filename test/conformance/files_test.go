package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
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

// The documents are in the evidence pack and in the complete export, byte for byte, and the operator's verification compares
// them.
func TestDocumentsAreKept(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-D-1")
		c.submit(id).want(t, 200)
		c.waitForStage(id, "DOCUMENTS_REQUIRED")
		c.send(id, nil, invoice).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		file := c.call("GET", "/api/declarations/"+id, nil).want(t, 200).files()[0]["id"].(string)
		pack := c.evidence("/api/declarations/" + id)
		request, note := "", ""
		for name, content := range pack {
			if strings.HasPrefix(name, "sent/") && strings.Contains(content, "FileUploadRequest") {
				request = name
			}
			if strings.HasPrefix(name, "received/") && strings.Contains(content, "hmrc:fileupload") {
				note = name
			}
		}
		if sum := sha256.Sum256([]byte(pack[request])); !strings.Contains(pack["events.json"], `\"sentSha256\":\"`+hex.EncodeToString(sum[:])+`\"`) {
			t.Errorf("no event has the digest of %s: %s", request, pack["events.json"])
		}
		if pack["files/"+file+".pdf"] != invoice.content || request == "" || note == "" {
			t.Errorf("the pack has %v, %q, %q", pack["files/"+file+".pdf"], request, note)
		}
		job := c.call("POST", "/api/organisation/export", nil).want(t, 202)
		export := "/api/organisation/export/" + job.in("job", "id").(string)
		c.eventually("the export", func() bool { return c.call("GET", export, nil).want(t, 200).in("job", "status") == "DONE" })
		lines, files := archived(t, c.call("GET", export+"/archive", nil).want(t, 200).text)
		if files["originals/attachments/"+file+".pdf"] != invoice.content || len(lines["attachments"]) != 1 || lines["declaration_files"][0]["status"] != "RECEIVED" {
			t.Errorf("the export has %v and %v", lines["attachments"], lines["declaration_files"])
		}
		found := false
		for name, content := range files {
			found = found || strings.HasPrefix(name, "originals/received-from-customs/") && strings.Contains(content, "hmrc:fileupload")
		}
		if !found {
			t.Error("the export has no notification about the upload")
		}
	})
}

// Everything that is wrong with the files is named at once, and nothing is stored.
func TestFilesAreChecked(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-G-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		wrong := c.send(id, nil, document{"", "a.pdf", "%PDF-1.7"}, document{"Invoice", "b.exe", "MZ\x90\x00"}, document{"Invoice", "empty.txt", ""}).refused(t, 400, "invalid_request")
		for _, field := range []string{"documentType[0]", "file[1]", "file[2]"} {
			if !strings.Contains(wrong.text, `"field":"`+field+`"`) {
				t.Errorf("%s is not named: %s", field, wrong.text)
			}
		}
		many := make([]document, 12)
		for i := range many {
			many[i] = invoice
		}
		c.send(id, nil, many...).refused(t, 400, "invalid_request")
		c.send(id, nil).refused(t, 400, "invalid_request")
		c.send(id, nil, document{"Invoice", "large.txt", strings.Repeat("a", 10<<20+1)}).refused(t, 413, "payload_too_large")
		c.call("POST", "/api/declarations/"+id+"/files", map[string]any{}).refused(t, 415, "unsupported_media_type")
		c.send(id, []string{"X-Simulate", "perhaps"}, invoice).refused(t, 400, "invalid_request")
		c.send("0192f3c4-7a10-7c3e-8f00-000000000000", nil, invoice).refused(t, 404, "not_found")
		c.send(id, []string{"If-Match", `"1"`}, invoice).refused(t, 412, "precondition_failed")
		c.call("GET", "/api/declarations/"+id+"/files/0192f3c4-7a10-7c3e-8f00-000000000000", nil).refused(t, 404, "not_found")
		if a := c.call("GET", "/api/declarations/"+id, nil).want(t, 200); len(a.files()) != 0 {
			t.Errorf("stored: %s", a.text)
		}
		c.send(id, []string{"X-Simulate", "reject"}, document{"Invoice", "large.txt", strings.Repeat("a", 10<<20)}).want(t, 200)
		a := c.waitForFiles(id, "REJECTED")
		if reason := a.files()[0]["reason"]; reason != "Customs rejected it. Steered by X-Simulate: reject" {
			t.Errorf("reason %v", reason)
		}
		if got := c.call("GET", "/api/declarations/"+id+"/files/"+a.files()[0]["id"].(string), nil).want(t, 200); len(got.text) != 10<<20 {
			t.Errorf("%d bytes", len(got.text))
		}
		if a := c.call("GET", "/api/usage", nil).want(t, 200); a.in("storage", "documentBytes") != float64(10<<20) || a.in("storage", "quotaBytes") != float64(10<<30) {
			t.Errorf("usage %s", a.text)
		}
	})
}

// A question of customs is answered with a document of type query-response.
func TestQueryIsAnsweredWithADocument(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-Q-1")
		c.submit(id).want(t, 200)
		c.waitForStage(id, "QUERIED")
		c.send(id, nil, invoice).want(t, 200)
		if d := c.waitForFiles(id, "RECEIVED").demand(t); d["status"] != "OPEN" {
			t.Errorf("after another document: %v", d)
		}
		c.send(id, nil, document{"query-response", "answer.txt", "They are cotton."}).want(t, 200)
		if d := c.waitForFiles(id, "RECEIVED", "RECEIVED").demand(t); d["kind"] != "QUERY" || d["status"] != "ANSWERED" {
			t.Errorf("after the answer: %v", d)
		}
	})
}

// The program scans files with the operator's command before it sends them, and after a restart it goes on where it stopped.
func TestFilesAreScanned(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		folder := t.TempDir()
		script := filepath.Join(folder, "scan")
		release := filepath.Join(folder, "release")
		text := "#!/bin/sh\ntest -e " + release + " || exit 3\ngrep -q EICAR && echo Eicar-Signature && exit 1\nexit 0\n"
		if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		p := serve(t, b, "TIDEWAITER_SCAN_COMMAND="+script)
		c := p.organisation("A")
		id := c.declaration("SIM-D-1")
		c.submit(id).want(t, 200)
		c.waitForStage(id, "DOCUMENTS_REQUIRED")
		c.send(id, nil, invoice, document{"Other", "virus.txt", "EICAR"}).want(t, 200)
		if err := os.WriteFile(release, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		p.restart()
		a := c.waitForFiles(id, "RECEIVED", "REJECTED")
		if reason := a.files()[1]["reason"]; reason != "The virus scan refused it. Eicar-Signature" {
			t.Errorf("reason %v", reason)
		}
		c.waitForStatus(id, "CLEARED")
	})
}
