package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Merged is a finding that one or several entries of a list have, such as the items of a declaration.
type Merged struct {
	Finding       // of the first entry
	Others  []int // numbers of the other entries with the same finding, from 1, ascending
}

// Merge puts findings together that say the same of several entries of a list, each at the place of its first.
func Merge(findings []Finding) []Merged {
	merged := make([]Merged, 0, len(findings))
	numbers := make([][]int, 0, len(findings)) // of the entries, for each merged finding
	at := map[Said]int{}
	for _, f := range findings {
		key, number := withoutNumber(f)
		i, known := at[key]
		if !known {
			i = len(merged)
			at[key] = i
			merged, numbers = append(merged, Merged{Finding: f}), append(numbers, nil)
		}
		if number == 0 {
			continue
		}
		if known && number < slices.Min(numbers[i]) {
			merged[i].Finding = f
		}
		numbers[i] = append(numbers[i], number)
	}
	for i := range merged {
		slices.Sort(numbers[i])
		if entries := slices.Compact(numbers[i]); len(entries) > 1 {
			merged[i].Others = entries[1:]
		}
	}
	return merged
}

// Said is what a finding or a remark says, without the number of its entry of a list. It is equal for those that Merge puts together.
type Said struct {
	code, field, message, suggestion, source, value, customsCode string
	severity                                                     Severity
}

func saidBy(f Finding) Said {
	return Said{f.Code, f.Field, f.Message, f.Suggestion, f.Source, f.Value, f.CustomsCode, f.Severity}
}

// Said returns what a remark of a rule says.
func (m Remark) Said() Said {
	said, _ := withoutNumber(Finding{
		Code: m.Code, Severity: m.Severity, Field: m.Field, Message: m.Message, Suggestion: m.Suggestion, Source: m.Source, Value: m.Value, CustomsCode: m.CustomsCode,
	})
	return said
}

// withoutNumber returns what a finding says without the number of the entry that it is about, and the number; 0 if it is about no
// entry.
func withoutNumber(f Finding) (Said, int) {
	list, index, rest, ok := cutEntry(f.Field)
	if !ok {
		return saidBy(f), 0
	}
	f.Field = list + "[]" + rest
	f.Message, f.Suggestion = numbersLeftOut(f.Message, list, index+1), numbersLeftOut(f.Suggestion, list, index+1)
	return saidBy(f), index + 1
}

// cutEntry splits a path such as items[2].description into the list, the index and the rest. It returns false for a path that does
// not begin with an entry of a list.
func cutEntry(field string) (list string, index int, rest string, ok bool) {
	list, rest, ok = strings.Cut(field, "[")
	digits, rest, closed := strings.Cut(rest, "]")
	index, err := strconv.Atoi(digits)
	if !ok || !closed || err != nil || index < 0 || list == "" || strings.Contains(list, ".") {
		return "", 0, "", false
	}
	return list, index, rest, true
}

// numbersLeftOut replaces the number of an entry of a list in a text, such as item 3 for the list items.
func numbersLeftOut(text, list string, number int) string {
	if !strings.Contains(text, strconv.Itoa(number)) {
		return text // as most texts
	}
	for _, noun := range []string{"item", strings.TrimSuffix(list, "s"), "line", "entry"} {
		text = withoutOrdinal(text, noun+" "+strconv.Itoa(number))
		text = withoutOrdinal(text, strings.ToUpper(noun[:1])+noun[1:]+" "+strconv.Itoa(number))
	}
	return text
}

// withoutOrdinal replaces the number at the end of phrase, wherever no further digit follows.
func withoutOrdinal(text, phrase string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, phrase)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		noun, _, _ := strings.Cut(phrase, " ")
		if after != "" && after[0] >= '0' && after[0] <= '9' {
			noun = phrase
		}
		out.WriteString(noun)
		text = after
	}
}

// Joined returns the review with one finding for what several entries of a list have. It names all their fields, and its message all
// their numbers. The score and the summary still count each.
func (r Review) Joined() Review {
	merged := Merge(r.Findings)
	r.Findings = make([]Finding, len(merged))
	for i, m := range merged {
		r.Findings[i] = m.joined()
	}
	return r
}

func (m Merged) joined() Finding {
	list, index, rest, ok := cutEntry(m.Field)
	if m.Others == nil || !ok {
		return m.Finding
	}
	numbers := append([]int{index + 1}, m.Others...)
	f := m.Finding
	for _, n := range numbers {
		f.Fields = append(f.Fields, list+"["+strconv.Itoa(n-1)+"]"+rest)
	}
	f.Message += " It concerns " + m.noun() + " " + NumbersInWords(numbers) + "."
	return f
}

// noun is what the entries of the list are called.
func (m Merged) noun() string {
	if strings.HasPrefix(m.Field, "items[") {
		return "items"
	}
	return "entries"
}

// Also names the other entries in words: "Also items 2, 3 and 5 to 9"; empty if there are none.
func (m Merged) Also() string {
	noun := m.noun()
	switch len(m.Others) {
	case 0:
		return ""
	case 1:
		noun = strings.TrimSuffix(strings.Replace(noun, "ies", "y", 1), "s")
	}
	return "Also " + noun + " " + NumbersInWords(m.Others)
}

// maxRanges is the number of ranges that NumbersInWords lists.
const maxRanges = 12

// NumbersInWords returns ascending numbers in words, such as 2, 3 and 5 to 9.
func NumbersInWords(numbers []int) string {
	var words []string
	for from := 0; from < len(numbers); {
		end := from
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		text := strconv.Itoa(numbers[from])
		if end > from+1 {
			text += " to " + strconv.Itoa(numbers[end])
		} else {
			end = from
		}
		words, from = append(words, text), end+1
		if len(words) == maxRanges && from < len(numbers) {
			return fmt.Sprintf("%s and %d more", strings.Join(words, ", "), len(numbers)-from)
		}
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
