// Package help shows the guide for the compliance team, with a search over its sections. The text is that of docs/guide.md.
package help

import (
	"embed"
	"html/template"
	"regexp"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/docs"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

//go:embed pages assets
var files embed.FS

// Path is the page with the guide.
const Path = "/help"

// Limits of a search.
const (
	maxText    = 200 // bytes
	maxSnippet = 220 // characters of a section around the first word
)

// Area returns the area's route and page.
func Area() page.Area {
	return page.Area{
		Name: "help", Pages: files, Assets: files, Routes: []page.Route{page.Get(Path, page.ForEveryone, show)},
		Actions: []page.Action{{Path: Path, Name: "Help: the guide", For: page.ForViewer}},
	}
}

// guide returns the sections of the guide.
var guide = sync.OnceValue(func() []section { return sections(docs.Guide) })

// helpView is the data of the page.
type helpView struct {
	Text     string // that is searched
	Found    []foundSection
	Sections []section
}

type foundSection struct {
	ID, Title string
	Snippet   template.HTML
}

func show(c *page.Context) error {
	text := strings.TrimSpace(c.R.URL.Query().Get("q"))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return c.Show("help", "Help", helpView{Text: text, Found: find(text), Sections: guide()})
}

// find returns the sections that contain every word of a text, those with a word in their title first.
func find(text string) (found []foundSection) {
	words := wordsOf(text)
	if len(words) == 0 {
		return nil
	}
	var others []foundSection
	for _, s := range guide() {
		title, whole := strings.ToLower(s.Title), strings.ToLower(s.Title+" "+s.text)
		contains, named := true, false
		for _, word := range words {
			contains = contains && strings.Contains(whole, word)
			named = named || strings.Contains(title, word)
		}
		switch hit := (foundSection{s.ID, s.Title, snippet(s.text, words)}); {
		case contains && named:
			found = append(found, hit)
		case contains:
			others = append(others, hit)
		}
	}
	return append(found, others...)
}

// wordsOf returns the words of a text in small letters, without an s at the end, so that “rejections” finds “rejection”.
func wordsOf(text string) (words []string) {
	const shortest = 4 // letters from which on the s is cut off
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if len(word) >= shortest {
			word = strings.TrimSuffix(word, "s")
		}
		words = append(words, word)
	}
	return words
}

// snippet returns the part of a text around the first word, with the words marked.
func snippet(text string, words []string) template.HTML {
	at := max(strings.Index(strings.ToLower(text), words[0]), 0)
	from := strings.LastIndex(text[:min(at, len(text))], ". ") + 1
	shown := []rune(strings.TrimSpace(text[from:]))
	end := ""
	if len(shown) > maxSnippet {
		shown, end = shown[:maxSnippet], "…"
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(template.HTMLEscapeString(word))
	}
	marked := regexp.MustCompile(`(?i)(`+strings.Join(quoted, "|")+`)`).ReplaceAllString(template.HTMLEscapeString(string(shown)), "<mark>$1</mark>")
	return template.HTML(marked + end) // #nosec G203 -- the text is escaped
}
