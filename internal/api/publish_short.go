package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// examplePath is where the examples of the short document are.
const examplePath = "/api/docs/examples/"

// shortNote tells readers of the short document what it leaves to the whole one.
const shortNote = "\n\nThis is the short form for programs: the same operations and schemas, with the beginning of each description, and with examples " +
	"at the address in `externalValue`. GET /api/docs/openapi.json is the whole document, with all texts and the examples in their places.\n"

// shortener makes the short form of a published document, which is sent much faster. What programs rely on stays as it is.
type shortener struct {
	examples map[string]encoded // by name
}

// shorten shortens a published document and returns the examples that it refers to then.
func shorten(api *huma.OpenAPI) map[string]encoded {
	s := &shortener{map[string]encoded{}}
	info := *api.Info
	info.Description = shortIntroduction(info.Description) + shortNote
	api.Info = &info
	for _, item := range api.Paths {
		for _, op := range operationsOf(item) {
			op.Description = op.Summary
		}
	}
	eachOperation(api, s.operation)
	s.responses("", api.Components.Responses)
	for _, p := range slices.Concat(inOrder(api.Components.Parameters), inOrder(api.Components.Headers)) {
		s.param(p)
	}
	for _, schema := range api.Components.Schemas.Map() {
		s.schema(schema)
	}
	return s.examples
}

// shortIntroduction returns what an introduction says first, which is what the service is and how a client signs in, and last,
// which is what may change.
func shortIntroduction(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	return strings.Join(append(paragraphs[:2:2], paragraphs[len(paragraphs)-1]), "\n\n")
}

func (s *shortener) operation(op *huma.Operation) {
	for _, p := range op.Parameters {
		s.param(p)
	}
	if op.RequestBody != nil {
		op.RequestBody.Description = beginning(op.RequestBody.Description)
		s.content(op.OperationID+"-request", op.RequestBody.Content)
	}
	s.responses(op.OperationID+"-", op.Responses)
}

func (s *shortener) responses(prefix string, all map[string]*huma.Response) {
	for name, r := range all {
		r.Description = beginning(r.Description)
		s.content(prefix+name, r.Content)
		for _, header := range r.Headers {
			s.param(header)
		}
	}
}

func (s *shortener) param(p *huma.Param) {
	p.Description = beginning(p.Description)
	s.schema(p.Schema)
}

// content moves the examples of bodies out of the document.
func (s *shortener) content(name string, all map[string]*huma.MediaType) {
	for media, body := range all {
		s.schema(body.Schema)
		if body.Example != nil {
			body.Examples = map[string]*huma.Example{"recorded": s.outside(name, media, body.Example)}
			body.Example = nil
			continue
		}
		for code, example := range body.Examples {
			body.Examples[code] = s.outside(name+"-"+code, media, example.Value)
		}
	}
}

// outside keeps an example and returns a reference to it. A text of another media type is kept as it is, anything else as JSON.
func (s *shortener) outside(name, media string, value any) *huma.Example {
	text, isText := value.(string)
	plain, ending := []byte(text), ".txt"
	if !isText {
		plain, _ = json.Marshal(value) // it is part of the document, which can be encoded
		media, ending = jsonType, ".json"
	}
	name += ending
	s.examples[name] = encode(exampleMedia(media), plain)
	return &huma.Example{ExternalValue: examplePath + name}
}

// exampleMedia returns the media type with which an example is sent. Only JSON has its own, so that a browser shows the others
// and runs nothing in them.
func exampleMedia(media string) string {
	if media == jsonType {
		return jsonType
	}
	return "text/plain; charset=utf-8"
}

// schema shortens the descriptions of a schema and of all within it.
func (s *shortener) schema(of *huma.Schema) {
	if of == nil {
		return
	}
	of.Description = beginning(of.Description)
	s.schema(of.Items)
	for _, member := range slices.Concat(slices.Collect(maps.Values(of.Properties)), of.AnyOf, of.OneOf) {
		s.schema(member)
	}
	if others, ok := of.AdditionalProperties.(*huma.Schema); ok {
		s.schema(others)
	}
}

// beginning returns what a description says first: its first sentence, without what only explains it.
func beginning(text string) string { return mainClause(firstSentence(text)) }

// firstSentence returns the first sentence of a description, up to a semicolon. A new one begins with a capital letter.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "; ")
	for at := 0; ; at += len(". ") {
		end := strings.Index(text[at:], ". ")
		if end < 0 {
			return text
		}
		at += end
		if rest := text[at+len(". "):]; rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return text[:at]
		}
	}
}

// explanations begin what explains a sentence. Units and lists of what is meant begin otherwise.
var explanations = []string{
	": ", ", which ", ", if ", ", as ", ", such as ", ", so that ", ", because ", ", where ", ", when ", ", unless ", ", with ", ", for ", ", by ", " (DE ",
	", the same ", ", instead of ", ", then ", ", otherwise ", ", oldest first", ", newest first", ", used ", ", counted ", ", separated ",
	", at ", ", in the ", ", in which ", ", in order ", ", in a ", ", in its ", ", from ", ", even ", ", that is ", ", whether ", ", whose ",
	", whatever ", ", while ", ", under ", ", after ", ", before ", ", until ", ", without ", ", also ", ", not ", ", but ",
}

// leastMain is the length that a sentence has at least before an explanation.
const leastMain = 12

// mainClause returns a sentence without its explanations. Parentheses stay whole.
func mainClause(sentence string) string {
	end := len(sentence)
	for _, begin := range explanations {
		at := strings.Index(sentence, begin)
		if at >= leastMain && strings.Count(sentence[:at], "(") == strings.Count(sentence[:at], ")") {
			end = min(end, at)
		}
	}
	return sentence[:end]
}
