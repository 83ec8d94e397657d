package filing

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// AssigneeMember is the added member with the member of the organisation who works on a record.
const AssigneeMember = "assigneeId"

// Assignment is embedded in Adds by kinds whose records can be assigned.
type Assignment struct {
	AssigneeID *string `json:"assigneeId" format:"uuid" doc:"Member of the organisation who works on the record; null for none. It is not part of what is filed" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// AssignedEvent ends the type of the event of an assignment. Webhook endpoints do not get it.
const AssignedEvent = "assigned"

// IsAssignment reports whether an event of a type is an assignment.
func IsAssignment(eventType string) bool { return strings.HasSuffix(eventType, "."+AssignedEvent) }

// Assignable reports whether records of the kind can be assigned.
func (t *Type) Assignable() bool { return t.HasAdded(AssigneeMember) }

// AssigneeFilter returns the entry that selects the records of an assignee.
func AssigneeFilter(memberID string) Key { return TraitFilter("assignee:" + memberID) }

// AssigneeOf returns the assignee in the added members of a record; empty for none.
func AssigneeOf(added json.RawMessage) string {
	if !bytes.Contains(added, []byte(`"`+AssigneeMember+`":`)) {
		return ""
	}
	var a struct{ AssigneeID string }
	if json.Unmarshal(added, &a) != nil {
		return ""
	}
	return a.AssigneeID
}

// Assign gives a record to a member of the organisation, or to none if memberID is empty. It is possible in every state, and
// what is filed stays as it is. Giving a record to the member who has it changes nothing.
func (s *Service) Assign(tx Tx, call tenant.Call, t *Type, id string, required IfVersion, memberID string) (Filing, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return f, err
	}
	if err := required.Check(f.Version); err != nil {
		return f, err
	}
	former := f
	before := AssigneeOf(f.Added)
	if before == memberID {
		return f, nil
	}
	if err := checkAssignee(tx, memberID); err != nil {
		return f, err
	}
	if err := f.addMembers(Added{AssigneeMember: valueOrNone(memberID)}, nil, tx.Now()); err != nil {
		return f, err
	}
	data := Added{}
	if before != "" {
		data["from"] = before
	}
	if memberID != "" {
		data["to"] = memberID
	}
	event := s.event(call, t, &f, f.Status, AssignedEvent, data)
	c := Change{Filing: f, Former: &former, Event: event}
	if before != "" {
		c.LostTraits = []Key{AssigneeFilter(before)}
	}
	if memberID != "" {
		c.Traits = []Key{AssigneeFilter(memberID)}
		c.Items = s.itemsFor(memberID, ItemAssigned, &f, &event, tx.Now())
	}
	return f, tx.Write(c)
}

// checkAssignee returns an error if a user is no member of the organisation.
func checkAssignee(tx Tx, memberID string) error {
	if memberID == "" {
		return nil
	}
	_, found, err := tx.Member(memberID)
	if err == nil && !found {
		err = apierr.Invalid(apierr.Detail{Field: AssigneeMember, Message: "must be the id of a member of the organisation"})
	}
	return err
}

// valueOrNone returns nil for an empty text.
func valueOrNone(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// TakeAssignee takes the assignee out of a compact JSON object that was checked. It reports whether the object has it; a null is
// an empty text.
func TakeAssignee(object json.RawMessage) (rest json.RawMessage, memberID string, found bool, err error) {
	members, err := membersOf(object)
	if err != nil {
		return nil, "", false, err
	}
	others := make([]member, 0, len(members))
	for _, m := range members {
		if m.name != AssigneeMember {
			others = append(others, m)
			continue
		}
		found = true
		if string(m.value) != "null" {
			err = json.Unmarshal(m.value, &memberID)
		}
	}
	return objectOf(others), strings.ToLower(memberID), found, err
}
