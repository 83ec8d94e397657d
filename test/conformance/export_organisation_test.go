package conformance

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// archived reads an archive: the lines of each .jsonl file, and the bytes of the others.
func archived(t *testing.T, text string) (lines map[string][]map[string]any, files map[string]string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	lines, files = map[string][]map[string]any{}, map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(body)
		name, isLines := strings.CutSuffix(f.Name, ".jsonl")
		if !isLines {
			continue
		}
		for line := range strings.Lines(string(body)) {
			var v map[string]any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatalf("%s: %v: %s", f.Name, err, line)
			}
			if v["id"] == nil {
				t.Errorf("%s: a line without id: %s", f.Name, line)
			}
			lines[name] = append(lines[name], v)
		}
	}
	return lines, files
}

// An export has every record of every kind as the API shows it, every event, and the exact bytes sent and
// received. It has no secret and no data of another organisation.
func TestExportOrganisation(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		mine, theirs := p.organisation("A"), p.organisation(canary)
		theirs.createAllKinds()
		records := mine.createAllKinds()
		records["endpoint"], _ = mine.hook()
		declaration := mine.declaration("")
		mine.submit(declaration).want(t, 200)
		sent := mine.call("GET", "/api/declarations/"+declaration+"/declaration.xml", nil).want(t, 200).text

		job := mine.call("POST", "/api/organisation/export", nil).want(t, 202)
		id := job.in("job", "id").(string)
		if job.in("job", "status") != "DONE" || job.in("job", "total") != job.in("job", "done") || job.in("job", "resultUrl") != "/api/organisation/export/"+id+"/archive" {
			t.Fatal(job.text)
		}
		a := mine.call("GET", "/api/organisation/export/"+id+"/archive", nil).want(t, 200)
		lines, files := archived(t, a.text)
		for kind, record := range records {
			switch kind {
			case "endpoint":
				kind = "webhook_endpoints"
			case "delivery":
				kind = "webhook_deliveries"
			}
			if !slices.ContainsFunc(lines[kind], func(v map[string]any) bool { return v["id"] == record }) {
				t.Errorf("%s.jsonl has no %s: %v", kind, record, files[kind+".jsonl"])
			}
		}
		shown := mine.call("GET", "/api/clients/"+records["client"], nil).want(t, 200).body["client"]
		if got := lines["client"][0]; text(got) != text(shown) {
			t.Errorf("the client is %s, want %s", text(got), text(shown))
		}
		fetched := false
		for i, e := range lines["audit_events"] {
			fetched = fetched || e["eventType"] == "organisation.export_fetched"
			if e["sequence"] != float64(i+1) {
				t.Errorf("event %d is at position %d", int(e["sequence"].(float64)), i+1)
			}
		}
		if !fetched {
			t.Error("no event of the download")
		}
		if len(lines["users"]) != 1 || len(lines["keys"]) != 1 || len(lines["memberships"]) != 1 {
			t.Errorf("%d users, %d keys, %d memberships", len(lines["users"]), len(lines["keys"]), len(lines["memberships"]))
		}
		found := false
		for name, body := range files {
			found = found || strings.HasPrefix(name, "originals/sent-to-customs/") && body == sent
			for _, secret := range []string{"svc_", "whsec_", "\"hash\":\"svc", theirs.org, `"secret"`} {
				if strings.Contains(body, secret) && !(secret == "whsec_" && strings.Contains(body, "whsec_…")) {
					t.Errorf("%s has %q", name, secret)
				}
			}
		}
		if !found {
			t.Error("the archive does not have the exact bytes sent to CDS")
		}
		if files["manifest.json"] == "" {
			t.Error("no manifest")
		}

		mine.call("DELETE", "/api/organisation/export/"+id, nil).want(t, 200)
		mine.call("GET", "/api/organisation/export/"+id+"/archive", nil).refused(t, 400, "invalid_state")
		theirs.call("GET", "/api/organisation/export/"+id, nil).refused(t, 404, "not_found")
		var member struct{ APIKey string }
		p.Read(t, &member, "key", "create", "--org", mine.org, "--role", "MEMBER", "--name", "M")
		(&caller{p, mine.org, member.APIKey}).call("POST", "/api/organisation/export", nil).refused(t, 403, "owner_role_required")
	})
}
