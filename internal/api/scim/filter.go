package scim

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// maxFilter is the maximum length of a filter in bytes.
const maxFilter = 1000

var (
	condition  = lazyregexp.New(`(?i)^\s*([a-z][a-z0-9.:]*)(?:\[[^\]]*\])?(?:\.([a-z]+))?\s+(eq|ne|co|sw|ew|pr)(?:\s+("(?:[^"\\]|\\.)*"|true|false|null))?\s*$`)
	andPattern = lazyregexp.New(`(?i)\s+and\s+`)
	quoted     = lazyregexp.New(`"(?:[^"\\]|\\.)*"`)
)

// parseFilter parses conditions joined with "and" (RFC 7644, section 3.4.2.2). It rejects "or", "not"
// and grouping.
func parseFilter(text string) (func(map[string]any) bool, error) {
	if text == "" {
		return func(map[string]any) bool { return true }, nil
	}
	if len(text) > maxFilter {
		return nil, badFilter(text[:60])
	}
	var all []func(map[string]any) bool
	for _, part := range splitAnd(text) {
		m := condition.FindStringSubmatch(part)
		if m == nil || (m[4] == "") != strings.EqualFold(m[3], "pr") {
			return nil, badFilter(text)
		}
		name, op := strings.TrimPrefix(m[1], userSchema+":"), strings.ToLower(m[3])
		if m[2] != "" {
			name += "." + m[2]
		}
		wanted := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.Trim(m[4], `"`))
		all = append(all, func(resource map[string]any) bool { return matches(values(resource, name), op, wanted) })
	}
	return func(resource map[string]any) bool {
		for _, one := range all {
			if !one(resource) {
				return false
			}
		}
		return true
	}, nil
}

// splitAnd splits a filter at each "and" outside of quotation marks.
func splitAnd(text string) (parts []string) {
	masked := quoted.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("x", len(s)) })
	from := 0
	for _, at := range andPattern.FindAllStringIndex(masked, -1) {
		parts = append(parts, text[from:at[0]])
		from = at[1]
	}
	return append(parts, text[from:])
}

func badFilter(text string) error {
	return scim.NewError(http.StatusBadRequest, "invalidFilter", fmt.Sprintf("The filter %q is not supported. Use conditions such as userName eq \"a@example.com\", joined with and.", text))
}

// values returns the texts at a path; "emails" stands for emails.value.
func values(in any, path string) []string {
	first, rest, _ := strings.Cut(path, ".")
	switch v := in.(type) {
	case map[string]any:
		for name, value := range v {
			if strings.EqualFold(name, first) {
				return values(value, rest)
			}
		}
		return nil
	case []map[string]any:
		if path == "" {
			path = "value"
		}
		var all []string
		for _, one := range v {
			all = append(all, values(one, path)...)
		}
		return all
	}
	if path != "" || in == nil {
		return nil
	}
	return []string{fmt.Sprint(in)}
}

// matches reports whether a condition is true. It ignores case, as for userName and displayName (RFC
// 7643, section 4.1.1).
func matches(all []string, op, wanted string) bool {
	wanted = strings.ToLower(wanted)
	for _, one := range all {
		one = strings.ToLower(one)
		switch {
		case op == "pr" && one != "", op == "eq" && one == wanted, op == "co" && strings.Contains(one, wanted),
			op == "sw" && strings.HasPrefix(one, wanted), op == "ew" && strings.HasSuffix(one, wanted):
			return true
		case op == "ne" && one == wanted:
			return false
		}
	}
	return op == "ne"
}
