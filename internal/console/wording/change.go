package wording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
)

// Limits of what is said of one event.
const (
	maxChanges = 200 // in the table of an event
	maxSaid    = 3   // changes in a sentence
	maxValue   = 48  // characters of a value in a sentence
)

// Change is one value before and after; either is empty where there was none.
type Change struct{ Field, Label, Before, After string }

// Fact is something else that an event tells.
type Fact struct{ Label, Value string }

// Code tells whether the value is a digest, for machines to compare.
func (f Fact) Code() bool {
	return len(f.Value) >= 32 && strings.Trim(f.Value, "0123456789abcdef") == ""
}

// Changes are what an event tells to have changed, value by value, and whether there
// are more than are shown.
func (b *Vocabulary) Changes(e *audit.Event) (all []Change, more bool) {
	return b.changes(told(e))
}

func (b *Vocabulary) changes(data map[string]json.RawMessage) (all []Change, more bool) {
	if data["before"] == nil && data["after"] == nil {
		return nil, false
	}
	was, is := leaves(data["before"]), leaves(data["after"])
	order := slices.Clone(is)
	for _, l := range was {
		if !slices.ContainsFunc(is, func(other leaf) bool { return other.path == l.path }) {
			order = append(order, l)
		}
	}
	before, after := byPath(was), byPath(is)
	for _, l := range order {
		if before[l.path] == after[l.path] {
			continue
		}
		if len(all) == maxChanges {
			return all, true
		}
		all = append(all, Change{l.path, labelOf(l.path), before[l.path], after[l.path]})
	}
	return all, false
}

// Facts are what an event tells besides what has changed.
func (b *Vocabulary) Facts(e *audit.Event) (all []Fact) {
	data := told(e)
	delete(data, "before")
	delete(data, "after")
	for _, name := range slices.Sorted(maps.Keys(data)) {
		for _, l := range leaves(data[name]) {
			path := strings.TrimSuffix(name+"."+l.path, ".")
			if strings.HasPrefix(l.path, "[") {
				path = name + l.path
			}
			if len(all) < maxChanges && l.text != "" {
				all = append(all, Fact{or(facts[name], labelOf(path)), l.text})
			}
		}
	}
	return all
}

// facts are what the members of events are called that no form has.
var facts = map[string]string{
	"sha256": "SHA-256 of the input", "codes": "Rules that found something", "riskScore": "Risk score", "errors": "Errors", "hint": "Ends with",
	"functionCode": "Function code", "messageId": "Message", "conversationId": "Conversation", "inboxId": "Inbox", "mrn": "MRN", "lrn": "LRN",
}

// tail is what a sentence ends with: what has changed, why, or with which result.
func (b *Vocabulary) tail(e *audit.Event, data map[string]json.RawMessage) string {
	var text string
	if mrn := plain(data["mrn"]); mrn != "" && strings.HasSuffix(e.Type, ".accepted") {
		text = " as MRN " + mrn
	}
	var codes []string
	switch {
	case json.Unmarshal(data["errors"], &codes) == nil && len(codes) > 0:
		return text + ": " + strings.Join(codes[:min(len(codes), maxSaid)], ", ") + more(len(codes)-maxSaid)
	case plain(data["verdict"]) != "":
		return text + ": " + small(form.Words(plain(data["verdict"])))
	case json.Unmarshal(data["codes"], &codes) == nil && data["codes"] != nil:
		return text + findings(len(codes))
	case plain(data["reason"]) != "":
		return text + ": “" + shortened(plain(data["reason"])) + "”"
	case plain(data["message"]) != "":
		return text + ": " + shortened(plain(data["message"]))
	}
	return text + b.said(data)
}

func findings(n int) string {
	switch n {
	case 0:
		return ": nothing found"
	case 1:
		return ": 1 finding"
	}
	return fmt.Sprintf(": %d findings", n)
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// said are the first changes in words.
func (b *Vocabulary) said(data map[string]json.RawMessage) string {
	all, _ := b.changes(data)
	if len(all) == 0 {
		return ""
	}
	var words []string
	for _, c := range all[:min(len(all), maxSaid)] {
		words = append(words, c.words())
	}
	return ": " + strings.Join(words, "; ") + more(len(all)-maxSaid)
}

// words are such as gross mass 131 → 135 kg.
func (c Change) words() string {
	label, unit := c.Label, ""
	if name, rest, found := strings.Cut(c.Label, " ("); found && strings.HasSuffix(rest, ")") {
		label, unit = name, strings.TrimSuffix(rest, ")")
	}
	before, after := shortened(c.Before), shortened(c.After)
	if unit == "£" {
		before, after, unit = pounds(before), pounds(after), ""
	} else if unit != "" {
		unit = " " + unit
	}
	switch label = small(label); {
	case label == "":
		return small(before) + " → " + small(after)
	case before == "":
		return label + " set to " + after + unit
	case after == "":
		return label + " " + before + unit + " removed"
	}
	return label + " " + before + " → " + after + unit
}

func pounds(amount string) string {
	if amount == "" {
		return ""
	}
	return "£" + amount
}

// small begins a word in lower case, unless it is an abbreviation such as EORI.
func small(label string) string {
	all := []rune(label)
	if len(all) > 1 && strings.ToUpper(string(all[1])) == string(all[1]) {
		return label
	}
	return strings.ToLower(string(all[:min(1, len(all))])) + string(all[min(1, len(all)):])
}

func shortened(text string) string {
	if all := []rune(text); len(all) > maxValue {
		return string(all[:maxValue-1]) + "…"
	}
	return text
}

// leaf is a single value in a JSON value, at a path such as items[0].netMassKg.
type leaf struct{ path, text string }

func byPath(all []leaf) map[string]string {
	texts := map[string]string{}
	for _, l := range all {
		texts[l.path] = l.text
	}
	return texts
}

// leaves are the single values of a JSON value, members in their order by name.
func leaves(value json.RawMessage) (all []leaf) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var decoded any
	if d.Decode(&decoded) != nil {
		return nil
	}
	gather("", decoded, func(l leaf) { all = append(all, l) })
	return all
}

func gather(path string, value any, add func(leaf)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := name
			if path != "" {
				at = path + "." + name
			}
			gather(at, v[name], add)
		}
	case []any:
		for i, item := range v {
			gather(fmt.Sprintf("%s[%d]", path, i), item, add)
		}
	default:
		add(leaf{path, single(v)})
	}
}

func single(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	}
	return fmt.Sprint(value)
}

// plain is a single value as text.
func plain(value json.RawMessage) string {
	if all := leaves(value); len(all) == 1 && all[0].path == "" {
		return all[0].text
	}
	return ""
}

// labelOf is a path in the field's words, such as Items 1, net mass (kg).
func labelOf(path string) string {
	var words []string
	for step := range strings.SplitSeq(path, ".") {
		name, place, listed := strings.Cut(step, "[")
		word := form.Label(name)
		if listed {
			word = form.Singular(word) + " " + places(place)
		}
		if len(words) > 0 {
			word = small(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// places are the indices of a path as people count: 0] is 1, and 0][2] is 1.3.
func places(indices string) string {
	var all []string
	for index := range strings.SplitSeq(strings.TrimSuffix(indices, "]"), "][") {
		n := 0
		_, _ = fmt.Sscan(index, &n)
		all = append(all, fmt.Sprint(n+1))
	}
	return cmp.Or(strings.Join(all, "."), "1")
}
