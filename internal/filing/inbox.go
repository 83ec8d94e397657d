package filing

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ItemType says why an item is in an inbox.
type ItemType string

// Types of items.
const (
	ItemAssigned  ItemType = "ASSIGNED"  // the record was given to the member
	ItemMentioned ItemType = "MENTIONED" // a comment mentions the member
	ItemRejected  ItemType = "REJECTED"
	ItemQuery     ItemType = "QUERY"     // customs raised a query
	ItemDocuments ItemType = "DOCUMENTS" // customs asked for documents
	ItemCleared   ItemType = "CLEARED"
	ItemDue       ItemType = "DUE" // a deadline ends soon
	ItemOverdue   ItemType = "OVERDUE"
	ItemApproval  ItemType = "APPROVAL"    // a second person has to approve what is submitted
	ItemApproved  ItemType = "APPROVED"    // a second person has approved it
	ItemDrafted   ItemType = "DRAFTED"     // a draft was made from a template that repeats
	ItemNoDraft   ItemType = "NO_DRAFT"    // none could be made; the record is the template
	ItemDoNotLoad ItemType = "DO_NOT_LOAD" // customs instructs not to load the goods
)

// Item is an entry of the inbox of a member. An item without a member is about a record without an assignee; all members can
// see it, so that its cost does not grow with their number.
type Item struct {
	ID       string
	MemberID string // empty for all
	Type     ItemType
	Kind     string // of the record
	RecordID string
	ActorID  string // the user who caused it; empty for the service or an authority
	Subject  string // the comment that mentions the member, the title of the deadline, or why there is no draft; empty for other types
	At       time.Time
}

// itemTypes are the events that lead to an item, by the last part of their type.
var itemTypes = map[string]ItemType{
	"rejected": ItemRejected, "query_raised": ItemQuery, "documents_required": ItemDocuments, "cleared": ItemCleared, "overdue": ItemOverdue,
	"draft_made": ItemDrafted, "draft_failed": ItemNoDraft, "intervened": ItemDoNotLoad,
}

// ItemAbout is what an inbox item is about if that is not the record of its event.
type ItemAbout struct{ Kind, RecordID, Subject string }

// apply changes items to be about something else.
func (a ItemAbout) apply(items []Item) {
	for i := range items {
		if a.RecordID != "" {
			items[i].Kind, items[i].RecordID = a.Kind, a.RecordID
		}
		items[i].Subject = a.Subject
	}
}

// items returns the item that a change leads to, for the assignee or, if there is none who is still a member, for all.
func (s *Service) items(tx Tx, f *Filing, e *audit.Event) ([]Item, error) {
	kind, known := itemTypes[e.Type[strings.LastIndexByte(e.Type, '.')+1:]]
	if !known || (kind == ItemRejected || kind == ItemCleared) && e.FromStatus == e.ToStatus {
		return nil, nil
	}
	assignee := AssigneeOf(f.Added)
	if assignee != "" {
		_, found, err := tx.Member(assignee)
		if err != nil {
			return nil, err
		}
		if !found {
			assignee = ""
		}
	}
	return s.itemsFor(assignee, kind, f, e, tx.Now()), nil
}

// approvalItems returns the item about an approval: all members learn that one is asked for, and who asked that it is given.
func (s *Service) approvalItems(a *Approval, f *Filing, e *audit.Event, now time.Time) []Item {
	if !a.Given() {
		return s.itemsFor("", ItemApproval, f, e, now)
	}
	if a.AskedBy == "" {
		return nil
	}
	return s.itemsFor(a.AskedBy, ItemApproved, f, e, now)
}

// itemsFor returns the item for a member, or none if the member caused the event in person. What an API key does is news to its
// user.
func (s *Service) itemsFor(memberID string, kind ItemType, f *Filing, e *audit.Event, now time.Time) []Item {
	actor := ""
	if e.ActorType == tenant.ByUser && e.KeyID == "" {
		actor = e.ActorUserID
	}
	if actor != "" && actor == memberID {
		return nil
	}
	return []Item{{ID: s.IDs.UUID(), MemberID: memberID, Type: kind, Kind: f.Kind, RecordID: f.ID, ActorID: actor, At: now}}
}
