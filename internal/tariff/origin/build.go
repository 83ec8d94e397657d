package origin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/tariff/texts"
)

// Status counts what is held for each scheme.
type Status struct {
	Service  string `json:"service"`
	Scheme   string `json:"scheme"`
	Title    string `json:"title"`
	Sets     int    `json:"ruleSets"`
	Rules    int    `json:"rules"`
	Compiled int    `json:"compiled"`
	Articles int    `json:"articles"`
}

// Status returns the schemes with their counts.
func (d *Data) Status() []Status {
	all := []Status{}
	for _, service := range []string{UK, XI} {
		for _, s := range d.schemes[service] {
			rules, compiled := s.Compiled()
			all = append(all, Status{service, s.Code, s.Title, len(s.Sets), rules, compiled, len(s.articles)})
		}
	}
	return all
}

// build makes an edition of documents, whose rules it takes away. Texts that several schemes share are compiled once.
func build(documents []Document) (*Data, error) {
	d := &Data{schemes: map[string][]*Scheme{}, processes: map[string]bool{}}
	c := compiler{made: map[string]*ruleText{}, asShown: map[string]string{}}
	for _, service := range []string{UK, XI} {
		all, err := c.service(service, documents)
		if err != nil {
			return nil, err
		}
		d.schemes[service] = all
	}
	for _, m := range c.made {
		for _, reading := range m.readings {
			for _, all := range reading {
				for _, condition := range all {
					d.addProcesses(condition)
				}
			}
		}
	}
	return d, nil
}

func (d *Data) addProcesses(c Condition) {
	switch c := c.(type) {
	case Process:
		d.processes[c.Code] = true
	case Several:
		d.processes[c.Code] = true
		for _, code := range c.Codes {
			d.processes[code] = true
		}
	}
}

// compiler compiles each text once.
type compiler struct {
	made    map[string]*ruleText
	asShown map[string]string
	texts   texts.Pool
}

// shown caches shown: many schemes have the same subdivisions.
func (c *compiler) shown(text string) string {
	s, ok := c.asShown[text]
	if !ok {
		s = c.texts.Keep(shown(text))
		c.asShown[text] = s
	}
	return s
}

// width returns the number of codes between two codes of ten digits.
func width(from, to string) int64 {
	first, _ := strconv.ParseInt(from, 10, 64)
	last, _ := strconv.ParseInt(to, 10, 64)
	return last - first
}

func (c *compiler) compile(text string) *ruleText {
	m, ok := c.made[text]
	if !ok {
		n := normal(text)
		node, understood := compileNormal(text, n)
		m = &ruleText{Compiled: understood, Text: c.texts.Keep(shown(text)), Notes: notes.MatchString(n), notes: notesOf(n)}
		var fits bool
		if m.readings, fits = clauses(node); !fits {
			m.Compiled, m.readings = false, [][]clause{{{Unread{text}}}}
		}
		c.made[text] = m
	}
	return m
}

// service builds the schemes of a service. Documents of schemes that the list does not name are kept, but not used.
func (c *compiler) service(service string, documents []Document) ([]*Scheme, error) {
	byCode := map[string]*Scheme{}
	for i := range documents {
		d := &documents[i]
		if d.Service != service || d.Kind != KindSchemes {
			continue
		}
		var list []publishedScheme
		if err := json.Unmarshal([]byte(d.Text), &list); err != nil {
			return nil, fmt.Errorf("origin: %s: %w", d.title(), err)
		}
		for n := range list {
			byCode[list[n].Code] = list[n].scheme()
		}
	}
	proofs := map[string]string{}
	for i := range documents {
		d := &documents[i]
		s := byCode[d.Scheme]
		if d.Service != service || s == nil {
			continue
		}
		switch d.Kind {
		case KindArticle:
			s.articles[d.Name] = d.Text
		case KindNote:
			s.freeTrims, s.textiles = freeTrimmings.MatchString(normal(d.Text)), textileNotesOf(d.Text)
		case KindProof:
			proofs[d.Scheme+" "+d.Name] = d.Text
		case KindRules:
			if err := c.rules(s, d); err != nil {
				return nil, err
			}
			d.Text = "" // read: most of the documents are rules, and their text is as large as what is kept of it
		}
	}
	all := slices.SortedFunc(maps.Values(byCode), func(a, b *Scheme) int { return strings.Compare(a.Code, b.Code) })
	for _, s := range all {
		s.finish(proofs)
	}
	return all, nil
}

