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

// Limits of the description of one event.
const (
	maxChanges = 200 // changes in the table of an event
	maxListed  = 3   // changes or codes in a sentence
	maxValue   = 48  // characters of a value in a sentence
)

// Change is one value before and after an event; either is empty if there was no value.
type Change struct{ Field, Label, Before, After string }

// Fact is a value of an event that is not a change.
type Fact struct{ Label, Value string }

// Code reports whether the value is a digest, which pages show in a monospaced font.
func (f Fact) Code() bool {
	return len(f.Value) >= 32 && strings.Trim(f.Value, "0123456789abcdef") == ""
}

// Changes returns the changed values of an event, at most maxChanges, and whether there
// are more.
func (b *Vocabulary) Changes(e *audit.Event) (all []Change, more bool) {
	return b.changes(eventData(e))
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

// Facts returns the values of an event that are not changes.
func (b *Vocabulary) Facts(e *audit.Event) (all []Fact) {
	data := eventData(e)
	delete(data, "before")
	delete(data, "after")
	for _, name := range slices.Sorted(maps.Keys(data)) {
		for _, l := range leaves(data[name]) {
			path := strings.TrimSuffix(name+"."+l.path, ".")
			if strings.HasPrefix(l.path, "[") {
				path = name + l.path
			}
			if len(all) < maxChanges && l.text != "" {
				all = append(all, Fact{cmp.Or(facts[name], labelOf(path)), l.text})
			}
		}
	}
	return all
}

// facts are the labels of event members that are in no form.
var facts = map[string]string{
	"sha256": "SHA-256 of the input", "codes": "Rules with findings", "riskScore": "Risk score", "errors": "Errors", "hint": "Ends with",
	"functionCode": "Function code", "messageId": "Message", "conversationId": "Conversation", "inboxId": "Inbox", "mrn": "MRN", "lrn": "LRN",
	"reference": "Reference", "formerReference": "Former reference", "formerReferenceSource": "Source of the former reference", "documentId": "Document", "documentSha256": "SHA-256 of the document",
}

// details returns the end of a sentence: the changes, the reason or the result.
func (b *Vocabulary) details(e *audit.Event, data map[string]json.RawMessage) string {
	var text string
	if mrn := scalar(data["mrn"]); mrn != "" && strings.HasSuffix(e.Type, ".accepted") {
		text = " as MRN " + mrn
	}
	var codes []string
	switch {
	case json.Unmarshal(data["errors"], &codes) == nil && len(codes) > 0:
		return text + ": " + strings.Join(codes[:min(len(codes), maxListed)], ", ") + andMore(len(codes)-maxListed)
	case scalar(data["verdict"]) != "":
		return text + ": " + lowerFirst(form.Words(scalar(data["verdict"])))
	case json.Unmarshal(data["codes"], &codes) == nil && data["codes"] != nil:
		return text + findings(len(codes))
	case scalar(data["reason"]) != "":
		return text + ": “" + shortened(scalar(data["reason"])) + "”"
	case scalar(data["message"]) != "":
		return text + ": " + shortened(scalar(data["message"]))
	}
	return text + b.firstChanges(data)
}

func findings(n int) string {
	switch n {
	case 0:
		return ": no findings"
	case 1:
		return ": 1 finding"
	}
	return fmt.Sprintf(": %d findings", n)
}

func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// firstChanges describes the first changes.
func (b *Vocabulary) firstChanges(data map[string]json.RawMessage) string {
	all, _ := b.changes(data)
	if len(all) == 0 {
		return ""
	}
	var words []string
	for _, c := range all[:min(len(all), maxListed)] {
		words = append(words, c.describe())
	}
	return ": " + strings.Join(words, "; ") + andMore(len(all)-maxListed)
}

// describe returns, for example, gross mass 131 → 135 kg.
func (c Change) describe() string {
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
	switch label = lowerFirst(label); {
	case label == "":
		return lowerFirst(before) + " → " + lowerFirst(after)
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

// lowerFirst returns a label with its first letter in lower case, unless it is an abbreviation such as EORI.
func lowerFirst(label string) string {
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

// leaf is a scalar in a JSON value, with its path, such as items[0].netMassKg.
type leaf struct{ path, text string }

func byPath(all []leaf) map[string]string {
	texts := map[string]string{}
	for _, l := range all {
		texts[l.path] = l.text
	}
	return texts
}

// leaves returns the scalars of a JSON value; members are sorted by name.
func leaves(value json.RawMessage) (all []leaf) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var decoded any
	if d.Decode(&decoded) != nil {
		return nil
	}
	walk("", decoded, func(l leaf) { all = append(all, l) })
	return all
}

func walk(path string, value any, add func(leaf)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := name
			if path != "" {
				at = path + "." + name
			}
			walk(at, v[name], add)
		}
	case []any:
		for i, item := range v {
			walk(fmt.Sprintf("%s[%d]", path, i), item, add)
		}
	default:
		add(leaf{path, scalarText(v)})
	}
}

func scalarText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	}
	return fmt.Sprint(value)
}

// scalar returns a JSON scalar as text; empty for an object or an array.
func scalar(value json.RawMessage) string {
	if all := leaves(value); len(all) == 1 && all[0].path == "" {
		return all[0].text
	}
	return ""
}

// labelOf returns the label of a path, such as Item 1, net mass (kg).
func labelOf(path string) string {
	var words []string
	for step := range strings.SplitSeq(path, ".") {
		name, place, listed := strings.Cut(step, "[")
		word := form.Label(name)
		if listed {
			word = form.Singular(word) + " " + indexNumbers(place)
		}
		if len(words) > 0 {
			word = lowerFirst(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// indexNumbers returns the indices of a path, counted from 1: 1 for 0], and 1.3 for 0][2].
func indexNumbers(indices string) string {
	var all []string
	for index := range strings.SplitSeq(strings.TrimSuffix(indices, "]"), "][") {
		n := 0
		_, _ = fmt.Sscan(index, &n)
		all = append(all, fmt.Sprint(n+1))
	}
	return cmp.Or(strings.Join(all, "."), "1")
}
