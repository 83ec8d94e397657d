package origin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kinds of documents.
const (
	KindSchemes = "schemes" // the list of schemes of a service
	KindRules   = "rules"   // the rule sets of a scheme
	KindArticle = "article"
	KindProof   = "proof"
	KindNote    = "note" // introductory notes
)

// Document is a published file, reduced to what is used. Service, Kind, Scheme and Name identify it.
type Document struct {
	Service string `json:"service"`
	Kind    string `json:"kind"`
	Scheme  string `json:"scheme,omitempty"`
	Name    string `json:"name,omitempty"`
	Text    string `json:"text"`
}

func (d *Document) key() string { return d.Service + " " + d.Kind + " " + d.Scheme + " " + d.Name }

// title names a document in messages.
func (d *Document) title() string {
	return strings.Join(slices.DeleteFunc([]string{d.Service, d.Kind, d.Scheme, d.Name}, func(s string) bool { return s == "" }), " ")
}

// Limits of a file.
const maxDocument = 8 << 20

var (
	errService = errors.New("does not say for which service it is. Give --service uk or --service xi")
	errUnknown = errors.New("is not a list of schemes, rule sets, or an article of a scheme")
	errLong    = fmt.Errorf("is longer than %d MB", maxDocument>>20)
	errNotUTF8 = errors.New("is not UTF-8")
	errHolds   = errors.New("holds nothing")
)

// Recognise reports whether a file is one of this package's by its path and first bytes.
func Recognise(name string, content []byte) bool {
	if _, _, _, ok := markdownPlace(name); ok {
		return true
	}
	if isTable(name, content) {
		return true
	}
	start := content[:min(len(content), 4096)]
	return rulesStart.Match(start) || schemesStart.Match(start) && bytes.Contains(content[:min(len(content), 1<<20)], []byte(`"scheme_code"`))
}

