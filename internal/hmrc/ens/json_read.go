package ens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
)

// Parse reads the content of a message from JSON as Message.JSON writes it; members may be in any order, and a number counts as
// its digits. The error is Faults, with paths that begin with at, or one of encoding/json.
func Parse(name string, header Header, content []byte, at string) (*Message, error) {
	d := jsonReader{decoder: json.NewDecoder(bytes.NewReader(content))}
	d.decoder.UseNumber()
	part := schema.Of(name)
	root, err := d.value(part, at)
	if err == nil {
		if _, more := d.decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more after the JSON value")
		}
	}
	if err != nil {
		return nil, err
	}
	if root != nil {
		for _, c := range root.Children {
			if !part.Find(c.Name.Local).IsGroup() {
				d.faults.add(at+"."+part.Find(c.Name.Local).Member(), "is made by the service.")
			}
		}
	}
	if len(d.faults) > 0 {
		return nil, d.faults
	}
	return &Message{Name: name, Header: header, content: root.Children}, nil
}

type jsonReader struct {
	decoder *json.Decoder
	faults  Faults
}

// value reads the next value as an element. It returns nil after a fault.
func (d *jsonReader) value(part *schema.Part, path string) (*element.Element, error) {
	token, err := d.decoder.Token()
	if err != nil {
		return nil, err
	}
	return d.valueOf(token, part, path)
}

func (d *jsonReader) valueOf(token json.Token, part *schema.Part, path string) (*element.Element, error) {
	switch value := token.(type) {
	case json.Delim:
		if value == '{' && part.IsGroup() {
			return d.object(part, path)
		}
		d.faults.add(path, "must be %s.", expected(part))
		return nil, d.rest()
	case string:
		if !part.IsGroup() {
			return d.text(part, path, value), nil
		}
	case json.Number:
		if !part.IsGroup() {
			return d.text(part, path, value.String()), nil
		}
	}
	d.faults.add(path, "must be %s.", expected(part))
	return nil, nil
}

func expected(part *schema.Part) string {
	if part.IsGroup() {
		return "an object"
	}
	return "a text"
}

func (d *jsonReader) text(part *schema.Part, path, text string) *element.Element {
	if !writable(text) {
		d.faults.add(path, "has a character that XML does not allow.")
		return nil
	}
	return element.New(part.Name, text)
}

// writable reports whether XML 1.0 allows all characters of a text.
func writable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF
	})
}

// object reads the members of an object and puts them into the schema's order.
func (d *jsonReader) object(part *schema.Part, path string) (*element.Element, error) {
	found := map[string][]*element.Element{}
	seen := map[string]bool{}
	for d.decoder.More() {
		token, err := d.decoder.Token()
		if err != nil {
			return nil, err
		}
		member, _ := token.(string) // a name is always a text
		at := path + "." + member
		p := part.FindMember(member)
		if p == nil || seen[member] {
			d.faults.add(at, "%s", unusable(p))
			if err := d.skip(); err != nil {
				return nil, err
			}
			continue
		}
		seen[member] = true
		if found[p.Name], err = d.values(p, at); err != nil {
			return nil, err
		}
	}
	group := element.New(part.Name, "")
	for _, p := range part.Parts {
		for _, e := range found[p.Name] {
			group.Append(e)
		}
	}
	group.Complete()
	_, err := d.decoder.Token() // the end of the object
	return group, err
}

func unusable(p *schema.Part) string {
	if p == nil {
		return "is not an element of the message."
	}
	return "occurs twice."
}

// values reads a member: one element, or an array of them for a list.
func (d *jsonReader) values(part *schema.Part, path string) ([]*element.Element, error) {
	token, err := d.decoder.Token()
	if err != nil {
		return nil, err
	}
	if !part.IsList() {
		e, err := d.valueOf(token, part, path)
		return present(nil, e), err
	}
	if token != json.Delim('[') {
		d.faults.add(path, "must be an array.")
		return nil, d.restOf(token)
	}
	var all []*element.Element
	for i := 0; d.decoder.More(); i++ {
		e, err := d.value(part, path+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		all = present(all, e)
	}
	_, err = d.decoder.Token() // the end of the array
	return all, err
}

func present(all []*element.Element, e *element.Element) []*element.Element {
	if e == nil {
		return all
	}
	return append(all, e)
}

// skip reads over the next value.
func (d *jsonReader) skip() error {
	token, err := d.decoder.Token()
	if err != nil {
		return err
	}
	return d.restOf(token)
}

// restOf reads over the rest of a value whose first token was read.
func (d *jsonReader) restOf(token json.Token) error {
	if token == json.Delim('{') || token == json.Delim('[') {
		return d.rest()
	}
	return nil
}

// rest reads to the end of the object or array that is open.
func (d *jsonReader) rest() error {
	for depth := 1; depth > 0; {
		token, err := d.decoder.Token()
		if err != nil {
			return fmt.Errorf("the JSON ends too early: %w", err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}
