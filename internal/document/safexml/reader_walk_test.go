package safexml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

func open(t *testing.T, xml string) *safexml.Reader {
	t.Helper()
	r, err := safexml.New([]byte(xml))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Child, Text and Skip together read every element once, and leave each element that they
// enter.
func TestWalk(t *testing.T) {
	r := open(t, `<a> <b>1<!-- -->2<![CDATA[3]]></b> <c><d><e/></d>x</c> <f/> </a><!-- end -->`)
	root, ok, err := r.Child()
	if err != nil || !ok || root.Name.Local != "a" || r.Depth() != 1 {
		t.Fatalf("root %v %v %v at depth %d", root, ok, err, r.Depth())
	}
	var seen []string
	for {
		child, ok, err := r.Child()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		switch child.Name.Local {
		case "c":
			err = r.Skip()
			seen = append(seen, "c skipped")
		default:
			var text string
			text, err = r.Text()
			seen = append(seen, child.Name.Local+"="+text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(seen, ", "); got != "b=123, c skipped, f=" {
		t.Errorf("saw %s", got)
	}
	if err := r.Finish(); err != nil || r.Depth() != 0 {
		t.Errorf("finish: %v at depth %d", err, r.Depth())
	}
}

// Text beside elements is well-formed XML, but not valid in a WCO document.
func TestWalkRefusesMixedContent(t *testing.T) {
	r := open(t, `<a>text<b/></a>`)
	if _, _, err := r.Child(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Child(); !errors.Is(err, safexml.ErrContent) {
		t.Errorf("child: %v, want ErrContent", err)
	}
	r = open(t, `<a>text<b/></a>`)
	if _, _, err := r.Child(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Text(); !errors.Is(err, safexml.ErrContent) {
		t.Errorf("text: %v, want ErrContent", err)
	}
}

// A document must be read to its end: Finish finds an error after the last element.
func TestFinishSeesWhatFollows(t *testing.T) {
	for xml, want := range map[string]error{
		`<a/>`:              nil,
		`<a/> <!-- c -->`:   nil,
		`<a/><b/>`:          safexml.ErrSyntax,
		`<a/>x`:             safexml.ErrSyntax,
		`<a/><!DOCTYPE a>`:  safexml.ErrDoctype,
		`<a><b/></a><!-- x`: safexml.ErrSyntax,
	} {
		r := open(t, xml)
		if _, _, err := r.Child(); err != nil {
			t.Fatal(err)
		}
		if err := r.Skip(); err != nil {
			t.Fatal(err)
		}
		if err := r.Finish(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", xml, err, want)
		}
	}
}
