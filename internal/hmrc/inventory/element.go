package inventory

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
)

// limits bound the memory of a document. Totals of 999 entries with ten goods items each have a tenth of the elements, and no
// value of the schema is as long as the content.
var limits = xmltree.Limits{Elements: 400_000, Content: 8 << 10}

// read parses a whole document, which may have lost its namespaces.
func read(data []byte) (*xmltree.Element, error) { return xmltree.Read(data, limits, Namespace) }

const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// isNil reports whether an element says that it has no value (xsi:nil).
func isNil(e *xmltree.Element) bool {
	return slices.ContainsFunc(e.Attributes, func(a safexml.Attr) bool {
		return a.Name == safexml.Name{Space: schemaInstance, Local: "nil"} && (a.Value == "true" || a.Value == "1")
	})
}

// maxText is the longest text that is kept: the schema's limit of an error code.
const maxText = 1024

// text returns the content of a child without surrounding white space.
func text(e *xmltree.Element, name string) string {
	content := []rune(e.Text(name))
	return string(content[:min(len(content), maxText)])
}
