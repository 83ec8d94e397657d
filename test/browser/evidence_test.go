package browser

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check/checktest"
)

// An officer with a pack and a browser, without the service, opens the page in the pack from the unpacked folder
// and sees that the pack is intact, by the folder and by the ZIP. The command has the same findings. Any changed
// byte of any file is detected by both.
func TestEvidencePackInTheBrowser(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	pack := p.evidence(t, p.cleared(t))
	files := unpacked(t, pack)
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, "pack", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.Join(folder, "whole.zip")
	if err := os.WriteFile(whole, pack, 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, &server{}, 1200, 900)
	w.visit("file://" + filepath.Join(folder, "pack", "verify.html"))
	for input, file := range map[string]string{"#file": whole, "#folder": filepath.Join(folder, "pack")} {
		w.do(chromedp.Evaluate[chromedp.Void](`delete document.getElementById("verdict").dataset.state`), chromedp.SetUploadFiles(input, []string{file}), chromedp.WaitReady(`#verdict[data-state]`))
		w.sees("All checks passed", "CLEARED", "declaration.submitted", "DMSCLE", "Who owns the key")
	}
	w.shot("evidence")
	w.accessible("the check of an evidence pack")
	r := found(t, pack)
	var texts []string
	for _, f := range r.Findings {
		texts = append(texts, f.Text)
	}
	if output := w.checkPack(pack); output.State != "holds" || !slices.Equal(output.Texts, texts) || len(output.Texts) != 8 {
		t.Errorf("the page reports %+v, the command %v", output, texts)
	}
	w.detectsChanges(files)
	if output := w.checkPack(checktest.NewMaker().Write(t)); output.State != "holds" {
		t.Errorf("a pack made by hand: %+v", output)
	}
	for name, fault := range checktest.InconsistentPacks() {
		if output := w.checkPack(fault.Pack(t)); output.State != "fails" || !strings.Contains(strings.Join(output.Texts, "\n"), fault.Want) {
			t.Errorf("%s: the page reports %+v, want %q", name, output, fault.Want)
		}
	}
	w.do(chromedp.Evaluate[chromedp.Void](`crypto.subtle.importKey = async () => { throw new Error() }`))
	if output := w.checkPack(pack); output.State != "unknown" || !strings.Contains(strings.Join(output.Texts, " "), "cannot check Ed25519") {
		t.Errorf("without Ed25519: %+v", output)
	}
}

// detectsChanges changes a byte of each file, and one more in the long run.
func (w *window) detectsChanges(files map[string][]byte) {
	w.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		places := []int{len(content) / 3, len(content) - 2}
		if !long() {
			places = places[:1]
		}
		for _, at := range places {
			touched := maps.Clone(files)
			touched[name] = bytes.Clone(content)
			touched[name][at] ^= 1
			pack := zipped(w.T, touched)
			if output := w.checkPack(pack); output.State != "fails" {
				w.Errorf("the page does not detect the changed byte %d of %s: %+v", at, name, output)
			}
			if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.OK() {
				w.Errorf("the command does not find byte %d of %s", at, name)
			}
		}
	}
}

// verdict is the result of the page.
type verdict struct {
	State string
	Texts []string
}

// checkPack lets the page check a pack.
func (w *window) checkPack(pack []byte) verdict {
	w.Helper()
	return eval[verdict](w, fmt.Sprintf(`checkPack(new Blob([Uint8Array.from(atob(%q), c => c.charCodeAt(0))]))
		.then(c => ({State: c.state(), Texts: c.findings.map(f => f.text)}), e => ({State: "fails", Texts: [e.message]}))`, base64.StdEncoding.EncodeToString(pack)))
}

func found(t *testing.T, pack []byte) *check.Report {
	t.Helper()
	r, err := check.Pack(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cleared is a cleared declaration of the demo.
func (p *server) cleared(t *testing.T) string {
	t.Helper()
	for until := time.Now().Add(stepLimit); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		var page struct{ Declarations []struct{ ID string } }
		if err := json.Unmarshal(p.get(t, "/api/declarations?status=CLEARED&limit=1"), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Declarations) > 0 {
			return page.Declarations[0].ID
		}
	}
	t.Fatal("the demo has no cleared declaration")
	return ""
}

func (p *server) evidence(t *testing.T, id string) []byte {
	t.Helper()
	return p.get(t, "/api/declarations/"+id+"/evidence.zip")
}

// get calls the API as the owner of the demo.
func (p *server) get(t *testing.T, path string) []byte {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.key)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, response.StatusCode, err)
	}
	return body
}

func unpacked(t *testing.T, pack []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(files[name])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
