package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// axeVersion is the version of axe-core.
const axeVersion = "4.14.1"

// axe is the script of axe-core, which npm installs into a folder outside of the project.
var axe = sync.OnceValues(func() (string, error) {
	folder := "../../tmp/axe"
	file := filepath.Join(folder, "node_modules/axe-core/axe.min.js")
	if text, err := os.ReadFile(file); err == nil {
		return string(text), nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, "axe-core@"+axeVersion)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(file)
	return string(text), err
})

// violation is a finding of axe-core.
type violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

// accessible fails for every finding of axe-core on the page.
func (w *window) accessible(what string) {
	w.Helper()
	w.examine(what, `runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`)
}

// readable fails for findings about the look of the page: the same page in another colour or width can differ in
// nothing else.
func (w *window) readable(what string) {
	w.Helper()
	w.examine(what, `runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]}`)
}

func (w *window) examine(what, options string) {
	w.Helper()
	if w.alike(options) {
		return
	}
	for _, v := range w.violations(options) {
		for _, n := range v.Nodes {
			w.Errorf("%s: %s (%s): %s\n%s", what, v.Help, v.ID, n.HTML, n.FailureSummary)
		}
	}
}

// violations returns the findings of axe-core on the page, in parts that it has not examined before.
func (w *window) violations(options string) []violation {
	w.Helper()
	script, err := axe()
	if err != nil {
		w.Skipf("no axe-core: npm cannot install it here: %v", err)
	}
	if !eval[bool](w, `"axe" in window`) {
		w.do(chromedp.Evaluate[chromedp.Void](script))
	}
	done := eval[struct {
		Found []violation
		Parts []string
	}](w, fmt.Sprintf(`(%s)(%s, %t, {preload: false, resultTypes: ["violations"], %s})`, runAxe, examined.json(options), long(), options))
	examined.add(options, done.Parts)
	return done.Found
}

// runAxe runs axe-core on the page, except for parts that were examined before, on any page: the frame around the content, and
// items of tables and lists. Such parts consist of the same kinds of elements in the same order, with text and values where the
// others have them, inside the same kinds of elements. Rules about the whole page, such as its headings, see these parts, too. It
// returns the examined parts as hashes. The long run examines every page as a whole.
const runAxe = `async (before, whole, options) => {
	const known = new Set(before), fresh = new Set(), exclude = [];
	const kind = e => e.tagName + [...e.attributes].map(a => ["class", "role", "type", "lang"].includes(a.name) ? a.name + a.value : a.name + (a.value && "=")).join(" ") +
		[...e.childNodes].some(c => c.nodeType === Node.TEXT_NODE && c.data.trim());
	const hash = text => {
		let a = 7, b = 11;
		for (let i = 0; i < text.length; i++) {
			a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
			b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
		}
		return (a >>> 0).toString(36) + (b >>> 0).toString(36);
	};
	for (const part of document.querySelectorAll("body > header, .frame > :not(main), body > footer, main tr, main li")) {
		if (exclude.some(e => e.contains(part))) continue;
		const around = [];
		for (let e = part.parentElement; e; e = e.parentElement) around.push(kind(e));
		const h = hash(around.join() + [part, ...part.querySelectorAll("*")].map(kind).join());
		if (!known.has(h) && !fresh.has(h)) fresh.add(h);
		else if (!whole) exclude.push(part);
	}
	const result = await axe.run({include: [document], exclude}, options);
	return {Found: result.violations, Parts: [...fresh]};
}`

// parts are the hashes of parts that were examined by each set of rules, by any test.
type parts struct {
	mu    sync.Mutex
	known map[string][]string
}

var examined = parts{known: map[string][]string{}}

func (p *parts) json(rules string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, err := json.Marshal(append([]string{}, p.known[rules]...))
	if err != nil {
		panic(err) // not with strings
	}
	return string(text)
}

func (p *parts) add(rules string, fresh []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, hash := range fresh {
		if !slices.Contains(p.known[rules], hash) {
			p.known[rules] = append(p.known[rules], hash)
		}
	}
}
