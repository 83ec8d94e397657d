package explain

import "strings"

// Words for places if CDS gives no pointer.
const (
	something     = "a detail"
	somethingElse = "another detail"
)

// filled inserts the names of the fields into a text.
func (m *explainedError) filled(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	first, second := something, somethingElse
	if len(m.places) > 0 {
		first = m.places[0].withArticle()
	}
	if len(m.places) > 1 {
		second = m.places[1].withArticle()
	}
	return strings.NewReplacer(
		"{field}", first, "{Field}", capital(first), "{other}", second, "{Other}", capital(second),
	).Replace(text)
}

// goodsItem is a name that a number may follow.
const goodsItem = "item"

// withArticle returns the name of the place with its article.
func (s *place) withArticle() string {
	switch {
	case s.at == nil:
		return "“" + s.FieldName + "”"
	case s.name == goodsItem && s.FieldName != goodsItem:
		return s.FieldName // item 2
	}
	return "the " + s.FieldName
}

// values says which values the fields have. It does not call a field empty if the error is
// that it is missing.
func (m *explainedError) values() string {
	var parts []string
	for i := range m.places {
		s := &m.places[i]
		switch {
		case s.Value != nil && *s.Value != "":
			parts = append(parts, capital(s.withArticle())+" is “"+*s.Value+"” at present.")
		case s.readable && m.aspect() != missing:
			parts = append(parts, capital(s.withArticle())+" is empty at present.")
		}
	}
	return strings.Join(parts, " ")
}

// about returns one of the sentences about a field; it names the field in those that begin
// with "It".
func (s *place) about(a aspect) string {
	text := s.sentence(a)
	for _, pronoun := range []string{"It ", "They "} {
		if rest, found := strings.CutPrefix(text, pronoun); found {
			return "The " + s.name + " " + rest
		}
	}
	return text
}

// sentence returns one of the sentences about a field as written.
func (s *place) sentence(a aspect) string {
	if s.known == nil {
		return ""
	}
	text := map[aspect]string{definition: s.known.definition, format: s.known.format, list: s.known.list, missing: s.known.where}[a]
	if text == "" && a == list {
		text = s.known.format
	}
	return text
}
