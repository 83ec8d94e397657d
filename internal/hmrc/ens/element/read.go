package element

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Limits of a message. HMRC takes bodies of up to 1,000 KB; a declaration with 999 items has about 60,000 elements.
const (
	MaxSize     = 8 << 20
	MaxElements = 250_000
)

// ErrTooLarge is the error for a message above a limit.
var ErrTooLarge = errors.New("the message is too large")

// Read reads a whole message: well-formed XML without a document type. With an error, it returns what was read before; the
// elements that were still open are not Closed, and root is nil if there is none.
func Read(data []byte) (root *Element, err error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: %d bytes, more than %d", ErrTooLarge, len(data), MaxSize)
	}
	r, err := safexml.New(data)
	if err != nil {
		return nil, err
	}
	b := builder{top: &Element{}}
	b.open = append(b.open, pending{element: b.top})
	if err = b.read(r); err != nil {
		for i := range b.open {
			b.open[i].finish()
		}
	}
	return b.root(), err
}

// pending is an element whose end was not read yet.
type pending struct {
	element *Element
	texts   []string // the parts of its text
}

// finish gives the element its text and its children their positions.
func (p *pending) finish() {
	p.element.Content = strings.Join(p.texts, "")
	p.element.number()
}

// builder makes a tree of the tokens of a document.
type builder struct {
	top   *Element  // the parent of the root
	open  []pending // the elements that are not complete, the top first
	count int
}

func (b *builder) root() *Element {
	if len(b.top.Children) == 0 {
		return nil
	}
	root := b.top.Children[0]
	root.Parent = nil
	return root
}

func (b *builder) read(r *safexml.Reader) error {
	for {
		token, err := r.Next()
		if err != nil {
			return err
		}
		innermost := &b.open[len(b.open)-1]
		switch token.Kind {
		case safexml.Text:
			innermost.texts = append(innermost.texts, token.Text)
		case safexml.Start:
			if b.count++; b.count > MaxElements {
				return fmt.Errorf("%w: more than %d elements", ErrTooLarge, MaxElements)
			}
			e := &Element{Name: token.Name, Raw: token.Raw, Attributes: slices.Clone(token.Attrs)}
			innermost.element.Append(e)
			b.open = append(b.open, pending{element: e})
		case safexml.End:
			innermost.finish()
			innermost.element.Closed = true
			if b.open = b.open[:len(b.open)-1]; len(b.open) == 1 {
				b.top.number()
				return r.Finish()
			}
		}
	}
}
