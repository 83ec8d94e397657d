package team

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
)

// pageSize is the number of items on a page.
const pageSize = 50

// inboxView is the data of the inbox.
type inboxView struct {
	Items       []item
	UnreadOnly  bool
	Settings    inbox.Settings
	Mails       bool
	First, Next string
}

// AnyUnread reports whether an item on the page is unread.
func (v *inboxView) AnyUnread() bool {
	return slices.ContainsFunc(v.Items, func(i item) bool { return i.Unread })
}

// item is an item as the page shows it.
type item struct {
	ID, Tag, Colour    string
	Record, Text, Path string // Path is empty if the record has been deleted
	About              string
	At                 time.Time
	Unread             bool
}

// sorts are the tag, its colour and the text of each type of item; the text can name the member who caused it.
var sorts = map[filing.ItemType]struct{ tag, colour, text string }{
	filing.ItemAssigned:  {"Assigned", "note", "%s assigned it to you."},
	filing.ItemMentioned: {"Comment", "note", "%s mentioned you in a comment."},
	filing.ItemRejected:  {"Rejected", "bad", "See why, and correct it."},
	filing.ItemQuery:     {"Query", "wait", "Customs raised a query. Answer it."},
	filing.ItemDocuments: {"Documents", "wait", "Customs asked for documents. Send them."},
	filing.ItemCleared:   {"Cleared", "good", "Customs released the goods."},
	filing.ItemDue:       {"Due", "wait", ""},
	filing.ItemApproval:  {"Approve", "wait", "A second person has to approve what will be submitted."},
	filing.ItemApproved:  {"Approved", "good", "A second person approved what will be submitted."},
	filing.ItemOverdue:   {"Overdue", "bad", "It is overdue."},
	filing.ItemDrafted:   {"Draft", "note", "It was made from a template. Check it before you submit it."},
	filing.ItemNoDraft:   {"No draft", "bad", ""},
	filing.ItemDoNotLoad: {"Do not load", "bad", "Customs instructs not to load the goods."},
}

// inbox shows the items of the user.
func (t *Team) inbox(c *page.Context) error {
	query := c.R.URL.Query()
	v := inboxView{UnreadOnly: query.Get("show") == "unread", Mails: t.Mails}
	after, err := c.Position()
	if err != nil {
		return err
	}
	members, err := c.Members()
	if err != nil {
		return err
	}
	names := comment.NamesOf(members)
	err = c.View(func(tx page.Tx) error {
		if v.Settings, err = inbox.SettingsOf(tx, c.Session.UserID); err != nil {
			return err
		}
		found, err := tx.Items(inbox.Query{MemberID: c.Session.UserID, Settings: v.Settings, UnreadOnly: v.UnreadOnly, After: after, Limit: pageSize + 1})
		if err != nil {
			return err
		}
		if len(found) > pageSize {
			found = found[:pageSize]
			last := found[pageSize-1].Position()
			v.Next = v.path(page.PositionQuery(last.CreatedAt, last.ID))
		}
		v.Items, err = t.items(c, tx, found, names)
		return err
	})
	if err != nil {
		return err
	}
	if after.ID != "" {
		v.First = v.path("")
	}
	return c.Show("inbox", "Inbox", &v)
}

// path returns the path of the page that a query about its position names; empty for the first.
func (v *inboxView) path(position string) string {
	var all []string
	if v.UnreadOnly {
		all = append(all, "show=unread")
	}
	if position != "" {
		all = append(all, position)
	}
	if all == nil {
		return "/inbox"
	}
	return "/inbox?" + strings.Join(all, "&")
}

// items reads the records of items in a number of statements that does not grow with the items.
func (t *Team) items(c *page.Context, tx page.Tx, found []inbox.Item, names comment.Names) (all []item, err error) {
	var ids, declarations []string
	for i := range found {
		if id := found[i].RecordID; !slices.Contains(ids, id) {
			ids = append(ids, id)
			if found[i].Kind == t.Declaration {
				declarations = append(declarations, id)
			}
		}
	}
	records, err := tx.Briefs(ids)
	if err != nil {
		return nil, err
	}
	about := map[string]string{}
	if declarations != nil {
		if about, err = t.AboutDeclarations(tx, declarations); err != nil {
			return nil, err
		}
	}
	for i := range found {
		of := sorts[found[i].Type]
		shown := item{ID: found[i].ID, Tag: of.tag, Colour: of.colour, Text: of.text, About: about[found[i].RecordID], At: found[i].At, Unread: found[i].Unread, Record: "A deleted record"}
		if strings.Contains(of.text, "%s") {
			shown.Text = fmt.Sprintf(of.text, upperFirst(names.Of(found[i].ActorID)))
		}
		if title := found[i].Title(); title != "" {
			shown.Text = strings.TrimSuffix(title, ".") + "."
		}
		if f, there := records[found[i].RecordID]; there {
			shown.Record, shown.Path = upperFirst(t.Describer.RecordName(&f)), c.RecordPath(f.Kind, f.ID)
		}
		if found[i].Type == filing.ItemApproval && shown.Path != "" {
			shown.Path = page.ApprovalOf(found[i].Kind, found[i].RecordID)
		}
		if id := found[i].CommentID(); id != "" && shown.Path != "" {
			shown.Path += "#comment-" + id
		}
		all = append(all, shown)
	}
	return all, nil
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// read marks an item, or all of them, as read. The form may lead to the record of the item.
func (t *Team) read(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error {
		id := c.Value("item")
		if id == "" {
			return inbox.ReadAll(tx, c.Session.UserID)
		}
		if !ident.IsUUID(id) {
			return apierr.Missing()
		}
		found, err := tx.ReadItem(c.Session.UserID, id)
		if err == nil && !found {
			err = apierr.Missing()
		}
		return err
	})
	if err != nil {
		return err
	}
	next := c.Value("next")
	if next == "" {
		next = "/inbox"
	}
	return c.Redirect(page.Local(next))
}

// saveSettings stores what the user wants in the inbox.
func (t *Team) saveSettings(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error {
		s, err := inbox.SettingsOf(tx, c.Session.UserID)
		if err != nil {
			return err
		}
		s.Unassigned, s.Digest = c.Value("unassigned") != "", c.Value("digest") != ""
		return tx.SaveInboxSettings(c.Session.UserID, s)
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/inbox", "inbox-saved")
}
