package origin

import (
	"html"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// The published texts are Markdown with some HTML, typed by many hands: several hyphens and quotes, "40 %" beside "40%".
// normal reduces them to what the words say.
var (
	htmlBreak  = lazyregexp.New(`<br */?>`)
	htmlTag    = lazyregexp.New(`<[^>]*>`)
	linkText   = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
	exWorks    = lazyregexp.New(`ex ?- ?works?\b`)
	percentage = lazyregexp.New(`(\d) ?(?:%|per ?cent\b)`)
	bullet     = lazyregexp.New(`\n *(?:[-•]|\(?[a-d]\)|\(?i{1,3}\)|\d\.) *`)
	spaces     = lazyregexp.New(`[ \t]+`)
	lineBreaks = lazyregexp.New(` *\n[ \n]*`)
	dotted     = lazyregexp.New(`\b(\d\d)\.(\d\d)\b([^%]|$)`)
	dottedSix  = lazyregexp.New(`\b(\d{4})\.(\d\d)\b([^%]|$)`)
	makingUp   = lazyregexp.New(`\bmaking up\b`)
	brokenWord = lazyregexp.New(`\b(non|man|shrink|making|re|pre)- ([a-z])`)
	listMark   = lazyregexp.New(`\x01[-•]? *(?:\(?[a-d]\)|\(?i{1,3}\)) *`)
)

var sameSigns = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2212", "-", "\u00ad", "",
	"\u2018", "'", "\u2019", "'", "\u201c", `"`, "\u201d", `"`, "\u00a0", " ", "\u202f", " ", "*", "", "\r", "", "_", "",
)

// itemMark stands for the beginning of a list item in normalised text.
const itemMark = "\x01"

// normal returns a text in lower case without markup. Items of lists begin with itemMark; other line breaks are spaces.
func normal(text string) string {
	text = html.UnescapeString(htmlTag.ReplaceAllString(htmlBreak.ReplaceAllString(text, "\n"), ""))
	text = strings.ToLower(sameSigns.Replace(linkText.ReplaceAllString(text, "$1")))
	text = endParagraphs(text)
	text = lineBreaks.ReplaceAllString(spaces.ReplaceAllString(text, " "), "\n")
	text = bullet.ReplaceAllString("\n"+strings.TrimSpace(text), itemMark)
	text = strings.ReplaceAll(strings.ReplaceAll(bareList(text), "\n", " "), "and/or", "and / or")
	text = listMark.ReplaceAllString(text, itemMark)
	text = exWorks.ReplaceAllString(brokenWord.ReplaceAllString(text, "$1-$2"), "ex-works")
	text = makingUp.ReplaceAllString(text, "making-up")
	text = percentage.ReplaceAllString(text, "$1%")
	text = dottedSix.ReplaceAllString(dotted.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

var tokenShape = lazyregexp.New(`[\pL\d][\pL\d]*(?:[-'/.][\pL\d]+)*%?|\x01|[^\s]`)

// tokens splits a normalised text into words, numbers with their percent sign, and signs.
func tokens(text string) []string { return tokenShape.FindAllString(text, -1) }

// plain returns the words of a text for comparison: letters and digits in lower case, separated by spaces.
func plain(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

var codeSigns = lazyregexp.New(`[^A-Z0-9]+`)

// codeOf returns the code of a process that a text names, such as WEAVING.
func codeOf(text string) string {
	return strings.Trim(codeSigns.ReplaceAllString(strings.ToUpper(text), "_"), "_")
}

var (
	bareItems = lazyregexp.New(`:\n[^\x01]*$`)
	bareItem  = lazyregexp.New(`\n(and |or |of which|however|for |see |but )?`)
)

// bareList marks the lines after a colon as items where the publisher lost the signs before them.
func bareList(text string) string {
	at := bareItems.FindStringIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]+1] + bareItem.ReplaceAllStringFunc(text[at[0]+1:], func(line string) string {
		if line == "\n" {
			return itemMark
		}
		return " " + line[1:]
	})
}

var paragraph = lazyregexp.New(`([^\s.,:;]+)[ ]*\n[ ]*\n\s*([\pL]+)`)

// endParagraphs ends paragraphs with a full stop where the publisher has none, unless the next one continues the sentence.
func endParagraphs(text string) string {
	return paragraph.ReplaceAllStringFunc(text, func(match string) string {
		parts := paragraph.FindStringSubmatch(match)
		if parts[1] == "or" || parts[1] == "and" {
			return match
		}
		switch parts[2] {
		case "and", "or", "of", "in", "where", "which", "provided", "from", "but", "to":
			return match
		}
		return parts[1] + ".\n" + parts[2]
	})
}
