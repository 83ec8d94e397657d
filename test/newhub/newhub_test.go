// Package newhub follows the part of CONTRIBUTING.md that says how to add a Hub: with its lines and the Hub in
// testdata/plants, and without any other change, the program must serve the new kind of filing.
package newhub

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/logbuffer"
	"github.com/tidewaiter/tidewaiter/test/program"
)

const (
	root  = "../.."
	kinds = "internal/app/kinds.go"
)

// block matches a block of Go in CONTRIBUTING.md. Its first line is a comment with the name of a file.
var block = regexp.MustCompile("(?s)```go\n// ([a-z/_.]+)(?:: [^\n]*)?\n(.*?)```")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the code in CONTRIBUTING.md by file.
func blocks(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, m := range block.FindAllStringSubmatch(read(t, filepath.Join(root, "CONTRIBUTING.md")), -1) {
		found[m[1]] = append(found[m[1]], m[2])
	}
	return found
}

// The code that CONTRIBUTING.md shows is that of the Hub that the other test builds.
func TestTextShowsTheHub(t *testing.T) {
	shown := 0
	for file, texts := range blocks(t) {
		name, within := strings.CutPrefix(file, "internal/hub/plants/")
		if !within {
			continue
		}
		whole := read(t, filepath.Join("testdata/plants", name))
		for _, text := range texts {
			if shown++; !strings.Contains(whole, text) {
				t.Errorf("testdata/plants/%s does not contain this code of CONTRIBUTING.md:\n%s", name, text)
			}
		}
	}
	if shown < 3 {
		t.Errorf("CONTRIBUTING.md shows %d parts of the Hub, want 3 or more", shown)
	}
}

// overlay writes a file for go build -overlay: the Hub in its folder, and kinds.go with the lines of CONTRIBUTING.md at
// the ends of its two lists.
func overlay(t *testing.T) string {
	t.Helper()
	lines := blocks(t)[kinds]
	if len(lines) != 2 {
		t.Fatalf("CONTRIBUTING.md has %d blocks for %s, want 2", len(lines), kinds)
	}
	source := read(t, filepath.Join(root, kinds))
	for list, line := range map[string]string{"var hubs = []api.Hub{": lines[0], "return []*filing.Type{": lines[1]} {
		before, after, found := strings.Cut(source, list)
		if !found {
			t.Fatalf("%s has no %q", kinds, list)
		}
		source = before + list + "\n" + line + after
	}
	source = strings.Replace(source, "import (", "import (\n\t\"github.com/tidewaiter/tidewaiter/internal/hub/plants\"", 1)
	changed := filepath.Join(t.TempDir(), "kinds.go")
	if err := os.WriteFile(changed, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{absolute(t, root, kinds): changed}
	for _, name := range []string{"notification.go", "layout.go", "rules.go", "rules_test.go"} {
		replace[absolute(t, root, "internal/hub/plants", name)] = absolute(t, "testdata/plants", name)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func absolute(t *testing.T, parts ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command in the root of the module.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	program.DependOnSources()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// A Hub that is added as CONTRIBUTING.md says has its tests, operations, review, lifecycle and deadline. The test costs
// 8 s of processor time after a change to the program, most of it to link, and 4 s otherwise.
func TestNewHub(t *testing.T) {
	change, folder := overlay(t), t.TempDir()
	file, tests := filepath.Join(folder, "tidewaiter"), filepath.Join(folder, "plants.test")
	run(t, "go", "test", "-c", "-vet=off", "-overlay", change, "-o", tests, "./internal/hub/plants")
	run(t, tests)
	run(t, "go", "build", "-overlay", change, "-ldflags", "-s -w", "-o", file, "./cmd/tidewaiter")
	p := program.Program{File: file, Log: &logbuffer.Buffer{}, Settings: map[string]string{
		"TIDEWAITER_ADDR": "127.0.0.1:0", "TIDEWAITER_DATA": t.TempDir(), "TIDEWAITER_STOP_DELAY": "0", "TIDEWAITER_DISK_BALLAST": "0B",
	}}
	var made struct{ APIKey string }
	p.Read(t, &made, "org", "create", "--name", "Fenland Nurseries Ltd", "--eori", "GB123456789000")
	c := client{address: p.Serve(t, "serve").Address, key: made.APIKey}

	const path = "/api/plants/notifications"
	c.call(t, "POST", "/api/hubs/plants", "", 200)
	arrival := time.Now().UTC().AddDate(0, 0, 10).Truncate(time.Second)
	body := `{"importerName":"Fenland Nurseries Ltd","commodityCode":"0602905000","botanicalName":"Lavandula","countryOfOrigin":"NL","arrivesAt":"` + arrival.Format(time.RFC3339) + `"}`
	var created struct{ Notification struct{ ID, Status string } }
	if err := json.Unmarshal(c.call(t, "POST", path, body, 200), &created); err != nil || created.Notification.Status != "DRAFT" {
		t.Fatalf("created %+v: %v", created, err)
	}
	one := path + "/" + created.Notification.ID
	for _, want := range []struct{ method, path, contains string }{
		{"POST", one + "/review", "PLT-001"},
		{"POST", one + "/review", "PLT-002"},
		{"GET", "/api/deadlines", arrival.Add(-4 * time.Hour).Format("2006-01-02T15:04:05")},
		{"POST", one + "/submit", "SUBMITTED"},
		{"POST", one + "/mark-accepted", "ACCEPTED"},
		{"GET", "/api/audit", "plants.notification.accepted"},
		{"GET", "/api/openapi.json", "Plant health pre-notifications"},
	} {
		if answer := c.call(t, want.method, want.path, "", 200); !bytes.Contains(answer, []byte(want.contains)) {
			t.Errorf("%s %s does not contain %q: %.600s", want.method, want.path, want.contains, answer)
		}
	}
}

type client struct{ address, key string }

// call returns the body of an answer, which must have a status.
func (c client) call(t *testing.T, method, path, body string, status int) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Fatalf("%s %s: %d, %v: %s", method, path, answer.StatusCode, err, text)
	}
	return text
}
