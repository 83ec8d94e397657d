package conformance

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// evidence downloads the evidence pack of a record and checks that it is intact.
func (c *caller) evidence(path string) map[string]string {
	c.t.Helper()
	a := c.call("GET", path+"/evidence.zip", nil).want(c.t, 200)
	if a.header.Get("Content-Type") != "application/zip" || !strings.HasPrefix(a.header.Get("Content-Disposition"), `attachment; filename="evidence-`) {
		c.t.Errorf("%s: headers %v", path, a.header)
	}
	report, err := check.Pack(strings.NewReader(a.text), int64(len(a.text)))
	if err != nil || !report.OK() || report.OrganisationID != c.org {
		c.t.Fatalf("%s: %v, %+v", path, err, report)
	}
	if again := c.call("GET", path+"/evidence.zip", nil).want(c.t, 200); again.text != a.text {
		c.t.Errorf("%s: two packs of the same record differ", path)
	}
	return unpacked(c.t, a.text)
}

func unpacked(t *testing.T, pack string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// Every record of every kind has an intact pack, which every role that may read the record may download, and which
// has the record as the API shows it. The download is an event.
func TestEvidenceOfEveryKind(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		records := c.createAllKinds()
		paths := map[string]string{"client": "/api/clients", "shipment": "/api/shipments", "product": "/api/products", "template": "/api/templates", "declaration": "/api/declarations", "tax.period": "/api/tax/periods"}
		for _, k := range hubKinds(t) {
			paths[k.Kind] = k.Path
		}
		for _, k := range app.Statements() {
			paths[k.Kind] = k.Path
		}
		viewer := c.as("VIEWER")
		if len(records) != len(paths) {
			t.Errorf("%d records of %d kinds", len(records), len(paths))
		}
		for kind, id := range records {
			files := viewer.evidence(paths[kind] + "/" + id)
			want := c.call("GET", paths[kind]+"/"+id, nil).want(t, 200)
			var have map[string]any
			if err := json.Unmarshal([]byte(files["record.json"]), &have); err != nil {
				t.Fatal(err)
			}
			for one, record := range have {
				if fmt.Sprint(record) != fmt.Sprint(want.body[one]) || len(have) != 1 {
					t.Errorf("%s: %s, not %s", kind, files["record.json"], want.text)
				}
			}
			for _, name := range []string{"README.txt", "verify.html", "verify.js", "body.json", "timeline.json", "events.json", "checkpoint.json", "manifest.json", "signature.json"} {
				if files[name] == "" {
					t.Errorf("%s: no %s", kind, name)
				}
			}
		}
		exported := c.events("limit=200&eventType=evidence.exported")
		if len(exported) != 2*len(records) || exported[0]["resourceType"] != "evidence" || exported[0]["data"].(map[string]any)["recordId"] == "" {
			t.Errorf("%d packs have events: %v", len(exported), exported)
		}
		viewer.call("GET", "/api/declarations/"+unknownID+"/evidence.zip", nil).refused(t, 404, "not_found")
		viewer.call("GET", "/api/declarations/"+records["client"]+"/evidence.zip", nil).refused(t, 404, "not_found")
	})
}

// The pack of a declaration that was rejected, corrected and cleared has everything sent and received, byte for
// byte, and events with their digests.
func TestEvidenceOfADeclaration(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-BCDS12056-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "REJECTED")
		c.call("PATCH", "/api/declarations/"+id, map[string]any{"documents": []any{map[string]any{"type": "N935", "reference": "INV-<1>"}}}).want(t, 200)
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		files := c.evidence("/api/declarations/" + id)
		sent, received := 0, 0
		for name, content := range files {
			switch {
			case strings.HasPrefix(name, "sent/0002-"):
				if xml := c.call("GET", "/api/declarations/"+id+"/declaration.xml", nil).want(t, 200); xml.text != content {
					t.Errorf("%s is not what was sent", name)
				}
				fallthrough
			case strings.HasPrefix(name, "sent/"):
				sent++
			case strings.HasPrefix(name, "received/") && strings.HasSuffix(name, ".xml"):
				if received++; !strings.Contains(content, "MetaData") || !strings.Contains(files[strings.TrimSuffix(name, ".xml")+".headers.json"], "X-Conversation-Id") {
					t.Errorf("%s is %s, with %s", name, content, files[strings.TrimSuffix(name, ".xml")+".headers.json"])
				}
			}
		}
		if sent != 2 || received < 4 || strings.Contains(fmt.Sprint(files), "Bearer ") {
			t.Errorf("%d sent, %d received", sent, received)
		}
		if !strings.Contains(files["documents.json"], `"reference": "INV-\u003c1\u003e"`) || !strings.Contains(files["review.json"], `"riskScore"`) {
			t.Errorf("documents %s, review %s", files["documents.json"], files["review.json"])
		}
	})
}

