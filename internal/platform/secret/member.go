package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of a body's list that holds secrets.
type Member struct {
	List, Name string
	Same       []string // members that identify an entry
}

// Path returns the path of the secret of an entry, such as guarantees[0].accessCode.
func (m Member) Path(index int) string { return fmt.Sprintf("%s[%d].%s", m.List, index, m.Name) }

// span is a part of a body.
type span struct{ from, to int }

// Take returns a compact body with each secret masked, and the secrets. A body without secrets is returned as it is.
func (m Member) Take(body json.RawMessage) (json.RawMessage, []Given, error) {
	if !bytes.Contains(body, []byte(`"`+m.Name+`"`)) {
		return body, nil, nil
	}
	t := taker{Member: m, tokens: jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	if err := t.object(t.list); err != nil {
		return nil, nil, fmt.Errorf("secret: body: %w", err)
	}
	if t.spans == nil {
		return body, nil, nil
	}
	var out []byte
	at := 0
	for _, s := range t.spans {
		out = append(append(out, body[at:s.from]...), shown...)
		at = s.to
	}
	return append(out, body[at:]...), t.given, nil
}

// taker finds the secrets of a body.
type taker struct {
	Member
	tokens *jsontext.Decoder
	given  []Given
	spans  []span
}

// object visits the members of an object, if the next value is one. The visitor reads the value of the member.
func (t *taker) object(visit func(name string) error) error {
	if t.tokens.PeekKind() != '{' {
		return t.tokens.SkipValue()
	}
	if _, err := t.tokens.ReadToken(); err != nil {
		return err
	}
	for t.tokens.PeekKind() != '}' {
		token, err := t.tokens.ReadToken()
		if err != nil {
			return err
		}
		if err := visit(token.String()); err != nil {
			return err
		}
	}
	_, err := t.tokens.ReadToken()
	return err
}

// list visits the entries of the list that can hold secrets.
func (t *taker) list(name string) error {
	if name != t.List || t.tokens.PeekKind() != '[' {
		return t.tokens.SkipValue()
	}
	if _, err := t.tokens.ReadToken(); err != nil {
		return err
	}
	for index := 0; t.tokens.PeekKind() != ']'; index++ {
		if err := t.entry(index); err != nil {
			return err
		}
	}
	_, err := t.tokens.ReadToken()
	return err
}

// entry takes the secret of an entry.
func (t *taker) entry(index int) error {
	values, found := make([]string, len(t.Same)), false
	g := Given{Index: index}
	err := t.object(func(name string) error {
		value, err := t.tokens.ReadValue()
		if err != nil {
			return err
		}
		if at := slices.Index(t.Same, name); at >= 0 {
			return json.Unmarshal(value, &values[at])
		}
		if name != t.Name {
			return nil
		}
		end := int(t.tokens.InputOffset())
		t.spans, found = append(t.spans, span{end - len(value), end}), true
		return json.Unmarshal(value, &g.Text)
	})
	if found && err == nil {
		g.Same = Same(values...)
		t.given = append(t.given, g)
	}
	return err
}

// Same returns what identifies an entry with certain values.
func Same(values ...string) string {
	text, _ := json.Marshal(values)
	return string(text)
}