var freeTrimmings = lazyregexp.New(`materials (?:which are |that are )?not classified (?:within|in) chapters 50 to 63 may be used freely`)

func (p *publishedScheme) scheme() *Scheme {
	s := &Scheme{Code: p.Code, Title: p.Title, From: p.From, To: p.To, Unilateral: p.Unilateral, Countries: p.Countries, articles: map[string]string{}}
	for _, method := range slices.Sorted(maps.Keys(p.Cumulation)) {
		s.Cumulation = append(s.Cumulation, Cumulation{method, p.Cumulation[method].Countries})
	}
	for _, proof := range p.Proofs {
		s.Proofs = append(s.Proofs, Proof{Class: proof.Class, Title: proof.Summary, Wording: proof.Subtext})
	}
	return s
}

// finish derives what depends on all documents of the scheme.
func (s *Scheme) finish(proofs map[string]string) {
	for name, text := range s.articles {
		if len(text) < 40 { // a title without text
			delete(s.articles, name)
		}
	}
	for i := range s.Proofs {
		p := &s.Proofs[i]
		text := strings.TrimSpace(p.Wording + "\n\n" + proofs[s.Code+" "+p.Class])
		p.Limit, p.Wording = limitOf(text), shown(text)
	}
	s.tolerance = toleranceOf(s.articles[sufficientlyMade] + "\n\n" + s.articles[tolerances])
	sorting.Stable(s.Sets, func(a, b RuleSet) int { return cmp.Or(strings.Compare(a.Min, b.Min), strings.Compare(b.Max, a.Max)) })
}

var (
	poundLimit = lazyregexp.New(`£ ?(\d{1,3}(?:,\d{3})+|\d{4,6})`)
	limitWords = lazyregexp.New(`(?i)exceed|more than|less than|value over`)
)

// limitOf returns the value in pounds above which only an approved exporter can make out a declaration; empty if the text
// names none, or several.
func limitOf(text string) string {
	found := ""
	for _, m := range poundLimit.FindAllStringSubmatch(text, -1) {
		amount := strings.ReplaceAll(m[1], ",", "")
		if found != "" && found != amount {
			return ""
		}
		found = amount
	}
	if !limitWords.MatchString(text) {
		return ""
	}
	return found
}

// rules adds the rule sets of a document to a scheme.
func (c *compiler) rules(s *Scheme, d *Document) error {
	var sets []publishedSet
	if err := json.Unmarshal([]byte(d.Text), &sets); err != nil {
		return fmt.Errorf("origin: %s: %w", d.title(), err)
	}
	published := 0
	for n := range sets {
		published += len(sets[n].Rules)
	}
	s.Sets = slices.Grow(s.Sets, len(sets))
	rules := make([]Rule, 0, published) // of all sets, each of which has a part of it
	for n := range sets {
		p := &sets[n]
		if p.Valid != nil && !*p.Valid {
			continue
		}
		set := RuleSet{Heading: c.texts.Keep(p.Heading), Subdivision: c.shown(p.Subdivision), Min: c.texts.Keep(p.Min), Max: c.texts.Keep(p.Max)}
		set.Partial = strings.HasPrefix(strings.ToLower(p.Heading), "ex ")
		set.Special = special.MatchString(p.Subdivision)
		set.words, set.width = c.texts.Keep(plain(cmp.Or(set.Subdivision, set.Heading))), width(p.Min, p.Max)
		p.join()
		from := len(rules)
		for i, r := range p.Rules {
			if r.Import != nil && !*r.Import {
				continue // for exports from the United Kingdom only
			}
			rules = append(rules, Rule{ruleText: c.compile(r.Rule), Quota: r.Quota, Rows: p.rows[i]})
		}
		set.Rules, set.Unsure = rules[from:len(rules):len(rules)], p.unsure()
		s.Sets = append(s.Sets, set)
	}
	return nil
}

var special = lazyregexp.New(`(?i)quota|derogation`)

var (
	markup = lazyregexp.New(`\*+`)
	blank  = lazyregexp.New(`\n\s*\n\s*`)
)

// shown returns a published text without HTML and emphasis.
func shown(text string) string {
	text = html.UnescapeString(htmlTag.ReplaceAllString(htmlBreak.ReplaceAllString(text, "\n"), ""))
	text = markup.ReplaceAllString(linkText.ReplaceAllString(text, "$1"), "")
	return strings.TrimSpace(blank.ReplaceAllString(strings.ReplaceAll(text, "\u00a0", " "), "\n"))
}
