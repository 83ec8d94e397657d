package documents

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Score counts the fields of documents: labelled, found correctly, and found with a wrong value.
type Score struct{ Labelled, Right, Wrong int }

// Recall is the share of labelled fields that were found correctly, in percent.
func (s Score) Recall() float64 { return share(s.Right, s.Labelled) }

// Precision is the share of found fields that are correct, in percent.
func (s Score) Precision() float64 { return share(s.Right, s.Right+s.Wrong) }

// Interval is the Wilson interval of a share with 95 % confidence, in percent.
func Interval(part, whole int) (low, high float64) {
	const z = 1.96
	if whole == 0 {
		return 0, 100
	}
	n, p := float64(whole), float64(part)/float64(whole)
	middle, width := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * (middle - width) / (1 + z*z/n), 100 * (middle + width) / (1 + z*z/n)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// Miss is a labelled field that was not found or has another value.
type Miss struct{ Sample, Field, Want, Got string }

// Compare compares an answer's document with a sample's labels, and adds to the scores of the fields, by their
// names without numbers.
func Compare(s Sample, document []byte, scores map[string]*Score) ([]Miss, error) {
	found, err := Values(document)
	if err != nil {
		return nil, err
	}
	var misses []Miss
	for _, field := range slices.Sorted(maps.Keys(s.Want)) {
		name := unnumbered(field)
		if scores[name] == nil {
			scores[name] = &Score{}
		}
		score := scores[name]
		score.Labelled++
		got, want := found[field].Text, s.Want[field]
		switch {
		case same(got, want):
			score.Right++
			continue
		case got != "":
			score.Wrong++
		}
		misses = append(misses, Miss{s.Name, field, want, got})
	}
	return misses, nil
}

// Value is the value of a field and its confidence.
type Value struct {
	Text       string
	Confidence float64
}

// Values are the values of all fields of a document, by their members.
func Values(document []byte) (map[string]Value, error) {
	d := json.NewDecoder(strings.NewReader(string(document)))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	found := map[string]Value{}
	collect(root, "", found)
	return found, nil
}

func collect(v any, at string, found map[string]Value) {
	switch v := v.(type) {
	case map[string]any:
		if value, ok := v["value"]; ok {
			confidence, _ := v["confidence"].(json.Number)
			certainty, _ := confidence.Float64()
			found[at] = Value{fmt.Sprint(value), certainty}
			return
		}
		for k, inner := range v {
			collect(inner, strings.TrimPrefix(at+"."+k, "."), found)
		}
	case []any:
		for i, inner := range v {
			collect(inner, fmt.Sprintf("%s[%d]", at, i), found)
		}
	}
}

// unnumbered is the name of a field without the number of its line.
func unnumbered(field string) string {
	if open, end := strings.IndexByte(field, '['), strings.IndexByte(field, ']'); open >= 0 && end > open {
		return field[:open] + field[end+1:]
	}
	return field
}

// legalForm is the number of letters of a legal form.
const legalForm = 6

// same reports whether a value is one of those wanted, which bars separate. After a tilde it is enough that the value
// contains the text, as the description of goods contains their name. After a circumflex a legal form may follow.
func same(got, want string) bool {
	for one := range strings.SplitSeq(want, "|") {
		name, contained := strings.CutPrefix(one, "~")
		company, begins := strings.CutPrefix(one, "^")
		switch {
		case strings.EqualFold(got, one), contained && strings.Contains(letters(got), letters(name)):
			return true
		case begins && strings.HasPrefix(letters(got), letters(company)) && len(letters(got)) <= len(letters(company))+legalForm:
			return true
		}
	}
	return false
}
