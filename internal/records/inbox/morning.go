package inbox

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of a morning.
const (
	Hour       = 7   // in London, from which the items of a morning are written
	maxDue     = 500 // deadlines of an organisation that become items
	maxDigests = 1000
	maxLines   = 10 // items that a mail names
	orgsAtOnce = 500
)

// Due is a deadline of a record that has not been met.
type Due struct {
	RecordID, Kind, Title, Assignee string
	DueAt                           time.Time
	Overdue                         bool // the record has the status, of which its assignee was told
}

// MorningTx is a transaction in which a morning is written.
type MorningTx interface {
	access.Tx
	Tx
	AddItems([]filing.Item) error
	// Morning returns when the last one was written; zero for never.
	Morning() (time.Time, error)
	SaveMorning(time.Time) error
	// DueBetween lists deadlines after an instant until another, the soonest first.
	DueBetween(after, until time.Time, limit int) ([]Due, error)
	Briefs(ids []string) (map[string]filing.Filing, error)
}

// MorningStore opens transactions and finds the organisations.
type MorningStore interface {
	// WithoutMorning lists live organisations whose last morning was before an instant, after one of them.
	WithoutMorning(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	Members(ctx context.Context, org tenant.ID) ([]access.Member, error)
	UpdateMorning(ctx context.Context, org tenant.ID, fn func(MorningTx) error) error
}

// Mornings writes once on each working morning what is due, and mails members about unread items.
type Mornings struct {
	Store    MorningStore
	Accounts *access.Accounts
	IDs      *ident.Source
}

// Run writes the mornings that are missing. It does nothing on other days and before Hour. An error in one organisation does not
// stop the others.
func (m *Mornings) Run(ctx context.Context, now time.Time) (failed error) {
	began := startOf(now)
	if !calendar.IsBusinessDay(now) || now.Before(began) {
		return nil
	}
	for after := tenant.ID(""); ; {
		orgs, err := m.Store.WithoutMorning(ctx, began, after, orgsAtOnce)
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, org := range orgs {
			failed = errors.Join(failed, m.write(ctx, org, now))
		}
		if len(orgs) < orgsAtOnce {
			return failed
		}
		after = orgs[len(orgs)-1]
	}
}

// startOf returns the beginning of a morning in London.
func startOf(now time.Time) time.Time {
	year, month, day := now.In(calendar.London()).Date()
	return time.Date(year, month, day, Hour, 0, 0, 0, calendar.London())
}

// write writes the morning of an organisation, unless another instance has.
func (m *Mornings) write(ctx context.Context, org tenant.ID, now time.Time) error {
	members, err := m.Store.Members(ctx, org)
	if err != nil {
		return err
	}
	return m.Store.UpdateMorning(ctx, org, func(tx MorningTx) error {
		last, err := tx.Morning()
		if err != nil || !last.Before(startOf(now)) {
			return err
		}
		if err := m.writeDue(tx, last, now, members); err != nil {
			return err
		}
		if err := m.mail(tx, members); err != nil {
			return err
		}
		return tx.SaveMorning(now)
	})
}

// writeDue writes items about what is due until the end of the next working day, and about what has become overdue since the last
// morning.
func (m *Mornings) writeDue(tx MorningTx, last, now time.Time, members []access.Member) error {
	from, covered := last, endOf(last)
	if last.IsZero() {
		from, covered = now, now
	}
	found, err := tx.DueBetween(from, endOf(now), maxDue)
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for _, member := range members {
		here[member.ID] = true
	}
	var items []filing.Item
	for _, d := range found {
		item := filing.Item{ID: m.IDs.UUID(), Type: filing.ItemDue, Kind: d.Kind, RecordID: d.RecordID, Subject: d.Title, At: tx.Now()}
		if here[d.Assignee] {
			item.MemberID = d.Assignee
		}
		switch {
		case !d.DueAt.After(now) && d.Overdue, d.DueAt.After(now) && !d.DueAt.After(covered):
			continue // known
		case !d.DueAt.After(now):
			item.Type = filing.ItemOverdue
		}
		items = append(items, item)
	}
	return tx.AddItems(items)
}

// endOf returns until when a morning lists deadlines; zero for none.
func endOf(morning time.Time) time.Time {
	if morning.IsZero() {
		return morning
	}
	return calendar.EndOfDay(calendar.AddBusinessDays(morning, 1))
}

// words are the types of items in a mail.
var words = map[filing.ItemType]string{
	filing.ItemAssigned: "Assigned to you", filing.ItemMentioned: "Comment", filing.ItemRejected: "Rejected", filing.ItemQuery: "Query of customs",
	filing.ItemDocuments: "Documents asked for", filing.ItemCleared: "Cleared", filing.ItemDue: "Due", filing.ItemOverdue: "Overdue",
	filing.ItemApproval: "To approve", filing.ItemApproved: "Approved", filing.ItemDrafted: "Made from a template", filing.ItemNoDraft: "No draft", filing.ItemDoNotLoad: "Do not load",
}

// mail mails each member with unread items who wants that.
func (m *Mornings) mail(tx MorningTx, members []access.Member) error {
	if !m.Accounts.Mails.On {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	for _, member := range members[:min(len(members), maxDigests)] {
		s, err := SettingsOf(tx, member.ID)
		if err != nil {
			return err
		}
		if !s.Digest || member.Email == "" {
			continue
		}
		n, err := tx.CountUnread(member.ID, s)
		if err == nil && n > 0 {
			err = m.digest(tx, org.Name, member.ID, s, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Mornings) digest(tx MorningTx, organisation, memberID string, s Settings, unread int) error {
	first, err := tx.Items(Query{MemberID: memberID, Settings: s, UnreadOnly: true, Limit: maxLines})
	if err != nil {
		return err
	}
	var ids []string
	for i := range first {
		ids = append(ids, first[i].RecordID)
	}
	records, err := tx.Briefs(ids)
	if err != nil {
		return err
	}
	var lines []string
	for i := range first {
		line := words[first[i].Type]
		if f, there := records[first[i].RecordID]; there {
			line += ": " + f.Name()
		}
		if title := first[i].Title(); title != "" {
			line += ", " + title
		}
		lines = append(lines, line)
	}
	number := strconv.Itoa(unread)
	if unread == MaxUnread {
		number += "+"
	}
	return m.Accounts.MailDigest(tx, memberID, organisation, number, lines)
}
