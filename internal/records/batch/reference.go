package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// referencePrefix begins a text that stands for the ID of the record that another row makes.
const referencePrefix = "$ref:"

// noID stands for an ID that is not known yet, where only the form of a path matters.
const noID = "00000000-0000-0000-0000-000000000000"

// mayName reports whether a text has the form of a name, without a copy of it.
func mayName(text []byte) bool {
	return len(text) == len(noID) || bytes.HasPrefix(text, []byte(referencePrefix))
}

// nameOf returns the record that a text names: a reference as it is, an ID in lower case.
func nameOf(text string) (string, bool) {
	if strings.HasPrefix(text, referencePrefix) {
		return text, true
	}
	if len(text) != len(noID) {
		return "", false
	}
	text = strings.ToLower(text)
	return text, ident.IsUUID(text)
}

// unescaped decodes the percent-encoding of a segment of a path. A malformed segment stays as it is.
func unescaped(segment string) string {
	if text, err := url.PathUnescape(segment); err == nil {
		return text
	}
	return segment
}

// replaceSegments replaces the references in a path.
func replaceSegments(path string, id func(name string) string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if name := unescaped(s); strings.HasPrefix(name, referencePrefix) {
			segments[i] = id(name)
		}
	}
	return strings.Join(segments, "/")
}

// placeholders returns a path with an ID in place of every reference.
func placeholders(path string) string {
	return replaceSegments(path, func(string) string { return noID })
}

// eachText calls fn for every text value of a JSON value, and copies the value to out with what fn returns.
func eachText(body []byte, out io.Writer, fn func(text string) string) error {
	read := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	write := jsontext.NewEncoder(out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := read.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		kind, length := read.StackIndex(read.StackDepth())
		if isName := kind == '{' && length%2 == 1; token.Kind() == '"' && !isName {
			token = jsontext.String(fn(token.String()))
		}
		if err := write.WriteToken(token); err != nil {
			return err
		}
	}
}

// namesIn returns the records that the texts of a body name.
func namesIn(body []byte) (names []string, err error) {
	add := func(text string) string {
		if name, ok := nameOf(text); ok {
			names = append(names, name)
		}
		return text
	}
	if bytes.IndexByte(body, '\\') < 0 && json.Valid(body) {
		eachPlainText(body, func(text []byte) {
			if mayName(text) {
				add(string(text))
			}
		})
		return names, nil
	}
	err = eachText(body, io.Discard, add)
	return names, err
}

// eachPlainText is eachText for a valid JSON value without escapes, of which it makes no copy. It takes half of the time.
func eachPlainText(body []byte, fn func(text []byte)) {
	for {
		start := bytes.IndexByte(body, '"') + 1
		if start == 0 {
			return
		}
		body = body[start:]
		end := bytes.IndexByte(body, '"')
		text := body[:end]
		if body = bytes.TrimLeft(body[end+1:], " \t\r\n"); len(body) == 0 || body[0] != ':' {
			fn(text)
		}
	}
}

// memberOf returns the record that a member of a body names.
func memberOf(body []byte, member string) []string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members[member], &text) != nil {
		return nil
	}
	if name, ok := nameOf(text); ok {
		return []string{name}
	}
	return nil
}

// recordIDs are the IDs of records, by the reference of the row that made them.
type recordIDs struct{ all sync.Map }

func (r *recordIDs) add(reference, id string) { r.all.Store(reference, id) }

// of returns the ID, empty for none.
func (r *recordIDs) of(reference string) string {
	id, _ := r.all.Load(reference)
	text, _ := id.(string)
	return text
}

// resolve replaces the references of an operation by IDs. It returns the references without one.
func (o Operation) resolve(ids *recordIDs) (_ Operation, missing []string) {
	id := func(name string) string {
		found := ids.of(strings.TrimPrefix(name, referencePrefix))
		if found == "" {
			missing = append(missing, name)
		}
		return found
	}
	o.Path = replaceSegments(o.Path, id)
	if !bytes.Contains(o.Body, []byte("$")) && !bytes.Contains(o.Body, []byte(`\`)) {
		return o, missing
	}
	var body bytes.Buffer
	err := eachText(o.Body, &body, func(text string) string {
		if strings.HasPrefix(text, referencePrefix) {
			return id(text)
		}
		return text
	})
	if err == nil {
		o.Body = bytes.TrimSpace(body.Bytes())
	}
	return o, missing
}

// recordIn returns the ID of the record in an answer: of the object itself, or of the one object in it.
func recordIn(answer []byte) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(answer, &members) != nil {
		return ""
	}
	var record struct {
		ID string `json:"id"`
	}
	if _, plain := members["id"]; plain {
		_ = json.Unmarshal(answer, &record)
		return record.ID
	}
	for _, m := range members {
		if len(m) > 0 && m[0] == '{' && json.Unmarshal(m, &record) == nil && record.ID != "" {
			return record.ID
		}
	}
	return ""
}
