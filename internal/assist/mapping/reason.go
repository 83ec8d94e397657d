package mapping

import "fmt"

// reason says in one or two sentences why a field was guessed.
func (m *match) reason() string {
	header := m.header.reason()
	values := m.values.reason(m.header.points > 0)
	switch {
	case header == "":
		return values
	case values == "":
		return header
	}
	return header + " " + values
}

func (s headerMatch) reason() string {
	in := ""
	if s.language != "en" {
		in = " in " + languages[s.language]
	}
	switch s.way {
	case plainly:
		return fmt.Sprintf("The header says “%s”%s.", s.phrase, in)
	case nearly:
		return fmt.Sprintf("The header is nearly “%s”%s.", s.phrase, in)
	case shortened:
		return fmt.Sprintf("The header is short for “%s”%s.", s.phrase, in)
	case lettersOut:
		return fmt.Sprintf("The header may be short for “%s”%s.", s.phrase, in)
	case partly:
		return fmt.Sprintf("The header mentions “%s”%s.", s.phrase, in)
	}
	return ""
}

func (s valueEvidence) reason(headed bool) string {
	switch {
	case s.kind == confirms && headed:
		return fmt.Sprintf("%d %% of the values fit.", s.share)
	case s.kind == confirms:
		return fmt.Sprintf("The header does not name it, but %d %% of the values fit.", s.share)
	case s.kind == denies:
		return "The values do not fit; please check."
	case s.kind == names:
		return "The values are names of countries; an import needs codes of two letters, such as GB."
	case s.kind == onlyWords:
		return "It is the first column of words, and no other column looks like the name; please check."
	}
	return ""
}

// unassignedReason says why no field was guessed for a column.
func unassignedReason(column int, r *reading, matches []match) string {
	for _, m := range matches {
		if m.column == column {
			return fmt.Sprintf("Another column is more likely the %s.", fields[m.field])
		}
	}
	if r.header.notClient {
		return "The header does not name a field of a client."
	}
	return "Neither the header nor the values belong to a field of a client."
}
