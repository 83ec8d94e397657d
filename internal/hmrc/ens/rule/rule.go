// Package rule has HMRC's business rules for entry summary declarations and their amendments (Safety and Security GB). Source
// of the rules: declaration store of HMRC, 2026-06-10. Each rule compares texts and numbers exactly as HMRC does, also where
// that is surprising: some rules see white space, others do not.
package rule

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// test reports whether something holds for an element.
type test func(*element.Element) bool

// rule is one rule for an element. It is broken if holds is false.
type rule struct {
	number int // HMRC's
	text   string
	holds  test
	only   verdict.Generation // "" for both
}

// block are the rules for the elements at a path below the root. They are applied element by element, in this order.
type block struct {
	at    string // "." for the root
	only  string // the message; "" for both
	rules []rule
	more  func(root *element.Element) []rule // rules that look at the whole document once, after the others; nil if there are none
}

// of returns the rules of a block that apply in a generation.
func (b *block) of(root *element.Element, g verdict.Generation) (applied []rule) {
	all := b.rules
	if b.more != nil {
		all = append(slices.Clip(all), b.more(root)...)
	}
	for _, r := range all {
		if r.only == "" || r.only == g {
			applied = append(applied, r)
		}
	}
	return applied
}

// isFor reports whether a block applies to a message.
func (b *block) isFor(message string) bool { return b.only == "" || b.only == message }

// blocks are all rules in HMRC's order.
var blocks = join(
	whole, sender, header, mass("HEAHEA/TotGroMasHEA307"),
	consignor.rules(nil, []rule{{8119, "The consignor stands in the header or at the items, not at both.", lacks("../GOOITEGDS/TRACONCO2"), ""}}),
	consignee.rules(consigneeRules, nil),
	notified.rules(notifiedRules, nil),
	item, itemMass, itemPlaces,
	itemConsignor.rules(nil, []rule{{8119, "The consignor stands in the header or at the items, not at both.", lacks("../../TRACONCO1"), ""}}),
	itemConsignee.rules(itemConsigneeRules, nil),
	itemTransport, packages,
	itemNotified.rules(nil, itemNotifiedRules),
	lodgement, representative.addressRules(), declarant.addressRules(), declarantEORI,
	carrier.rules(nil, carrierRules),
	carrierEORI,
	foreignRules(consignor, consignee, notified, carrier, itemConsignor, itemConsignee, itemNotified),
)

func join(parts ...[]block) (all []block) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// Check returns the rules that a declaration (CC315A) or amendment (CC313A) breaks, in HMRC's order. It reads a document that
// breaks the schema as far as it can; time is in proportion to the size of a document only if the schema is kept.
func Check(root *element.Element, g verdict.Generation) (found []verdict.Error) {
	for _, b := range blocks {
		if !b.isFor(root.Name.Local) {
			continue
		}
		rules := b.of(root, g)
		root.Each(b.at, func(e *element.Element) bool {
			for _, r := range rules {
				if !r.holds(e) {
					found = append(found, verdict.Error{Number: r.number, Location: location(e), Text: r.text})
				}
			}
			return len(found) < verdict.MaxErrors
		})
	}
	return found
}

// location is the place of an element as HMRC writes it for rules: the prefix of the root is always ie.
func location(e *element.Element) string {
	if e.Parent == nil {
		return fmt.Sprintf("/ie:%s[1]", e.Name.Local)
	}
	return fmt.Sprintf("%s/%s[%d]", location(e.Parent), e.Name.Local, e.Position)
}
