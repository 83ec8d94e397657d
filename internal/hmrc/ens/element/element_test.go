package element_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

func read(t *testing.T, document string) *element.Element {
	t.Helper()
	root, err := element.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Elements are found by their paths in the order of the document, with few children and with many.
func TestPaths(t *testing.T) {
	for _, more := range []int{0, 60} {
		root := read(t, `<p:a xmlns:p="u"><b><c> 1 </c></b><b><c>2</c><c>3</c></b>`+strings.Repeat("<d/>", more)+`<e>x<f>y</f></e></p:a>`)
		var all []string
		for _, c := range root.All("b/c") {
			all = append(all, c.Trimmed("."))
		}
		if strings.Join(all, "") != "123" || root.RawText("b/c") != " 1 " || root.Has("c") || root.RawText("e") != "xy" {
			t.Errorf("%d more: %q", more, all)
		}
		last := root.All("b/c")[2]
		if last.Position != 2 || last.Parent.Position != 2 || last.Trimmed("../../e/f") != "y" || root.First("..") != nil || root.Raw != "p:a" {
			t.Errorf("%d more: %+v", more, last)
		}
	}
}

// A document that ends too early is given as far as it was read.
func TestPartial(t *testing.T) {
	root, err := element.Read([]byte("<a><b>1</b><c>2<d"))
	if !errors.Is(err, safexml.ErrSyntax) || root.Closed || !root.First("b").Closed || root.First("c").Closed || root.RawText("c") != "2" {
		t.Errorf("%v %+v", err, root)
	}
}

// Documents above the limits are refused; safexml refuses document types and great depth.
func TestLimits(t *testing.T) {
	if _, err := element.Read([]byte("<a>" + strings.Repeat("<b/>", element.MaxElements) + "</a>")); !errors.Is(err, element.ErrTooLarge) {
		t.Errorf("elements: %v", err)
	}
	if _, err := element.Read([]byte("<a>" + strings.Repeat(" ", element.MaxSize) + "</a>")); !errors.Is(err, element.ErrTooLarge) {
		t.Errorf("size: %v", err)
	}
	if _, err := element.Read([]byte(`<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`)); !errors.Is(err, safexml.ErrDoctype) {
		t.Errorf("document type: %v", err)
	}
	if _, err := element.Read([]byte(strings.Repeat("<a>", safexml.MaxDepth+1))); !errors.Is(err, safexml.ErrTooDeep) {
		t.Errorf("depth: %v", err)
	}
}

// same reports whether two trees have the same names and texts. White space between elements does not count.
func same(a, b *element.Element) bool {
	if a.Name != b.Name || len(a.Children) != len(b.Children) || len(a.Children) == 0 && a.Content != b.Content {
		return false
	}
	for i := range a.Children {
		if !same(a.Children[i], b.Children[i]) {
			return false
		}
	}
	return true
}

// FuzzRead reads anything without a panic; what it takes without namespaces inside is the same when it was written and read again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`<p:a xmlns:p="u"><b>1 &amp; &#13; 2</b><c/><d> x <!-- --> y</d></p:a>`, `<a><b><c>1</c></b></a>`, "<a", "<a>]]></a>", `<a b="1"/>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := element.Read(data)
		if err != nil || len(root.Children) == 0 || !plain(root, true) {
			return
		}
		written := element.Write(root, "ie")
		again, err := element.Read(written)
		if err != nil || !same(root, again) {
			t.Fatalf("written as %q: %v", written, err)
		}
	})
}

// plain reports whether a tree is one that is written: a namespace at the root alone, no attributes, no text beside elements.
func plain(e *element.Element, isRoot bool) bool {
	if len(e.Attributes) > 0 || (e.Name.Space != "") != isRoot || (isRoot || len(e.Children) > 0) && element.Trim(e.Content) != "" {
		return false
	}
	for _, c := range e.Children {
		if !plain(c, false) {
			return false
		}
	}
	return true
}
