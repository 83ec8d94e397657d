package filings

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// document is a record as the API shows it, with the records that it refers to as members.
type document map[string]any

// entryMember is the member with the chosen entry of a list.
const entryMember = "entry"

// documentOf reads a body and what the service added to it.
func documentOf(body, added json.RawMessage) document {
	d := document{}
	for _, raw := range []json.RawMessage{body, added} {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber() // decimals stay as they are written
		_ = decoder.Decode(&d)
	}
	return d
}

// follow adds the records that documents refer to, with one query for each step.
func follow(tx page.Tx, all []document, steps []layout.Follow) error {
	for _, step := range steps {
		var ids []string
		for _, d := range all {
			if id := strings.ToLower(d.first(step.From)); ident.IsUUID(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		found, err := tx.Briefs(ids)
		if err != nil {
			return err
		}
		for _, d := range all {
			if f, ok := found[strings.ToLower(d.first(step.From))]; ok && f.Kind == step.Kind {
				d[step.As] = map[string]any(documentOf(f.Brief, f.Added))
			}
		}
	}
	return nil
}

// texts returns the values at a path as texts; a step that ends with [] goes into every entry of a list.
func (d document) texts(path string) []string {
	return textsAt(map[string]any(d), strings.Split(path, "."))
}

func textsAt(value any, steps []string) (texts []string) {
	if len(steps) == 0 {
		switch v := value.(type) {
		case string:
			if v = strings.TrimSpace(v); v != "" {
				return []string{v}
			}
		case json.Number:
			return []string{v.String()}
		}
		return nil
	}
	object, _ := value.(map[string]any)
	name, which, each := strings.Cut(strings.TrimSuffix(steps[0], "]"), "[")
	if !each {
		return textsAt(object[name], steps[1:])
	}
	list, _ := object[name].([]any)
	for _, entry := range list {
		if isOneOf(entry, which) {
			texts = append(texts, textsAt(entry, steps[1:])...)
		}
	}
	return texts
}

// isOneOf reports whether an entry has one of the texts in a condition, such as type=821|822. All entries meet the empty condition.
func isOneOf(entry any, condition string) bool {
	member, texts, found := strings.Cut(condition, "=")
	if !found {
		return true
	}
	object, _ := entry.(map[string]any)
	text, _ := object[member].(string)
	return text != "" && slices.Contains(strings.Split(texts, "|"), text)
}

// first returns the first text at a path.
func (d document) first(path string) string {
	if all := d.texts(path); len(all) > 0 {
		return all[0]
	}
	return ""
}

// name returns the name of a record of a source.
func (d document) name(s layout.Source) string {
	for _, path := range s.Name {
		if text := d.first(path); text != "" {
			return text
		}
	}
	return s.Kind
}

// entries returns the entries of the list that a source offers one by one.
func (d document) entries(s layout.Source) []any {
	list, _ := d[s.Each].([]any)
	return list
}

// values returns what a field takes from a record.
func (d document) values(t layout.Take) (texts []string) {
	if !t.When.Holds(d.first) {
		return nil
	}
	for _, path := range t.From {
		found := d.texts(path)
		if t.Join == "" && !t.All && len(found) > 0 {
			return found
		}
		texts = append(texts, found...)
	}
	if len(texts) == 0 || t.All {
		return texts
	}
	return []string{strings.Join(texts, t.Join)}
}

// sum adds up decimal numbers.
func sum(texts []string) string {
	const places = 6
	total := new(big.Rat)
	for _, text := range texts {
		if n, ok := new(big.Rat).SetString(text); ok {
			total.Add(total, n)
		}
	}
	return strings.TrimSuffix(strings.TrimRight(total.FloatString(places), "0"), ".")
}

// load reads records of a source.
func (s sourceRecords) load(tx page.Tx, ids []string) (all []document, err error) {
	for _, id := range ids {
		if !ident.IsUUID(id) {
			return nil, apierr.Missing()
		}
		f, err := tx.Filing(s.Kind, id)
		if err != nil {
			return nil, err
		}
		all = append(all, s.document(&f))
	}
	return all, follow(tx, all, s.Follow)
}

func (s sourceRecords) document(f *filing.Filing) document {
	body := f.Body
	if body == nil {
		body = f.Brief
	}
	d := documentOf(body, f.Added)
	d["id"] = f.ID
	return d
}