var (
	rulesStart   = regexp.MustCompile(`^(?:\x{FEFF})?\s*\{\s*"rule_sets"\s*:`)
	schemesStart = regexp.MustCompile(`^(?:\x{FEFF})?\s*\{\s*"(?:scope|schemes|links)"\s*:`)
	schemeName   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{1,39}$`)
)

// markdownPlace reads kind, scheme and name of a text from its path: …/articles/canada/tolerances.md,
// …/proofs/canada/origin-declaration.md, …/introductory_notes/canada_intro.md.
func markdownPlace(name string) (kind, scheme, article string, ok bool) {
	parts := strings.Split(strings.TrimSuffix(path.Clean(strings.ReplaceAll(name, `\`, "/")), ".md"), "/")
	if !strings.HasSuffix(name, ".md") || len(parts) < 2 {
		return "", "", "", false
	}
	last, folder := parts[len(parts)-1], parts[len(parts)-2]
	if before, found := strings.CutSuffix(last, "_intro"); found && folder == "introductory_notes" {
		return KindNote, strings.ReplaceAll(before, "_", "-"), "", true
	}
	if len(parts) < 3 || folder == "common" {
		return "", "", "", false
	}
	switch parts[len(parts)-3] {
	case "articles":
		return KindArticle, folder, last, true
	case "proofs":
		return KindProof, folder, last, true
	}
	return "", "", "", false
}

// ReadDocument reads a published file. service is used if neither path nor content name one.
func ReadDocument(name string, content []byte, service string) (Document, error) {
	if len(content) > maxDocument {
		return Document{}, errLong
	}
	if !utf8.Valid(content) {
		return Document{}, errNotUTF8
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	d := Document{Service: serviceOf(name, service)}
	var err error
	var place bool
	if d.Kind, d.Scheme, d.Name, place = markdownPlace(name); place {
		d.Text = strings.TrimSpace(string(content))
	} else if rulesStart.Match(content) {
		d.Kind, d.Scheme = KindRules, strings.TrimSuffix(path.Base(name), ".json")
		d.Text, err = compactRules(content)
	} else if isTable(name, content) {
		d.Kind, d.Scheme = KindRules, tableScheme(name)
		var sets []byte
		if sets, err = tableRules(content); err == nil {
			d.Text, err = compactRules(sets)
		}
	} else if schemesStart.Match(content) {
		d.Kind = KindSchemes
		d.Text, err = compactSchemes(content, &d.Service)
	} else {
		return d, errUnknown
	}
	switch {
	case err != nil:
		return d, err
	case d.Service == "":
		return d, errService
	case d.Kind != KindSchemes && !schemeName.MatchString(d.Scheme):
		return d, fmt.Errorf("%q is not the code of a scheme", d.Scheme)
	}
	return d, nil
}

var serviceInPath = regexp.MustCompile(`(?:^|[^a-z])(uk|xi)(?:[^a-z]|$)`)

// serviceOf returns the service that the operator gave, or the last one that the path names.
func serviceOf(name, given string) string {
	if given != "" {
		return given
	}
	all := serviceInPath.FindAllStringSubmatch(strings.ToLower(name), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// publishedScheme is what is used of an entry of the list of schemes.
type publishedScheme struct {
	Code       string   `json:"scheme_code"`
	Title      string   `json:"title"`
	From       string   `json:"validity_start_date,omitempty"`
	To         string   `json:"validity_end_date,omitempty"`
	Unilateral bool     `json:"unilateral,omitempty"`
	Countries  []string `json:"countries"`
	Cumulation map[string]struct {
		Countries []string `json:"countries"`
	} `json:"cumulation_methods,omitempty"`
	Proofs []publishedProof `json:"proofs,omitempty"`
}

type publishedProof struct {
	Summary string `json:"summary"`
	Subtext string `json:"subtext,omitempty"`
	Class   string `json:"proof_class"`
}

// compactSchemes checks a list of schemes and returns what is used of it. The scope that it names is its service.
func compactSchemes(content []byte, service *string) (string, error) {
	var list struct {
		Scope   string            `json:"scope"`
		Schemes []publishedScheme `json:"schemes"`
	}
	if err := json.Unmarshal(content, &list); err != nil {
		return "", jsonError(err)
	}
	if list.Scope == UK || list.Scope == XI {
		*service = list.Scope
	}
	if len(list.Schemes) == 0 {
		return "", errHolds
	}
	for n := range list.Schemes {
		if err := list.Schemes[n].check(); err != nil {
			return "", fmt.Errorf("scheme %d: %w", n+1, err)
		}
	}
	text, err := json.Marshal(list.Schemes)
	return string(text), err
}

var daySign = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

func (s *publishedScheme) check() error {
	switch {
	case !schemeName.MatchString(s.Code):
		return fmt.Errorf("%q is not the code of a scheme", s.Code)
	case len(s.Countries) == 0:
		return fmt.Errorf("%s names no country", s.Code)
	case s.From != "" && !daySign.MatchString(s.From), s.To != "" && !daySign.MatchString(s.To):
		return fmt.Errorf("%s has a date that is not YYYY-MM-DD", s.Code)
	}
	return nil
}

// publishedSet is what is used of a rule set.
type publishedSet struct {
	Heading     string          `json:"heading"`
	Subdivision string          `json:"subdivision,omitempty"`
	Min         string          `json:"min"`
	Max         string          `json:"max"`
	Valid       *bool           `json:"valid,omitempty"`
	Rules       []publishedRule `json:"rules"`
	rows        []int           // see join
}

type publishedRule struct {
	Rule     string  `json:"rule"`
	Operator *string `json:"operator,omitempty"`
	Quota    bool    `json:"quota,omitempty"`
	Import   *bool   `json:"import,omitempty"`
}

var tenDigits = regexp.MustCompile(`^\d{10}$`)

// maxSets and maxRules are about ten times what the largest scheme has.
const (
	maxSets  = 20_000
	maxRules = 100
)

// compactRules checks rule sets and returns what is used of them.
func compactRules(content []byte) (string, error) {
	var list struct {
		Sets []publishedSet `json:"rule_sets"`
	}
	if err := json.Unmarshal(content, &list); err != nil {
		return "", jsonError(err)
	}
	if len(list.Sets) == 0 || len(list.Sets) > maxSets {
		return "", fmt.Errorf("has %d rule sets; 1 to %d are expected", len(list.Sets), maxSets)
	}
	list.Sets = intervals(list.Sets)
	for n, s := range list.Sets {
		switch {
		case !tenDigits.MatchString(s.Min) || !tenDigits.MatchString(s.Max) || s.Max < s.Min:
			return "", fmt.Errorf("rule set %d (%s): min %q and max %q are not an interval of codes of ten digits", n+1, s.Heading, s.Min, s.Max)
		case len(s.Rules) == 0 || len(s.Rules) > maxRules:
			return "", fmt.Errorf("rule set %d (%s) has %d rules; 1 to %d are expected", n+1, s.Heading, len(s.Rules), maxRules)
		}
	}
	text, err := json.Marshal(list.Sets)
	return string(text), err
}

var codeDigits = regexp.MustCompile(`\d+|[-\x{2013}]`)

// intervals completes the intervals of sets that name several headings in one word, such as "4112and4113".
func intervals(sets []publishedSet) (all []publishedSet) {
	for _, s := range sets {
		if tenDigits.MatchString(s.Min) && tenDigits.MatchString(s.Max) {
			all = append(all, s)
			continue
		}
		parts := codeDigits.FindAllString(s.Min, -1)
		for i := 0; i < len(parts); i++ {
			one := s
			one.Min, one.Max = filled(parts[i], "0"), filled(parts[i], "9")
			if i+2 < len(parts) && (parts[i+1] == "-" || parts[i+1] == "\u2013") {
				one.Max = filled(parts[i+2], "9")
				i += 2
			}
			all = append(all, one)
		}
		if len(parts) == 0 {
			all = append(all, s)
		}
	}
	return all
}

// filled extends a code of 2 to 10 digits to ten. Others stay as they are, which check refuses.
func filled(code, digit string) string {
	if len(code) < 2 || len(code) > 10 {
		return code
	}
	return code + strings.Repeat(digit, 10-len(code))
}

// jsonError says where JSON is wrong.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("is not JSON: %w at byte %d", err, syntax.Offset)
	}
	return fmt.Errorf("is not in the published form: %w", err)
}
