package cdssim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// maxConsignments is how many consignments are remembered; the oldest are forgotten.
const maxConsignments = 100_000

// consignment is what inventory linking knows of a DUCR or a MUCR.
type consignment struct {
	Organisation string `json:"organisation,omitempty"`
	UCR          string `json:"ucr"`
	MRN          string `json:"mrn,omitempty"`    // of the declaration; empty for a MUCR
	Master       string `json:"master,omitempty"` // that contains it
	Route        string `json:"route,omitempty"`  // route of entry
	Accepted     bool   `json:"accepted,omitempty"`
	Cleared      bool   `json:"cleared,omitempty"`
	Ended        bool   `json:"ended,omitempty"` // rejected or cancelled
	Shut         bool   `json:"shut,omitempty"`
	Arrived      bool   `json:"arrived,omitempty"`
	Location     string `json:"location,omitempty"` // of the arrival
	Departed     bool   `json:"departed,omitempty"`
}

// consignmentKey returns a key of organisation and UCR.
func consignmentKey(organisation, ucr string) string { return organisation + " " + ucr }

func (k *consignment) key() string { return consignmentKey(k.Organisation, k.UCR) }

// consignments are all that are known, in the order in which they became known.
type consignments struct {
	byKey map[string]*consignment
	order []string
	limit int
}

