package safexml

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxDeclaration is enough for <?xml … ?> with much white space.
const maxDeclaration = 256

// declaration matches the XML declaration (XML 1.0 production 23); group 2 is the encoding.
var declaration = regexp.MustCompile(`^<\?xml\s+version\s*=\s*("1\.0"|'1\.0')` +
	`(?:\s+encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["'])?` +
	`(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>`)

// decode returns the document after its XML declaration as UTF-8, after checking that XML 1.0
// permits all characters.
func decode(data []byte) (string, error) {
	if len(data) > MaxSize {
		return "", refuse(ErrTooLarge, "%d bytes, more than %d", len(data), MaxSize)
	}
	data, marked := bytes.CutPrefix(data, []byte("\xEF\xBB\xBF"))
	encoding, body, err := prolog(data)
	if err != nil {
		return "", err
	}
	if marked && encoding != "UTF-8" {
		return "", refuse(ErrEncoding, "a UTF-8 mark before the encoding %s", encoding)
	}
	doc, err := transcode(body, encoding)
	if err != nil {
		return "", err
	}
	return doc, permitted(doc)
}

// prolog returns the name of the encoding and the document after the XML declaration, if there
// is one.
func prolog(data []byte) (encoding string, body []byte, err error) {
	if wide(data) {
		return "", nil, refuse(ErrEncoding, "UTF-16 and UTF-32 are not supported; send UTF-8")
	}
	if !bytes.HasPrefix(data, []byte("<?xml")) || !startsName(data, len("<?xml")) {
		return "UTF-8", data, nil
	}
	head := data[:min(len(data), maxDeclaration)]
	at := declaration.FindSubmatchIndex(head)
	if at == nil {
		return "", nil, refuse(ErrSyntax, "the XML declaration is not valid in XML 1.0")
	}
	if at[4] < 0 {
		return "UTF-8", data[at[1]:], nil
	}
	return strings.ToUpper(string(head[at[4]:at[5]])), data[at[1]:], nil
}

// startsName distinguishes an instruction such as <?xml-stylesheet …?> from <?xml …?>.
func startsName(data []byte, at int) bool {
	return at < len(data) && strings.IndexByte(" \t\r\n?", data[at]) >= 0
}

// wide reports whether a document is in a two- or four-byte encoding, by its mark or first
// character.
func wide(data []byte) bool {
	if len(data) < 2 {
		return false
	}
	pair := string(data[:2])
	return pair == "\xFE\xFF" || pair == "\xFF\xFE" || data[0] == 0 || data[1] == 0
}

func transcode(body []byte, encoding string) (string, error) {
	switch encoding {
	case "UTF-8":
		return string(body), nil
	case "US-ASCII", "ASCII":
		if at := bytes.IndexFunc(body, func(c rune) bool { return c >= utf8.RuneSelf }); at >= 0 {
			return "", refuse(ErrEncoding, "byte %#x is not of %s", body[at], encoding)
		}
		return string(body), nil
	case "ISO-8859-1":
		return latin1(body), nil
	default:
		return "", refuse(ErrEncoding, "the encoding %s is not supported; send UTF-8", encoding)
	}
}

func latin1(body []byte) string {
	var text strings.Builder
	text.Grow(len(body) + len(body)/8)
	for _, b := range body {
		text.WriteRune(rune(b))
	}
	return text.String()
}

// permitted requires UTF-8 with characters of XML 1.0 (production 2).
func permitted(doc string) error {
	if !utf8.ValidString(doc) {
		return refuse(ErrEncoding, "the document is not UTF-8")
	}
	for i := range len(doc) {
		if forbidden(doc, i) {
			line := strings.Count(doc[:i], "\n") + 1
			return &Error{Line: line, Reason: ErrSyntax, Detail: "a character that XML 1.0 forbids"}
		}
	}
	return nil
}

// forbidden reports whether character i is a control character, U+FFFE or U+FFFF.
func forbidden(doc string, i int) bool {
	switch c := doc[i]; {
	case c < 0x20:
		return c != '\t' && c != '\n' && c != '\r'
	case c == 0xEF && doc[i+1] == 0xBF:
		return doc[i+2] >= 0xBE
	default:
		return false
	}
}

func refuse(reason error, format string, args ...any) error {
	return &Error{Line: 1, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}
