package help

import (
	"html"
	"html/template"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// section is a part of the guide under one heading.
type section struct {
	ID, Title string
	Level     int // of the heading, from 2; 1 for the beginning of the guide
	HTML      template.HTML
	text      string // without markup, for the search
}

// headingLine matches a heading of the guide.
var headingLine = lazyregexp.New(`^(#{1,4}) (.+)$`)

// sections splits a document into its sections, in order.
func sections(markdown string) (all []section) {
	var lines []string
	add := func() {
		if len(all) > 0 {
			last := &all[len(all)-1]
			blocks := blocksOf(lines)
			last.HTML, last.text = template.HTML(render(blocks)), plain(strings.Join(lines, " ")) // #nosec G203 -- the document is part of the program, and its text is escaped
		}
		lines = nil
	}
	for line := range strings.SplitSeq(markdown, "\n") {
		if m := headingLine.FindStringSubmatch(line); m != nil {
			add()
			all = append(all, section{ID: slug(m[2]), Title: plain(m[2]), Level: len(m[1])})
			continue
		}
		lines = append(lines, line)
	}
	add()
	return all
}

// slug returns the anchor of a heading, as on GitHub.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-':
			return r
		}
		return -1
	}, strings.ToLower(plain(title)))
}

// blocksOf groups lines into paragraphs, lists and tables, which blank lines separate.
func blocksOf(lines []string) (blocks [][]string) {
	var block []string
	for _, line := range append(lines, "") {
		if strings.TrimSpace(line) != "" {
			block = append(block, line)
			continue
		}
		if block != nil {
			blocks, block = append(blocks, block), nil
		}
	}
	return blocks
}

// render returns blocks as HTML. Pictures are left out.
func render(blocks [][]string) string {
	var out strings.Builder
	for _, block := range blocks {
		switch first := block[0]; {
		case strings.HasPrefix(first, "!["):
		case strings.HasPrefix(first, "|"):
			renderTable(&out, block)
		case strings.HasPrefix(first, "- "):
			out.WriteString("<ul>")
			for _, item := range items(block) {
				out.WriteString("<li>" + inline(item) + "</li>")
			}
			out.WriteString("</ul>")
		case strings.HasPrefix(first, "    "):
			out.WriteString("<pre class=\"code\">" + html.EscapeString(strings.Join(block, "\n")) + "</pre>")
		default:
			out.WriteString("<p>" + inline(strings.Join(block, " ")) + "</p>")
		}
	}
	return out.String()
}

// items joins the lines of each item of a list.
func items(block []string) (all []string) {
	for _, line := range block {
		if text, begins := strings.CutPrefix(line, "- "); begins {
			all = append(all, text)
		} else if len(all) > 0 {
			all[len(all)-1] += " " + strings.TrimSpace(line)
		}
	}
	return all
}

// renderTable renders a table whose second line separates the heading.
func renderTable(out *strings.Builder, block []string) {
	out.WriteString(`<table class="list"><thead>`)
	for i, line := range block {
		if i == 1 {
			out.WriteString("</thead><tbody>")
			continue
		}
		cell, attribute := "td", ""
		if i == 0 {
			cell, attribute = "th", ` scope="col"`
		}
		out.WriteString("<tr>")
		for text := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
			out.WriteString("<" + cell + attribute + ">" + inline(strings.TrimSpace(text)) + "</" + cell + ">")
		}
		out.WriteString("</tr>")
	}
	out.WriteString("</tbody></table>")
}

var (
	boldMarks   = lazyregexp.New(`\*\*([^*]+)\*\*`)
	italicMarks = lazyregexp.New(`\*([^*]+)\*`)
	codeMarks   = lazyregexp.New("`([^`]+)`")
	links       = lazyregexp.New(`\[([^\]]+)\]\(([^)]+)\)`)
	pictures    = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)`)
)

// inline renders marks within a paragraph. Links to other documents become plain text, because the service does not show those.
func inline(text string) string {
	text = html.EscapeString(text)
	text = codeMarks.ReplaceAllString(text, `<code class="code">$1</code>`)
	text = boldMarks.ReplaceAllString(text, "<strong>$1</strong>")
	text = italicMarks.ReplaceAllString(text, "<em>$1</em>")
	return links.ReplaceAllStringFunc(text, func(link string) string {
		m := links.FindStringSubmatch(link)
		if strings.HasPrefix(m[2], "#") || strings.HasPrefix(m[2], "https://") {
			return `<a href="` + m[2] + `">` + m[1] + "</a>"
		}
		return m[1]
	})
}

// plain returns a text without marks.
func plain(text string) string {
	text = links.ReplaceAllString(pictures.ReplaceAllString(text, ""), "$1")
	return strings.Join(strings.Fields(strings.NewReplacer("**", "", "*", "", "`", "", "|", " ").Replace(text)), " ")
}
