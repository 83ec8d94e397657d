package page

import (
	"net/url"
	"sort"
	"strings"
)

// Kept is a field of a form that was sent without a session.
type SavedField struct{ Name, Value string }

// Limits of what is carried through the door.
const (
	savedPrefix  = "kept."
	maxSavedForm = 64 << 10
)

// kept is the form that was sent, without secrets.
func (c *Context) formToSave() (kept []SavedField) {
	size := 0
	for name, values := range c.R.PostForm {
		if strings.Contains(name, "password") || name == "current" || name == "secret" {
			continue
		}
		for _, value := range values {
			if size += len(name) + len(value); size > maxSavedForm {
				return nil
			}
			kept = append(kept, SavedField{name, value})
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Name < kept[j].Name })
	return kept
}

// Carried is the form that came through the door.
func (c *Context) SavedForm() (kept []SavedField) {
	for name, values := range c.R.PostForm {
		if field, ok := strings.CutPrefix(name, savedPrefix); ok {
			for _, value := range values {
				kept = append(kept, SavedField{field, value})
			}
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].Name < kept[j].Name })
	return kept
}

// Local is a path of this console, and the front page for anything else.
func Local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}
