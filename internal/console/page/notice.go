package page

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Limits of the names in a notice. They come from the URL, so they are shown only if they look like names.
const (
	maxNoticeNames = 5
	maxNoticeName  = 60 // characters
)

// namesInNotice is the place of the names in a notice.
const namesInNotice = "{names}"

// notice returns the notice that a query asks for: the text of its key, with the query's names.
func (c *Context) notice() string {
	query := c.R.URL.Query()
	text := c.notices[query.Get("done")]
	if !strings.Contains(text, namesInNotice) {
		return text
	}
	names := slices.DeleteFunc(query["name"], func(name string) bool { return !isNoticeName(name) })
	if len(names) == 0 {
		return strings.ReplaceAll(text, namesInNotice, "as written after @")
	}
	return strings.ReplaceAll(text, namesInNotice, "“"+strings.Join(names[:min(len(names), maxNoticeNames)], "” or “")+"”")
}

func isNoticeName(name string) bool {
	return name != "" && len([]rune(name)) <= maxNoticeName && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .-_+'’@", r)
	})
}

// NoticeNames returns the part of a query that gives names to a notice with {names}; empty for no names.
func NoticeNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "&" + url.Values{"name": names[:min(len(names), maxNoticeNames)]}.Encode()
}
