package ens

import (
	"bytes"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
)

// JSON returns the content of the message, without its header: the schema's names with a small first letter, lists as arrays,
// texts as they are, in the schema's order. The same message gives the same bytes.
func (m *Message) JSON() []byte {
	var b bytes.Buffer
	writeMembers(&b, m.content, schema.Of(m.Name))
	return b.Bytes()
}

func writeMembers(b *bytes.Buffer, children []*element.Element, part *schema.Part) {
	b.WriteByte('{')
	for i := 0; i < len(children); {
		if i > 0 {
			b.WriteByte(',')
		}
		p := part.Find(children[i].Name.Local)
		b.WriteString(`"` + p.Member() + `":`)
		if !p.IsList() {
			writeValue(b, children[i], p)
			i++
			continue
		}
		b.WriteByte('[')
		for first := i; i < len(children) && children[i].Name.Local == p.Name; i++ {
			if i > first {
				b.WriteByte(',')
			}
			writeValue(b, children[i], p)
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
}

func writeValue(b *bytes.Buffer, e *element.Element, part *schema.Part) {
	if part.IsGroup() {
		writeMembers(b, e.Children, part)
		return
	}
	text, _ := json.Marshal(e.Content) // a text has no error
	b.Write(text)
}
