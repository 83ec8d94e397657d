package integrity

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

// settingState is the state of some rows by their newest event.
type settingState struct {
	sequence int64
	sealed   bool     // it has digests; versions before 0.2.0 did not write any
	digests  []string // of the rows; none if they were deleted
	gone     bool
	role     tenant.Role // of a member, by an event without digests; empty if not known
}

// settings compares settings with the audit trail. It has an entry for each of them.
type settings struct {
	org     tenant.ID
	last    map[Ref]settingState
	read    int64 // sequence of the last event that was read
	deleted bool  // the organisation's data was deleted

	// founded is when a version without digests created the organisation; zero for others. The first
	// of those versions wrote no event about the founder's membership.
	founded time.Time
	founder bool // the founder's membership has been found
}

// add reads an event.
func (s *settings) add(e *audit.Event) {
	s.read = e.Sequence
	if e.Type == closure.Deleted {
		s.deleted = true
		clear(s.last)
		return
	}
	ref, ok := SettingOf(e, s.org)
	if !ok {
		return
	}
	var data struct {
		Digests []string    `json:"settingSha256"`
		Role    tenant.Role `json:"role"`
		After   any         `json:"after"`
	}
	_ = json.Unmarshal(e.Data, &data)
	t := settingState{sequence: e.Sequence, sealed: data.Digests != nil, digests: data.Digests}
	if e.Type == access.OrganisationCreated && !t.sealed {
		s.founded = e.OccurredAt
	}
	if t.gone = t.sealed && len(t.digests) == 0; !t.sealed {
		t.older(e.Type, data.Role, data.After)
	}
	s.last[ref] = t
}

// older reads an event without digests.
func (t *settingState) older(eventType string, role tenant.Role, after any) {
	switch eventType {
	case access.UserAdded:
		t.role = role
	case access.RoleChanged:
		text, _ := after.(string)
		t.role = tenant.Role(text)
	case access.UserRemoved: // the row stays with the time of removal
	default:
		_, what, _ := strings.Cut(eventType, ".")
		t.gone = slices.Contains([]string{"deleted", "endpoint.deleted", "removed", "hold_lifted"}, what)
	}
}

// compareSettings compares the organisation's settings in one transaction with the events up to it.
// Earlier events have been read before.
func (c *comparison) compareSettings(ctx context.Context) error {
	return c.store.ViewIntegrity(ctx, c.org, func(tx Tx) error {
		for more := true; more; {
			batch, err := tx.EventsAfter(c.settings.read, pageSize)
			if err != nil {
				return err
			}
			for i := range batch {
				c.settings.add(&batch[i])
			}
			more = len(batch) == pageSize
		}
		cut, err := tx.Truncation()
		if err != nil {
			return err
		}
		existing := map[Ref]bool{}
		for kind := range settingKinds {
			if err := c.compareKind(tx, kind, cut, existing); err != nil {
				return err
			}
		}
		c.missingSettings(existing)
		return nil
	})
}

// compareKind compares all rows of a kind.
func (c *comparison) compareKind(tx Tx, kind int, cut audit.Truncation, existing map[Ref]bool) error {
	k := settingKinds[kind]
	for after := []string(nil); ; {
		batch, err := tx.TableRows(k.Rows, after, pageSize)
		if err != nil {
			return err
		}
		for _, row := range batch {
			id, _ := row.Values[0].(string)
			ref := Ref{kind, id}
			existing[ref] = true
			c.compareSetting(ref, row, cut)
		}
		if len(batch) < pageSize {
			return nil
		}
		after = batch[len(batch)-1].Key
	}
}

func (c *comparison) compareSetting(ref Ref, row portability.Row, cut audit.Truncation) {
	t, ok := c.settings.last[ref]
	made, _ := row.Values[1].(time.Time)
	switch {
	case !ok && (c.settings.deleted || cut.Sequence > 0 && !made.After(cut.OccurredAt)):
		c.report.SettingsNotCovered++
	case !ok && ref.kind == members && !c.settings.founder && made.Equal(c.settings.founded):
		c.settings.founder = true
		c.report.SettingsNotCovered++
	case !ok:
		c.report.add(Difference{RecordID: c.reportedID(ref), Kind: ref.Kind().Name, Problem: Unrecorded})
	case t.sealed && slices.Contains(t.digests, ref.Kind().digest(c.org, row)):
		c.report.Settings++
	case t.sealed, t.gone, ref.kind == members && !t.matches(row):
		c.report.add(Difference{c.reportedID(ref), ref.Kind().Name, Changed, t.sequence})
	default:
		c.report.SettingsNotCovered++
	}
}

// matches compares a member with an event without digests: the role, and whether the member has left.
func (t *settingState) matches(row portability.Row) bool {
	role, _ := row.Values[2].(string)
	left := row.Values[3] != nil
	if t.role == "" {
		return left // the event is the member's removal
	}
	return !left && role == string(t.role)
}

// missingSettings reports rows that have events but do not exist.
func (c *comparison) missingSettings(existing map[Ref]bool) {
	var missing []Ref
	for ref, t := range c.settings.last {
		if !existing[ref] && !t.gone && !ref.Kind().DeletedWithoutEvent {
			missing = append(missing, ref)
		}
	}
	sorting.Stable(missing, func(a, b Ref) int { return strings.Compare(a.Kind().Name+" "+a.ID, b.Kind().Name+" "+b.ID) })
	for _, ref := range missing {
		c.report.add(Difference{c.reportedID(ref), ref.Kind().Name, Missing, c.settings.last[ref].sequence})
	}
}

// reportedID returns the ID of a setting in the report.
func (c *comparison) reportedID(ref Ref) string {
	if ref.ID == "" {
		return string(c.org)
	}
	return ref.ID
}
