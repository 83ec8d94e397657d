package emcs

import (
	"fmt"
	"strings"
	"time"
)

// Samples returns the smallest and the largest message of each kind in each version. Lists of the largest have at most three entries.
func Samples() (all []Message) {
	for _, kind := range Kinds() {
		for _, v := range Versions() {
			for _, largest := range []bool{false, true} {
				header := NewHeader("GB", "XI", time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC), fmt.Sprintf("TW-%s", kind))
				m := Message{Kind: kind, Version: v, Header: header, Body: sample(schemas()[kind], v, largest)}
				if largest {
					m.Header.Correlation = "PORTAL1"
				}
				all = append(all, m)
			}
		}
	}
	return all
}

func sample(s *spec, v Version, largest bool) *Element {
	e := &Element{Name: s.name}
	if s.language == requiredLanguage || largest && s.language == optionalLanguage {
		e.Language = "en"
	}
	if !s.isGroup() {
		e.Text = s.form.sample(largest)
		return e
	}
	for _, c := range s.children {
		if !c.in(v) {
			continue
		}
		allowed := c.occurs[v.index()]
		n := allowed.least
		if largest {
			n = min(allowed.most, 3)
		}
		for range n {
			e.Children = append(e.Children, sample(c, v, largest))
		}
	}
	return e
}

func (f form) sample(largest bool) string {
	size := f.least
	if largest {
		size = f.most
	}
	switch f.kind {
	case anyText:
		return strings.Repeat("é", size)
	case digits, fromOne:
		return strings.Repeat("9", max(size, 1))
	case fromZero:
		return map[bool]string{false: "0", true: strings.Repeat("9", size)}[largest]
	case decimal:
		if largest {
			return strings.Repeat("9", f.most-f.places) + "." + strings.Repeat("9", f.places)
		}
		return "0." + strings.Repeat("0", f.places-1) + "1"
	case oneOf:
		return map[bool]string{false: f.codes[0], true: f.codes[len(f.codes)-1]}[largest]
	case base64Form:
		return "aGVsbG8="
	case dateForm:
		return "2028-02-29"
	case timeForm:
		return "23:59:59.123"
	case dateTimeForm:
		return "2028-02-29T23:59:59.123456789"
	}
	for _, text := range []string{"26GB00000000003789214", "GBWK240176600", "GB004098", "GBAA2C3F4244AD10", "D92", "GB", "4401"} {
		if f.accepts(text) {
			return text
		}
	}
	return "?"
}
