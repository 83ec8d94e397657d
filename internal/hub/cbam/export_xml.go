package cbam

import (
	"bufio"
	"encoding/xml"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// xmlWriter writes elements to a stream until the first error.
type xmlWriter struct {
	out *bufio.Writer
	err error
}

const bufferSize = 64 << 10

func newXML(w io.Writer) *xmlWriter { return &xmlWriter{out: bufio.NewWriterSize(w, bufferSize)} }

func (x *xmlWriter) raw(text string) {
	if x.err == nil {
		_, x.err = x.out.WriteString(text)
	}
}

func (x *xmlWriter) open(name string) {
	x.raw("<")
	x.raw(name)
	x.raw(">")
}

func (x *xmlWriter) close(name string) {
	x.raw("</")
	x.raw(name)
	x.raw(">\n")
}

func (x *xmlWriter) flush() error {
	if x.err != nil {
		return x.err
	}
	return x.out.Flush()
}

// plain writes an element with text of the program, which needs no escaping.
func (x *xmlWriter) plain(name, value string) {
	x.open(name)
	x.raw(value)
	x.close(name)
}

// notGiven is the text of a required element without a value.
const notGiven = "not given"

// text writes an element with any text: on one line, cut to the maximum length, and escaped.
func (x *xmlWriter) text(name, value string, most int) {
	value = singleLine(value, most)
	if value == "" {
		value = singleLine(notGiven, most)
	}
	x.open(name)
	if x.err == nil {
		x.err = xml.EscapeText(x.out, []byte(value))
	}
	x.close(name)
}

// optional writes a text element, unless the text is empty.
func (x *xmlWriter) optional(name, value string, most int) {
	if singleLine(value, most) != "" {
		x.text(name, value, most)
	}
}

// remarks writes an additional information element, unless the text is empty.
func (x *xmlWriter) remarks(name, value string) {
	if singleLine(value, remarkLength) == "" {
		return
	}
	x.open(name)
	x.text("AdditionalInformation", value, remarkLength)
	x.close(name)
}

// numberDigits is the maximum number of digits in the schema.
const numberDigits = 16

// number writes a decimal with a maximum number of places, unless it is too large, and reports whether it did.
func (x *xmlWriter) number(name string, value quantity.Total, places int) bool {
	whole := len(value.Fixed(0))
	if whole > numberDigits {
		return false
	}
	x.plain(name, value.Fixed(min(places, numberDigits-whole)))
	return true
}

// singleLine returns a text on one line, without control characters and not longer than most. Escaping replaces other characters
// that XML does not allow.
func singleLine(text string, most int) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	clean = strings.Join(strings.Fields(clean), " ")
	if utf8.RuneCountInString(clean) > most {
		clean = strings.TrimSpace(string([]rune(clean)[:most]))
	}
	return clean
}

func isCountry(text string) bool {
	return len(text) == countryLength && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
