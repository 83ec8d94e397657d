package filing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// SimulatedUse is a text of a record that names another record which no authority knows: by the reference which this service, or
// a simulator of the authority, made for it, or by a reference of the caller's own that only a simulator was sent.
type SimulatedUse struct {
	Field     string // path in the body, such as documents[0].reference
	Reference string
	Noun      string // of the other record, such as licence
	Own       bool   // the reference is the caller's own
}

// referenceForm is the form that all references of authorities have in common. DUCRs have brackets, too.
var referenceForm = lazyregexp.New(`^[A-Z0-9][A-Z0-9()/-]{10,38}[A-Z0-9()]$`)

// SimulatedRemedy says what to do about a reference that this service made.
const SimulatedRemedy = "Declare the reference that the authority gave."

// Message says what is wrong with the reference.
func (u SimulatedUse) Message() string {
	if u.Own {
		return fmt.Sprintf("%s names a %s that only a simulator has accepted, and no authority knows it.", u.Reference, u.Noun)
	}
	return fmt.Sprintf("%s is a simulated reference: this service or its simulator made it for a %s, and no authority knows it.", u.Reference, u.Noun)
}

// Detail returns the use as a detail of an error.
func (u SimulatedUse) Detail() apierr.Detail {
	if u.Own {
		return apierr.Detail{Field: u.Field, Message: u.Message(), Remedy: fmt.Sprintf("Submit the %s to the authority itself first.", u.Noun)}
	}
	return apierr.Detail{Field: u.Field, Message: u.Message(), Remedy: SimulatedRemedy}
}

// SimulatedUses returns where the body of a record of a kind names records of the organisation that no authority knows.
func (s *Service) SimulatedUses(tx View, t *Type, body json.RawMessage) (uses []SimulatedUse, err error) {
	quoted := quotedReferences(body)
	if len(quoted) == 0 {
		return nil, nil
	}
	simulated, err := s.madeReferences(tx, quoted)
	if err != nil {
		return nil, err
	}
	var named []SimulatedUse
	for _, q := range quoted {
		if q.Noun = simulated[q.Reference]; q.Noun != "" {
			uses = append(uses, q)
		} else if t.namesRecordAt(q.Field) {
			named = append(named, q)
		}
	}
	own, err := s.simulatedNames(tx, named)
	return append(uses, own...), err
}

// madeReferences returns the nouns of the records whose references this service or a simulator made, by reference.
func (s *Service) madeReferences(tx View, quoted []SimulatedUse) (map[string]string, error) {
	found, err := tx.KeyedFilings(s.referenceKeys(quoted))
	if err != nil {
		return nil, err
	}
	simulated := map[string]string{}
	for key, f := range found {
		if t := s.Types[f.Kind]; t != nil && t.hasMade(&f, key.Value) {
			simulated[key.Value] = t.Singular
		}
	}
	return simulated, nil
}

// referenceKeys returns the keys that a record with one of some references has, of any kind, each once.
func (s *Service) referenceKeys(quoted []SimulatedUse) (keys []Key) {
	values := map[string]bool{}
	for _, q := range quoted {
		values[q.Reference] = true
	}
	for _, t := range s.Types {
		if t.ReferenceMember == "" {
			continue
		}
		for value := range values {
			keys = append(keys, t.KeyOf(t.ReferenceMember, value))
		}
	}
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value)) })
	return keys
}

// quotedReferences returns the texts of a body that may be references, in order, in capitals and without surrounding spaces.
func quotedReferences(body json.RawMessage) (quoted []SimulatedUse) {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := d.ReadToken()
		if err != nil { // io.EOF, or a value that the store would not have written
			return quoted
		}
		kind, n := d.StackIndex(d.StackDepth())
		if token.Kind() != '"' || kind == '{' && n%2 == 1 {
			continue
		}
		text := strings.ToUpper(strings.TrimSpace(token.String()))
		if referenceForm.MatchString(text) && strings.ContainsAny(text, "0123456789") {
			quoted = append(quoted, SimulatedUse{Field: FieldPath(d.StackPointer()), Reference: text})
		}
	}
}

// FieldPath writes a JSON pointer as the API names fields, such as containers[0].
func FieldPath(p jsontext.Pointer) string {
	var out strings.Builder
	for token := range p.Tokens() {
		switch {
		case strings.Trim(token, "0123456789") == "" && out.Len() > 0:
			out.WriteString("[" + token + "]")
		case out.Len() > 0:
			out.WriteString("." + token)
		default:
			out.WriteString(token)
		}
	}
	return out.String()
}
