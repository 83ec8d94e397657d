package xmltree_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
)

// Elements are found by name in the document's namespaces and in none, but not in others.
func TestPaths(t *testing.T) {
	root, err := xmltree.Read([]byte(`<a xmlns="urn:a"><b n=" 1 "> one <!-- x -->two </b><b xmlns="">three</b><b xmlns="urn:c">four</b></a>`),
		xmltree.Limits{Elements: 9, Content: 99}, "urn:a")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for b := range root.All("b") {
		found = append(found, b.Text())
	}
	if !slices.Equal(found, []string{"one two", "three"}) || root.At("b").Attribute("n") != "1" || root.Text("b", "c") != "" || root.At("x", "y").Text() != "" {
		t.Errorf("%q", found)
	}
}

// A document with too many elements is refused, and the text of one does not grow without limit.
func TestLimits(t *testing.T) {
	limits := xmltree.Limits{Elements: 3, Content: 4}
	if _, err := xmltree.Read([]byte("<a><b/><b/><b/></a>"), limits); err == nil || !strings.Contains(err.Error(), "more than 3 elements") {
		t.Errorf("%v", err)
	}
	root, err := xmltree.Read([]byte("<a>"+strings.Repeat("xy<!-- -->", 9)+"</a>"), limits)
	if err != nil || root.Text() != "xyxy" {
		t.Errorf("%v %v", root, err)
	}
}
