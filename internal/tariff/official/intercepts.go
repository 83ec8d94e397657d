package official

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// intercept is advice for searches with certain words.
type intercept struct {
	Title   string `yaml:":title"`
	Message string `yaml:":message"`
}

// codeInAdvice matches a code in advice.
var codeInAdvice = lazyregexp.New(`(?i)\b(?:heading|subheading|commodity|code)s? ([0-9]{4}(?:[0-9]{2}){0,3})\b`)

// readIntercepts keeps the words whose advice leads to one heading, or deeper.
func readIntercepts(text []byte, f *rowErrors) read {
	t := read{kind: Intercepts}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		f.add(0, errShape)
		return t
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		f.add(0, errShape)
		return t
	}
	members := document.Content[0].Content
	for i := 0; i+1 < len(members); i += 2 {
		var in intercept
		err := members[i+1].Decode(&in)
		if err == nil && (in.Title == "" || in.Message == "") {
			err = errShape
		}
		if code := advised(in.Message); err == nil && code != "" {
			err = t.addText(in.Title, code)
		}
		if err != nil && f.add(members[i].Line, err) {
			break
		}
	}
	return t
}

// advised returns the longest common prefix of all codes in the advice; "" if it is shorter
// than a heading.
func advised(message string) string {
	var codes []string
	for _, found := range codeInAdvice.FindAllStringSubmatch(message, -1) {
		codes = append(codes, found[1])
	}
	if codes == nil {
		return ""
	}
	first, last := slices.Min(codes), slices.Max(codes)
	n := 0
	for n+2 <= len(first) && strings.HasPrefix(last, first[:n+2]) {
		n += 2
	}
	if n < 4 {
		return ""
	}
	return first[:n]
}
