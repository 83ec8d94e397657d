package page

import (
	"net/url"
	"sort"
	"strings"
)

// SavedField is a field of a form that is saved while the user signs in.
type SavedField struct{ Name, Value string }

// Limits of a saved form.
const (
	savedPrefix  = "kept."
	maxSavedForm = 64 << 10 // bytes of names and values
)

// formToSave returns the submitted form without secrets; nil if it is larger than maxSavedForm.
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

// SavedForm returns the form that was saved in hidden fields of the sign-in page.
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

// Local returns next if it is a path of this console, and otherwise the path of the home page.
func Local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}
