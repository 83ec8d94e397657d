package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The operator lists, closes, restores and exports an organisation by command while the service runs. Its keys
// stop at once and stay revoked; other organisations are not affected.
func TestOperatorClosesOrganisation(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		mine, theirs := p.organisation("Quay Ltd"), p.organisation("Harbour Ltd")
		mine.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201)
		state := func() (line string) {
			for row := range strings.Lines(string(p.Run(t, "org", "list"))) {
				if strings.HasPrefix(row, mine.org) {
					line = row
				}
			}
			return line
		}
		if row := state(); !strings.Contains(row, "open") || !strings.Contains(row, "Quay Ltd") {
			t.Errorf("listed as %q", row)
		}
		if code, out := p.Code("org", "close", "--org", mine.org, "--name", "Harbour Ltd"); code != 1 || !strings.Contains(out, "name") {
			t.Errorf("closed with a wrong name: %d %s", code, out)
		}
		var closed struct{ State, DeleteAfter string }
		p.Read(t, &closed, "org", "close", "--org", mine.org, "--name", "Quay Ltd")
		if closed.State != "closed" || closed.DeleteAfter == "" || !strings.Contains(state(), "deleted on "+closed.DeleteAfter) {
			t.Errorf("closed: %+v, listed as %q", closed, state())
		}
		mine.call("GET", "/api/me", nil).refused(t, 401, "unauthorized")
		theirs.call("GET", "/api/me", nil).want(t, 200)
		for _, args := range [][]string{{"key", "create", "--org", mine.org, "--role", "OWNER", "--name", "K"}, {"user", "invite", "--org", mine.org, "--role", "OWNER", "new@example.com"}} {
			if code, out := p.Code(args...); code != 1 || !strings.Contains(out, "The organisation is closed") {
				t.Errorf("%v: %d %s", args, code, out)
			}
		}
		file := filepath.Join(t.TempDir(), "export.zip")
		p.Run(t, "org", "export", "--org", mine.org, file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines, _ := archived(t, string(text)); len(lines["client"]) != 1 {
			t.Errorf("exported %v", lines["client"])
		}
		if code, _ := p.Code("org", "export", "--org", mine.org, file); code != 1 {
			t.Error("a file was overwritten")
		}
		p.Run(t, "org", "restore", "--org", mine.org)
		if code, _ := p.Code("org", "restore", "--org", mine.org); code != 1 || !strings.Contains(state(), "open") {
			t.Errorf("listed as %q", state())
		}
		mine.call("GET", "/api/me", nil).refused(t, 401, "unauthorized")
		(&caller{p, mine.org, mine.newKey("OWNER", 0)}).call("GET", "/api/clients", nil).want(t, 200)
	})
}
