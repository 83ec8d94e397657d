package emcs

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// maxElements bounds the memory of a message. The greatest draft of 999 items with 99 packages each has about as many.
const maxElements = 400_000

// Decode reads a message. It keeps elements that the schema does not have, and values with a wrong form: [Check] reports them. Errors are
// those of safexml, ErrMessage, ErrVersion and ErrStructure.
func Decode(data []byte) (Message, error) {
	root, spaces, err := readTree(data)
	if err != nil {
		return Message{}, err
	}
	m := Message{Kind: Kind(root.Name)}
	below, known := schemas()[m.Kind]
	if !known {
		return Message{}, fmt.Errorf("%w: %s", ErrMessage, clip(root.Name))
	}
	header, body := root.At("Header"), root.At("Body")
	if header == nil || body == nil || len(root.Children) != 2 {
		return Message{}, fmt.Errorf("%w: %s has not one Header and one Body", ErrStructure, m.Kind)
	}
	if m.Version, err = versionOfTree(m.Kind, spaces[0], header, spaces); err != nil {
		return Message{}, err
	}
	if len(body.Children) != 1 || body.Children[0].Name != below.name {
		return Message{}, fmt.Errorf("%w: Body of %s must have the element %s alone", ErrStructure, m.Kind, below.name)
	}
	m.Header, m.Body = readHeader(header), body.Children[0]
	return m, nil
}

// versionOfTree returns the version. An IE704 has it in the namespace of its header's elements.
func versionOfTree(kind Kind, space string, header *Element, spaces []string) (Version, error) {
	if kind != Refusal {
		v, err := versionOf(space, string(kind))
		if err != nil {
			return "", err
		}
		return v, onlySpaces(spaces, space, namespace(headerName, v))
	}
	if space != refusalSpace {
		return "", fmt.Errorf("%w: %s in the namespace %q", ErrMessage, kind, clip(space))
	}
	if len(header.Children) == 0 || len(spaces) < 2 {
		return "", fmt.Errorf("%w: Header of %s is empty", ErrStructure, kind)
	}
	v, err := versionOf(spaces[1], headerName)
	if err != nil {
		return "", err
	}
	return v, onlySpaces(spaces, space, namespace(headerName, v))
}

// onlySpaces returns an error if a message has a namespace besides its own and that of its header.
func onlySpaces(spaces []string, own, header string) error {
	for _, space := range spaces {
		if space != own && space != header {
			return fmt.Errorf("%w: an element is in the namespace %q", ErrStructure, clip(space))
		}
	}
	return nil
}

func readHeader(e *Element) Header {
	return Header{
		Sender: e.Value("MessageSender"), Recipient: e.Value("MessageRecipient"), Date: e.Value("DateOfPreparation"), Time: e.Value("TimeOfPreparation"),
		Identifier: e.Value("MessageIdentifier"), Correlation: e.Value("CorrelationIdentifier"),
	}
}

// openElement is an element whose end tag has not been read.
type openElement struct {
	*Element
	parts []string // of the text, if comments divide it
}

// add adds a part of the text.
func (e *openElement) add(text string) {
	if e.Text == "" {
		e.Text = text
		return
	}
	e.parts = append(e.parts, text)
}

// tree is a document that is being read.
type tree struct {
	open   []openElement
	spaces []string // that occur, each once, in the order of their first elements
	count  int
}

// readTree reads a whole document and the namespaces that occur in it, that of the root first.
func readTree(data []byte) (*Element, []string, error) {
	r, err := safexml.New(data)
	if err != nil {
		return nil, nil, err
	}
	var t tree
	for {
		token, err := r.Next()
		if err != nil {
			return nil, nil, err
		}
		switch token.Kind {
		case safexml.Start:
			if err := t.start(token); err != nil {
				return nil, nil, err
			}
		case safexml.Text:
			if last := &t.open[len(t.open)-1]; len(last.Children) == 0 {
				last.add(token.Text)
			}
		case safexml.End:
			if root := t.end(); root != nil {
				return root, t.spaces, r.Finish()
			}
		}
	}
}

func (t *tree) start(token safexml.Token) error {
	if t.count++; t.count > maxElements {
		return fmt.Errorf("%w: more than %d elements", ErrStructure, maxElements)
	}
	if err := t.noteSpace(token.Name.Space); err != nil {
		return err
	}
	e := &Element{Name: token.Name.Local, Language: strings.TrimSpace(token.Attr("language"))}
	if len(t.open) > 0 {
		parent := &t.open[len(t.open)-1]
		parent.Children = append(parent.Children, e)
	}
	t.open = append(t.open, openElement{Element: e})
	return nil
}

// maxSpaces is the number of namespaces of a message: its own and that of its header.
const maxSpaces = 2

func (t *tree) noteSpace(space string) error {
	for _, known := range t.spaces {
		if known == space {
			return nil
		}
	}
	if len(t.spaces) == maxSpaces {
		return fmt.Errorf("%w: an element is in the namespace %q", ErrStructure, clip(space))
	}
	t.spaces = append(t.spaces, space)
	return nil
}

// end closes an element and returns it if it is the root.
func (t *tree) end() *Element {
	last := t.open[len(t.open)-1]
	if len(last.Children) > 0 {
		last.Text = "" // white space before the first child
	} else {
		last.Text = collapse(last.Text + strings.Join(last.parts, ""))
	}
	if t.open = t.open[:len(t.open)-1]; len(t.open) == 0 {
		return last.Element
	}
	return nil
}

// collapse makes white space single spaces and removes it at both ends, as the schema's token type does.
func collapse(text string) string {
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, "\t\r\n") && !strings.Contains(text, "  ") {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }), " ")
}

// maxQuote is the maximum length in bytes of a name from a message that an error repeats.
const maxQuote = 100

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxQuote)], "") }
