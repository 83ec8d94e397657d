// Package safexml reads untrusted XML: namespace-aware,
// well-formed XML 1.0 without a document type, and so without entities to expand
// or fetch. Size, depth, attributes and encodings have limits. Reading takes
// time in proportion to the length of any document.
//
// Use Child for elements that contain elements, and
// Text for elements that contain text:
//
//	r, err := safexml.New(body)
//	root, _, err := r.Child()
//	for {
//		child, ok, err := r.Child()
//		if err != nil || !ok {
//			break
//		}
//		switch child.Name {
//		case safexml.Name{Space: ns, Local: "ID"}:
//			id, err = r.Text()
//		default:
//			err = r.Skip()
//		}
//	}
//	err = r.Finish()
package safexml

import (
	"io"
	"strings"
)

// Limits of a document. HMRC accepts bodies of up to 20 MB, and WCO messages are at most a
// dozen elements deep.
const (
	MaxSize       = 20 << 20
	MaxDepth      = 64
	MaxAttributes = 64 // of one element
	MaxNamespaces = 64 // in scope at one place
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of token. An empty-element tag is a Start followed by an End.
const (
	Start Kind = iota + 1
	End
	Text
)

// Name is an expanded name: the namespace's address and the part after the prefix.
type Name struct {
	Space, Local string
}

// Attr is an attribute; namespace declarations are not among them.
type Attr struct {
	Name  Name
	Value string
}

// Token is a start tag, an end tag or text. Attrs are valid until the next token.
type Token struct {
	Kind  Kind
	Name  Name
	Raw   string // name of a start tag as written, with its prefix
	Attrs []Attr
	Text  string
}

// Attr returns the value of the attribute without a namespace, or "".
func (t Token) Attr(local string) string {
	for _, a := range t.Attrs {
		if a.Name.Space == "" && a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// Reader reads one document token by token. After an error it returns that error again.
type Reader struct {
	doc    string
	pos    int
	open   []element
	bound  []binding
	attrs  []Attr
	closes bool // the tag just read was an empty-element tag
	rooted bool
	err    error
}

// element is an open element: its name as written, and the number of bindings before it.
type element struct {
	raw   string
	name  Name
	bound int
}

// New checks size, encoding and characters of a document. Strings that the reader returns
// share the memory of one copy of the document.
func New(data []byte) (*Reader, error) {
	doc, err := decode(data)
	if err != nil {
		return nil, err
	}
	return &Reader{doc: doc, open: make([]element, 0, 16), attrs: make([]Attr, 0, 4)}, nil
}

// Depth is the number of elements that are open.
func (r *Reader) Depth() int { return len(r.open) }

// Line is the current line, from 1.
func (r *Reader) Line() int { return strings.Count(r.doc[:r.pos], "\n") + 1 }

// Next returns the next start tag, end tag or text, and io.EOF after the last. Comments and
// instructions are skipped and divide text.
func (r *Reader) Next() (Token, error) {
	if r.err != nil {
		return Token{}, r.err
	}
	token, err := r.step()
	r.err = err
	return token, err
}

func (r *Reader) step() (Token, error) {
	if r.closes {
		r.closes = false
		return r.leave(), nil
	}
	for r.pos < len(r.doc) {
		switch rest := r.doc[r.pos:]; {
		case rest[0] != '<':
			token, err := r.text()
			if err != nil || len(r.open) > 0 {
				return token, err
			}
		case strings.HasPrefix(rest, "</"):
			return r.endTag()
		case strings.HasPrefix(rest, "<!--"):
			if err := r.comment(); err != nil {
				return Token{}, err
			}
		case strings.HasPrefix(rest, "<![CDATA["):
			return r.cdata()
		case strings.HasPrefix(rest, "<!"):
			return Token{}, r.fail(ErrDoctype, "declarations such as <!DOCTYPE are not allowed")
		case strings.HasPrefix(rest, "<?"):
			if err := r.instruction(); err != nil {
				return Token{}, err
			}
		default:
			return r.startTag()
		}
	}
	return Token{}, r.end()
}

// end returns io.EOF if the document may end here.
func (r *Reader) end() error {
	switch {
	case len(r.open) > 0:
		return r.fail(ErrSyntax, "the document ends inside <%s>", r.open[len(r.open)-1].raw)
	case !r.rooted:
		return r.fail(ErrSyntax, "the document has no element")
	default:
		return io.EOF
	}
}
