package notification

import "github.com/tidewaiter/tidewaiter/internal/document/xmltree"

// limits bound the memory of a document. A tax calculation of 999 items with ten taxes each has about a quarter of the elements.
var limits = xmltree.Limits{Elements: 400_000, Content: 1 << 20}

// readDocument parses a whole document. Its elements are those of a response, which may have lost their namespaces.
func readDocument(data []byte) (*xmltree.Element, error) {
	return xmltree.Read(data, limits, spaceResponse, spaceTypes)
}
