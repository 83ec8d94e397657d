package element

import (
	"bytes"
	"strings"
)

// escaper writes what text cannot hold as it stands. A carriage return would become a line feed when it is read.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")

// Write returns a message as an XML document: UTF-8, one element a line, two spaces for each level. The root has its namespace
// with a prefix; the elements in it have none, as in HMRC's examples. The same tree gives the same bytes.
func Write(root *Element, prefix string) []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	name := prefix + ":" + root.Name.Local
	b.WriteString("<" + name + " xmlns:" + prefix + "=\"" + escaper.Replace(root.Name.Space) + "\">\n")
	for _, c := range root.Children {
		c.write(&b, "  ")
	}
	b.WriteString("</" + name + ">\n")
	return b.Bytes()
}

func (e *Element) write(b *bytes.Buffer, indent string) {
	name := e.Name.Local
	b.WriteString(indent + "<" + name)
	switch {
	case len(e.Children) > 0:
		b.WriteString(">\n")
		for _, c := range e.Children {
			c.write(b, indent+"  ")
		}
		b.WriteString(indent + "</" + name + ">\n")
	case e.Content == "":
		b.WriteString("/>\n")
	default:
		b.WriteByte('>')
		_, _ = escaper.WriteString(b, e.Content)
		b.WriteString("</" + name + ">\n")
	}
}
