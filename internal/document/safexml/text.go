package safexml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads up to the next markup. Outside of the root only white space is allowed.
func (r *Reader) text() (Token, error) {
	length := strings.IndexByte(r.doc[r.pos:], '<')
	if length < 0 {
		length = len(r.doc) - r.pos
	}
	raw := r.doc[r.pos : r.pos+length]
	if len(r.open) == 0 && !blank(raw) {
		return Token{}, r.fail(ErrSyntax, "text outside the root element")
	}
	if strings.Contains(raw, "]]>") {
		return Token{}, r.fail(ErrSyntax, "]]> in text")
	}
	r.pos += length
	value, err := r.unescape(raw, false)
	return Token{Kind: Text, Text: value}, err
}

func (r *Reader) cdata() (Token, error) {
	if len(r.open) == 0 {
		return Token{}, r.fail(ErrSyntax, "text outside the root element")
	}
	raw, err := r.until("<![CDATA[", "]]>")
	return Token{Kind: Text, Text: newlines.Replace(raw)}, err
}

func (r *Reader) comment() error {
	raw, err := r.until("<!--", "-->")
	if err == nil && (strings.Contains(raw, "--") || strings.HasSuffix(raw, "-")) {
		return r.fail(ErrSyntax, "-- in a comment")
	}
	return err
}

// instruction skips <?target …?>; the target xml is only allowed on the first line.
func (r *Reader) instruction() error {
	raw, err := r.until("<?", "?>")
	if err != nil {
		return err
	}
	target := raw[:nameLength(raw)]
	rest := raw[len(target):]
	switch {
	case strings.EqualFold(target, "xml"):
		return r.fail(ErrSyntax, "an XML declaration that is not at the start")
	case !isLocal(target) || (rest != "" && strings.IndexByte(" \t\r\n", rest[0]) < 0):
		return r.fail(ErrSyntax, "an instruction without a target")
	default:
		return nil
	}
}

// until returns the text between two marks; the reader is at the first one.
func (r *Reader) until(from, to string) (string, error) {
	rest := r.doc[r.pos+len(from):]
	length := strings.Index(rest, to)
	if length < 0 {
		return "", r.fail(ErrSyntax, "%s that is not closed", from)
	}
	r.pos += len(from) + length + len(to)
	return rest[:length], nil
}

// A line end is one character (XML 1.0 section 2.11), and white space in an attribute is a
// space (section 3.3.3).
var (
	newlines   = strings.NewReplacer("\r\n", "\n", "\r", "\n")
	attrSpaces = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")
)

// unescape resolves the references and white space in text or an attribute.
func (r *Reader) unescape(raw string, attribute bool) (string, error) {
	spaces, special := newlines, "&\r"
	if attribute {
		spaces, special = attrSpaces, "&\r\n\t"
	}
	if !strings.ContainsAny(raw, special) {
		return raw, nil
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(raw, "&")
		out.WriteString(spaces.Replace(before))
		if !found {
			return out.String(), nil
		}
		reference, rest, ended := cutShort(after)
		c, ok := resolve(reference)
		if !ended || !ok {
			return "", r.fail(ErrSyntax, "&%s is not one of XML's own references", reference)
		}
		out.WriteRune(c)
		raw = rest
	}
}

// cutShort splits a reference at its semicolon. It searches only the length of the longest
// valid reference, so that a text full of ampersands takes linear time.
func cutShort(after string) (reference, rest string, ended bool) {
	const longest = 16
	reference, _, ended = strings.Cut(after[:min(len(after), longest)], ";")
	if !ended {
		return "", "", false
	}
	return reference, after[len(reference)+1:], true
}

// resolve resolves the five predefined entities and numbers of characters.
func resolve(reference string) (rune, bool) {
	switch reference {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, isNumber := strings.CutPrefix(reference, "#")
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	return rune(n), isNumber && err == nil && IsChar(rune(n))
}

// IsChar reports whether XML 1.0 permits a character, as itself or as a reference.
func IsChar(c rune) bool {
	switch {
	case c < 0x20:
		return c == '\t' || c == '\n' || c == '\r'
	case c == 0xFFFE || c == 0xFFFF:
		return false
	default:
		return utf8.ValidRune(c)
	}
}
