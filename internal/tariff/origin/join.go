package origin

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// fragment is the beginning of a text that continues the one before: the publisher cut some rules in pieces.
var fragment = lazyregexp.New(`^(?:- )?(?:[b-h]\) |however,? |except |followed |provided |nevertheless,? )`)

// join puts rules together that were cut in pieces. rows counts the published rows of each.
func (p *publishedSet) join() {
	var all []publishedRule
	p.rows = nil
	for _, r := range p.Rules {
		start := strings.ToLower(strings.TrimLeft(r.Rule[:min(len(r.Rule), 40)], " *\n\r\t"))
		switch {
		case start == "": // a line of the table without a rule
		case fragment.MatchString(start) && len(all) > 0:
			all[len(all)-1].Rule += "\n" + r.Rule
			all[len(all)-1].Quota = all[len(all)-1].Quota || r.Quota
			p.rows[len(all)-1]++
		default:
			all, p.rows = append(all, r), append(p.rows, 1)
		}
	}
	p.Rules = all
}

// unsure reports whether the rules may be something else than alternatives. The operator "or" stands before the last of a
// list of alternatives; before the others it may be absent.
func (p *publishedSet) unsure() bool {
	last := len(p.Rules) - 1
	return last > 0 && (p.Rules[last].Operator == nil || *p.Rules[last].Operator != "or") && !p.partition()
}

// partition reports whether every rule says for which goods it is.
func (p *publishedSet) partition() bool {
	for _, r := range p.Rules {
		if !partitionStart.MatchString(normal(r.Rule)) {
			return false
		}
	}
	return true
}

var partitionStart = lazyregexp.New(`^(?:a change to |no change in tariff classification (?:is )?required (?:for|to) )`)