// set adds or replaces a consignment.
func (c *consignments) set(k consignment) {
	key := k.key()
	if _, known := c.byKey[key]; !known {
		c.order = append(c.order, key)
		if len(c.order) > c.limit {
			delete(c.byKey, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.byKey[key] = &k
}

func (c *consignments) remove(key string) {
	if _, known := c.byKey[key]; !known {
		return
	}
	delete(c.byKey, key)
	c.order = slices.DeleteFunc(c.order, func(other string) bool { return other == key })
}

// ducrOf returns the DUCR of a declaration; empty for none.
func ducrOf(d *wco.Declaration) string {
	for _, p := range d.GoodsShipment.PreviousDocument {
		if p.CategoryCode == "Z" && p.TypeCode == "DCR" {
			return strings.Clone(p.ID)
		}
	}
	return ""
}

// follow notes what a message says about the consignment of a declaration.
func (b *registry) follow(c *conversation, l outgoingMessage) {
	k, known := b.consignments.byKey[consignmentKey(c.Organisation, c.DUCR)]
	if c.DUCR == "" || !known || k.MRN != c.MRN {
		return
	}
	switch l.Code {
	case "01":
		k.Accepted = true
	case "05":
		k.Route = "2"
	case "06":
		k.Route = "1"
	case "08", "09":
		k.Cleared = true
	case "03", "10":
		k.Ended = true
	}
}

// current returns a consignment with what the messages of its declaration say that are on their way.
func (b *registry) current(organisation, ucr string) (consignment, bool) {
	k, known := b.consignments.byKey[consignmentKey(organisation, ucr)]
	if !known {
		return consignment{}, false
	}
	now := *k
	if c := b.byMRN[k.MRN]; k.MRN != "" && c != nil {
		now.Accepted = now.Accepted || c.hasSent("01")
		now.Cleared = now.Cleared || c.hasSent("09") || c.hasSent("08")
		now.Ended = now.Ended || c.Cancelled || c.hasSent("03") || c.hasSent("10")
	}
	return now, true
}

// members returns the consignments that are associated with a MUCR, in the order in which they became known.
func (b *registry) members(organisation, master string) (all []consignment) {
	for _, key := range b.consignments.order {
		k := b.consignments.byKey[key]
		if k.Organisation == organisation && k.Master == master {
			now, _ := b.current(organisation, k.UCR)
			all = append(all, now)
		}
	}
	return all
}

// tree returns a consignment and all inside it, the outer ones first.
func (b *registry) tree(organisation, ucr string) (all []consignment) {
	k, known := b.current(organisation, ucr)
	if !known {
		return nil
	}
	all = append(all, k)
	for i := 0; i < len(all); i++ {
		if all[i].MRN == "" {
			all = append(all, b.members(organisation, all[i].UCR)...)
		}
	}
	return all
}

// status returns the status of a consignment. What customs decides about a MUCR follows from its declarations.
func (b *registry) status(k *consignment) inventory.Status {
	route := k.Route
	switch {
	case k.MRN == "":
		s := inventory.Status{ROE: "6", SOE: "C"}
		for _, member := range b.tree(k.Organisation, k.UCR) {
			if member.MRN != "" && !member.Cleared {
				s.ROE = "0"
			}
		}
		switch {
		case !k.Shut:
			s.SOE = "0"
		case s.ROE == "6":
			s.SOE = "3"
		}
		return s
	case route == "" && k.Cleared:
		route = "6"
	case route == "":
		route = "0"
	}
	s := inventory.Status{ROE: route, SOE: "10"}
	switch {
	case k.Departed:
		s.SOE = "D"
	case k.Cleared:
		s.SOE = "3"
	case k.Accepted:
		s.SOE = "9"
	}
	return s
}

// ducrForm is the form of a DUCR. A MUCR has another one.
var ducrForm = regexp.MustCompile(`^[0-9][A-Z]{2}[0-9]{12}-`)

// judge returns the error code of a request; empty if HMRC carries it out.
func (b *registry) judge(m *movement) string {
	if m.IsConsolidation() {
		return b.judgeConsolidation(m)
	}
	if (m.UCR.Type == inventory.TypeDeclaration) != ducrForm.MatchString(m.UCR.Number) {
		return inventory.ErrorTypeOfUCR
	}
	if _, ok := wco.SplitGoodsLocation(m.Location); !ok {
		return inventory.ErrorLocation
	}
	if code := m.judgeTime(); code != "" {
		return code
	}
	k, known := b.current(m.organisation, m.UCR.Number)
	switch {
	case !known:
		return inventory.ErrorUnknownUCR
	case k.Ended:
		return inventory.ErrorCancelled
	case k.MRN == "" && k.Departed:
		return inventory.ErrorDeparted
	case m.Code == inventory.CodeAnticipated:
		return ""
	case k.Master != "":
		return inventory.ErrorNotAtTop
	case m.Code == inventory.CodeDeparture:
		return b.judgeDeparture(m, &k)
	}
	return ""
}

// judgeTime returns the error code of the time of an arrival or a departure. Goods can be expected at any time.
func (m *movement) judgeTime() string {
	at := m.ArrivesAt
	if m.Code == inventory.CodeDeparture {
		at = m.DepartsAt
	}
	switch {
	case at.IsZero():
		return inventory.ErrorTime
	case m.Code != inventory.CodeAnticipated && at.Sub(m.now) > furthestAhead:
		return inventory.ErrorFuture
	}
	return ""
}

func (b *registry) judgeDeparture(m *movement, k *consignment) string {
	switch all := b.tree(m.organisation, k.UCR); {
	case k.MRN == "" && !k.Shut:
		return inventory.ErrorNotShut
	case !k.Arrived || k.Location != m.Location:
		return inventory.ErrorNoArrival
	case slices.ContainsFunc(all, func(k consignment) bool { return k.MRN != "" && k.Ended }):
		return inventory.ErrorCancelled
	case slices.ContainsFunc(all, func(k consignment) bool { return k.MRN != "" && !k.Cleared }):
		return inventory.ErrorNoPermission
	}
	return ""
}

// shuts reports whether a request shuts a MUCR: an association without a consignment does so too.
func (m *movement) shuts() bool {
	return m.Code == inventory.CodeShut || m.UCR.Number == "" && m.MasterUCR != ""
}

func (b *registry) judgeConsolidation(m *movement) string {
	if m.MasterUCR == "" && m.UCR.Number == "" {
		return inventory.ErrorReferences
	}
	if ducrForm.MatchString(m.MasterUCR) {
		return inventory.ErrorNotMaster
	}
	master, known := b.current(m.organisation, m.MasterUCR)
	switch {
	case m.MasterUCR == "":
		return b.judgeRemoval(m)
	case m.shuts() && !known:
		return inventory.ErrorNoConsolidation
	case master.Departed:
		return inventory.ErrorDeparted
	case master.Shut:
		return inventory.ErrorAlreadyShut
	case m.shuts() && len(b.members(m.organisation, m.MasterUCR)) == 0:
		return inventory.ErrorEmptyMaster
	case m.shuts():
		return ""
	}
	return b.judgeAssociation(m)
}

func (b *registry) judgeAssociation(m *movement) string {
	k, known := b.current(m.organisation, m.UCR.Number)
	switch {
	case !known:
		return inventory.ErrorUnknownUCR
	case k.Ended:
		return inventory.ErrorCancelled
	case k.Master == m.MasterUCR:
		return inventory.ErrorAssociated
	case k.MRN == "" && !k.Shut:
		return inventory.ErrorMemberNotShut
	}
	return ""
}

func (b *registry) judgeRemoval(m *movement) string {
	k, known := b.current(m.organisation, m.UCR.Number)
	master, _ := b.current(m.organisation, k.Master)
	switch {
	case !known:
		return inventory.ErrorUnknownMember
	case k.Master == "":
		return inventory.ErrorNotAssociated
	case master.Departed:
		return inventory.ErrorDeparted
	case master.Shut:
		return inventory.ErrorAlreadyShut
	}
	return ""
}

// consolidate returns what a request about a consolidation changes.
func (b *registry) consolidate(m *movement) (changes []consignment) {
	master, known := b.current(m.organisation, m.MasterUCR)
	if !known {
		master = consignment{Organisation: m.organisation, UCR: m.MasterUCR}
	}
	if m.shuts() {
		master.Shut = true
		return []consignment{master}
	}
	k, known := b.current(m.organisation, m.UCR.Number)
	if !known {
		return nil // its acceptance was asked for
	}
	if k.Master = m.MasterUCR; m.MasterUCR != "" {
		changes = append(changes, master)
	}
	return append(changes, k)
}

// remember returns a function that reverts what a movement changes.
func (b *registry) remember(m *movement) (undo func()) {
	var states []savedState
	for _, next := range m.continues {
		if c := b.byID[next.Conversation]; c != nil {
			states = append(states, b.state(c.MRN))
		}
	}
	before := map[string]*consignment{}
	for i := range m.changes {
		key := m.changes[i].key()
		before[key] = nil
		if k, known := b.consignments.byKey[key]; known {
			copied := *k
			before[key] = &copied
		}
	}
	return func() {
		for _, state := range states {
			b.restore(state)
		}
		for key, k := range before {
			if k == nil {
				b.consignments.remove(key)
			} else {
				b.consignments.set(*k)
			}
		}
	}
}
