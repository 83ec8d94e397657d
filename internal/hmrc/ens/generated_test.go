package ens_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// candidates are texts of which each format of the schema takes one.
var candidates = []string{"A", "1", "1234", "GB", "GB000060", "GB1", "26GB00000000000018", "260610", "0930", "202606101200", "12", "CC315A", "A001", "FRCalais"}

// full returns a message with everything that the schema allows, and every list twice.
func full(t *testing.T, name string) []byte {
	t.Helper()
	root := &element.Element{Name: safexml.Name{Space: schema.Space(name), Local: name}}
	leaves := map[string]*element.Element{}
	fill(root, schema.Of(name), "/ie:"+name+"[1]", leaves)
	for range candidates {
		document := element.Write(root, "ie")
		read, err := element.Read(document)
		found := schema.Check(read, err, verdict.New, name)
		if len(found) == 0 {
			return document
		}
		next := map[string]bool{}
		for _, e := range found {
			next[e.Location] = true
		}
		for place := range next {
			if leaves[place] == nil {
				t.Fatalf("%s: %v", name, found)
			}
			leaves[place].Content = after(leaves[place].Content)
		}
	}
	t.Fatalf("%s: no candidate is right for some element", name)
	return nil
}

func after(text string) string {
	for i, c := range candidates[:len(candidates)-1] {
		if c == text {
			return candidates[i+1]
		}
	}
	return candidates[0]
}

func fill(e *element.Element, part *schema.Part, place string, leaves map[string]*element.Element) {
	if !part.IsGroup() {
		e.Content, leaves[place] = candidates[0], e
	}
	for _, p := range part.Parts {
		for i := range 2 {
			if i == 0 || p.IsList() {
				child := element.New(p.Name, "")
				e.Append(child)
				fill(child, p, fmt.Sprintf("%s/%s[%d]", place, p.Name, i+1), leaves)
			}
		}
	}
	e.Complete()
}

// A message with everything is kept by JSON, and valid for xmllint with HMRC's schemas.
func TestFullMessages(t *testing.T) {
	for _, name := range schema.Names {
		document := full(t, name)
		mustKeep(t, name, document)
		if _, err := os.Stat(published + "xsd"); err != nil {
			t.Log("HMRC's schemas are not at hand")
			continue
		}
		if valid, ok := lint(t, name, document); ok && !valid {
			t.Errorf("xmllint refuses %s", document)
		}
	}
}

// damage changes a document at random: an element removed, twice, moved, renamed, or with another text.
func damage(random *rand.Rand, document []byte) []byte {
	lines := strings.SplitAfter(string(document), "\n")
	at := 2 + random.IntN(len(lines)-4)
	switch random.IntN(5) {
	case 0:
		lines[at] = leafOr(lines[at], "")
	case 1:
		lines[at] = leafOr(lines[at], lines[at]+lines[at])
	case 2:
		if other := at + 1; leafOr(lines[at], "") == "" && leafOr(lines[other], "") == "" {
			lines[at], lines[other] = lines[other], lines[at]
		}
	case 3:
		lines[at] = leafOr(lines[at], strings.ReplaceAll(lines[at], "N", "X"))
	default:
		if open, rest, ok := strings.Cut(lines[at], ">"); ok && rest != "\n" {
			_, end, _ := strings.Cut(rest, "<")
			texts := append([]string{"", " ", "  x", "é", "a b", "99999999999.999", "1.2345", "-1", "+.5", "1e3", "x\ny", strings.Repeat("9", 36), "2|0101", "200230"}, candidates...)
			lines[at] = open + ">" + texts[random.IntN(len(texts))] + "<" + end
		}
	}
	return []byte(strings.Join(lines, ""))
}

// leafOr returns the other text for a line with a whole element.
func leafOr(line, other string) string {
	if strings.Contains(line, "</") && !strings.HasPrefix(strings.TrimSpace(line), "</") {
		return other
	}
	return line
}

// Damaged messages are valid for the tables if and only if xmllint finds them valid with HMRC's schemas.
func TestDamaged(t *testing.T) {
	program, err := exec.LookPath("xmllint")
	if _, missing := os.Stat(published + "xsd"); err != nil || missing != nil {
		t.Skip("xmllint or HMRC's schemas are not at hand")
	}
	amount := 60
	if os.Getenv("TIDEWAITER_LONG") != "" {
		amount = 1000
	}
	for _, name := range schema.Names {
		whole := full(t, name)
		random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- the same documents in each run
		folder := t.TempDir()
		xsd, _ := filepath.Abs(published + "xsd/" + schemas[name])
		args := []string{"--noout", "--schema", xsd}
		ours := map[string]bool{}
		for i := range amount {
			document := damage(random, whole)
			path := filepath.Join(folder, fmt.Sprintf("%d.xml", i))
			if err := os.WriteFile(path, document, 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := element.Read(document)
			ours[path] = len(schema.Check(root, err, verdict.New, name)) == 0
			args = append(args, path)
		}
		said, _ := exec.CommandContext(t.Context(), program, args...).CombinedOutput() // #nosec G204 -- a test's own files
		for path, valid := range ours {
			if theirs := strings.Contains(string(said), path+" validates\n"); theirs != valid {
				document, _ := os.ReadFile(path)
				t.Errorf("xmllint %v, the tables %v: %s", theirs, valid, document)
			}
		}
	}
}