// The pack of a return has what was sent to HMRC, and its receipt.
func TestEvidenceOfAReturn(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		path := c.draft(1, 1000.10)
		c.call("POST", path+"/submit", nil).want(t, 200)
		files, have := c.evidence(path), ""
		for name, content := range files {
			if strings.HasPrefix(name, "sent/0001-") && strings.Contains(content, `"finalised":true`) || strings.HasPrefix(name, "received/0001-") && strings.Contains(content, "256660290001") {
				have += name[:4]
			}
		}
		if len(have) != 8 {
			t.Errorf("%s of %v", have, files["timeline.json"])
		}
	})
}

// The checkpoint is signed with the public key of the API, and `audit verify` detects a changed tree with it.
func TestCheckpointIsSigned(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for range 5 {
			c.client()
		}
		key := p.call("", "GET", "/api/audit/key", nil).want(t, 200)
		public, err := base64.StdEncoding.DecodeString(key.body["publicKey"].(string))
		if err != nil || len(public) != ed25519.PublicKeySize || key.body["algorithm"] != "Ed25519" {
			t.Fatalf("key %s: %v", key.text, err)
		}
		a := c.as("VIEWER").call("GET", "/api/audit/checkpoint", nil).want(t, 200)
		signed, err := json.Marshal([]any{
			"tidewaiter-checkpoint-1", a.body["organisationId"], fmt.Sprint(a.body["sequence"]), a.body["hash"], a.body["eventId"], a.body["occurredAt"], a.body["rootHash"],
		})
		if err != nil {
			t.Fatal(err)
		}
		signature, err := base64.StdEncoding.DecodeString(a.body["signature"].(string))
		if err != nil || !ed25519.Verify(public, signed, signature) || a.body["keyFingerprint"] != key.body["fingerprint"] {
			t.Errorf("the signature of %s: %v", a.text, err)
		}
		kept := a.body
		c.client()
		c.provesConsistency(kept)
		folder := t.TempDir()
		good, bad := filepath.Join(folder, "good.json"), filepath.Join(folder, "bad.json")
		other := strings.Replace(a.text, a.body["rootHash"].(string), strings.Repeat("0", 64), 1)
		if err := os.WriteFile(good, []byte(a.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(bad, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		for file, code := range map[string]int{good: 0, bad: 3} {
			if got, _ := p.Code("audit", "verify", "--checkpoint", file); got != code {
				t.Errorf("%s: exit code %d, want %d", filepath.Base(file), got, code)
			}
		}
	})
}

// provesConsistency fails unless the trail is proved to extend a checkpoint.
func (c *caller) provesConsistency(kept map[string]any) {
	c.t.Helper()
	a := c.call("GET", fmt.Sprintf("/api/audit/consistency?sequence=%v", kept["sequence"]), nil).want(c.t, 200)
	hash := func(text any) (h merkle.Hash) {
		raw, err := hex.DecodeString(text.(string))
		if err != nil || copy(h[:], raw) != merkle.Size {
			c.t.Errorf("%v is not a hash", text)
		}
		return h
	}
	var proof []merkle.Hash
	for _, text := range a.body["proof"].([]any) {
		proof = append(proof, hash(text))
	}
	from, to := int64(kept["sequence"].(float64)), int64(a.in("checkpoint", "sequence").(float64))
	if a.body["rootHash"] != kept["rootHash"] || to <= from || !merkle.Consistent(from, to, hash(kept["rootHash"]), hash(a.in("checkpoint", "rootHash")), proof) {
		c.t.Errorf("no proof that the trail extends %v: %s", kept, a.text)
	}
	for _, sequence := range []string{"0", "-1", fmt.Sprint(to + 1000), "x", ""} {
		c.call("GET", "/api/audit/consistency?sequence="+sequence, nil).refused(c.t, 400, "invalid_request")
	}
}

// The command's exit code says whether a pack is intact. It needs no service, and can be given the expected key.
func TestEvidenceCommand(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		pack := c.call("GET", "/api/clients/"+c.client()+"/evidence.zip", nil).want(t, 200).text
		fingerprint := p.call("", "GET", "/api/audit/key", nil).body["fingerprint"].(string)
		files := unpacked(t, pack)
		files["events.json"] = strings.Replace(files["events.json"], "client.created", "client.deleted", 1)
		folder := t.TempDir()
		for name, content := range map[string]string{"whole.zip": pack, "touched.zip": zipped(t, files), "none.zip": "PK"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for args, want := range map[string]int{
			"whole.zip": 0, "whole.zip --key " + fingerprint: 0, "whole.zip --key " + strings.Repeat("0", 64): 3, "whole.zip --json": 0,
			"touched.zip": 3, "touched.zip --json": 3, "none.zip": 1, "nothing.zip": 2,
		} {
			cmd := exec.Command(program.Binary(t), append([]string{"evidence", "verify"}, strings.Fields(args)...)...)
			cmd.Dir = folder
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("%s: exit code %d, want %d", args, got, want)
			}
		}
	})
}

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, content := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, content)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
