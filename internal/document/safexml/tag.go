package safexml

import "strings"

// xmlSpace is the namespace of the prefix xml.
const xmlSpace = "http://www.w3.org/XML/1998/namespace"

// binding is the namespace of a prefix; the default namespace has none.
type binding struct {
	prefix, space string
}

// startTag reads <name attributes> or <name attributes/>.
func (r *Reader) startTag() (Token, error) {
	if r.rooted && len(r.open) == 0 {
		return Token{}, r.fail(ErrSyntax, "a second root element")
	}
	if len(r.open) == MaxDepth {
		return Token{}, r.fail(ErrTooDeep, "more than %d elements deep", MaxDepth)
	}
	r.pos++
	raw := r.name()
	if raw == "" {
		return Token{}, r.fail(ErrSyntax, "< without the name of an element")
	}
	bound := len(r.bound)
	if err := r.attributes(); err != nil {
		return Token{}, err
	}
	name, err := r.expand(raw, true)
	if err != nil {
		return Token{}, err
	}
	if err := r.expandAttrs(); err != nil {
		return Token{}, err
	}
	r.rooted = true
	r.open = append(r.open, element{raw: raw, name: name, bound: bound})
	return Token{Kind: Start, Name: name, Raw: raw, Attrs: r.attrs}, nil
}

// attributes reads up to the end of the tag. Attribute names stay as written until all
// namespaces of the tag are known.
func (r *Reader) attributes() error {
	r.attrs = r.attrs[:0]
	for {
		spaced := r.space()
		switch rest := r.doc[r.pos:]; {
		case strings.HasPrefix(rest, ">"):
			r.pos++
			return nil
		case strings.HasPrefix(rest, "/>"):
			r.pos += 2
			r.closes = true
			return nil
		case !spaced:
			return r.fail(ErrSyntax, "a start tag that is not closed")
		}
		if err := r.attribute(); err != nil {
			return err
		}
	}
}

func (r *Reader) attribute() error {
	name := r.name()
	if name == "" {
		return r.fail(ErrSyntax, "a start tag that is not closed")
	}
	value, err := r.attributeValue()
	if err != nil {
		return err
	}
	if prefix, ok := strings.CutPrefix(name, "xmlns:"); ok {
		return r.bind(prefix, value)
	}
	if name == "xmlns" {
		return r.bind("", value)
	}
	if len(r.attrs) == MaxAttributes {
		return r.fail(ErrTooDeep, "more than %d attributes", MaxAttributes)
	}
	r.attrs = append(r.attrs, Attr{Name: Name{Local: name}, Value: value})
	return nil
}

func (r *Reader) attributeValue() (string, error) {
	r.space()
	if !strings.HasPrefix(r.doc[r.pos:], "=") {
		return "", r.fail(ErrSyntax, "an attribute without a value")
	}
	r.pos++
	r.space()
	if r.pos == len(r.doc) || (r.doc[r.pos] != '"' && r.doc[r.pos] != '\'') {
		return "", r.fail(ErrSyntax, "an attribute without quotes")
	}
	from := r.pos + 1
	length := strings.IndexByte(r.doc[from:], r.doc[r.pos])
	if length < 0 {
		return "", r.fail(ErrSyntax, "an attribute that is not closed")
	}
	raw := r.doc[from : from+length]
	if strings.IndexByte(raw, '<') >= 0 {
		return "", r.fail(ErrSyntax, "< in an attribute")
	}
	r.pos = from + length + 1
	return r.unescape(raw, true)
}

// bind declares a prefix for the element being read.
func (r *Reader) bind(prefix, space string) error {
	switch {
	case len(r.bound) == MaxNamespaces:
		return r.fail(ErrTooDeep, "more than %d namespaces", MaxNamespaces)
	case prefix == "xml" || prefix == "xmlns" || space == xmlSpace:
		return r.fail(ErrSyntax, "the prefix %q cannot be declared like this", prefix)
	case prefix != "" && (space == "" || !isLocal(prefix)):
		return r.fail(ErrSyntax, "the prefix %q cannot be declared like this", prefix)
	}
	r.bound = append(r.bound, binding{prefix: prefix, space: space})
	return nil
}

// expand resolves the prefix of a name. Attributes without a prefix have no namespace.
func (r *Reader) expand(raw string, isElement bool) (Name, error) {
	prefix, local, prefixed := strings.Cut(raw, ":")
	if !prefixed {
		prefix, local = "", raw
		if !isElement {
			return Name{Local: raw}, nil
		}
	}
	if !isLocal(local) || (prefixed && !isLocal(prefix)) {
		return Name{}, r.fail(ErrSyntax, "%q is not a name", raw)
	}
	if prefix == "xml" {
		return Name{Space: xmlSpace, Local: local}, nil
	}
	for i := len(r.bound) - 1; i >= 0; i-- {
		if r.bound[i].prefix == prefix {
			return Name{Space: r.bound[i].space, Local: local}, nil
		}
	}
	if prefixed {
		return Name{}, r.fail(ErrSyntax, "the prefix %q is not declared", prefix)
	}
	return Name{Local: local}, nil
}

func (r *Reader) expandAttrs() error {
	for i := range r.attrs {
		name, err := r.expand(r.attrs[i].Name.Local, false)
		if err != nil {
			return err
		}
		r.attrs[i].Name = name
		for _, before := range r.attrs[:i] {
			if before.Name == name {
				return r.fail(ErrSyntax, "the attribute %s twice", name.Local)
			}
		}
	}
	return nil
}

// endTag reads </name>, which must close the innermost open element.
func (r *Reader) endTag() (Token, error) {
	r.pos += len("</")
	raw := r.name()
	r.space()
	if !strings.HasPrefix(r.doc[r.pos:], ">") {
		return Token{}, r.fail(ErrSyntax, "an end tag that is not closed")
	}
	if len(r.open) == 0 || r.open[len(r.open)-1].raw != raw {
		return Token{}, r.fail(ErrSyntax, "</%s> ends what was not begun", raw)
	}
	r.pos++
	return r.leave(), nil
}

// leave closes the innermost element and removes its namespaces.
func (r *Reader) leave() Token {
	last := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	r.bound = r.bound[:last.bound]
	return Token{Kind: End, Name: last.name}
}
