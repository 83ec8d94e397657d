// Package team is the area in which members share their work: who a record is assigned to, comments on records, and the inbox
// of each member.
package team

import (
	"embed"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// Team is the area, with the services that it uses.
type Team struct {
	Types       []*filing.Type // of all records
	Declaration string         // kind of customs declarations
	// AboutDeclarations returns what declarations are about, by ID: own reference, client and goods.
	AboutDeclarations func(tx page.Tx, ids []string) (map[string]string, error)
	Filings           *filing.Service
	Comments          *comment.Service
	Describer         *wording.Describer
	Mails             bool // whether the service sends mails
}

// Area returns the area's routes, pages and texts.
func (t *Team) Area() page.Area {
	return page.Area{
		Name: "team", Pages: pages, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/inbox", Name: "Inbox"}},
		Routes: []page.Route{
			page.Get("/inbox", page.ForViewer, t.inbox),
			page.Post("/inbox/read", page.ForViewer, t.read),
			page.Post("/inbox/settings", page.ForViewer, t.saveSettings),
			page.Post("/team/assign", page.ForMember, t.assign),
			page.Post("/team/comments", page.ForMember, t.comment),
			page.Post("/team/comments/{id}/delete", page.ForMember, t.deleteComment),
		},
		Notices: map[string]string{
			"assigned": "The assignment is saved.", "comment-added": "The comment is added.", "comment-deleted": "The comment is deleted.", "inbox-saved": "Your choice is saved.",
			"comment-unknown":   "The comment is added. No member is called {names}, so that person was not told. Choose the member from the list instead.",
			"comment-unclear":   "The comment is added. No member, or more than one, is called {names}, so they were not told. Write the whole name or the email address, or choose the member from the list.",
			"comment-ambiguous": "The comment is added. Several members are called {names}, so none of them was told. Write the whole name or the email address, or choose the member from the list.",
		},
		Labels: map[string]string{"text": "The comment", "mentions[0]": "The mentioned member", "mentions": "The mentioned members", filing.AssigneeMember: "The assignee"},
	}
}

// kind returns the type of a record that a form names.
func (t *Team) kind(name string) (*filing.Type, error) {
	for _, k := range t.Types {
		if k.Kind == name {
			return k, nil
		}
	}
	return nil, apierr.Missing()
}

// assign gives a record to a member.
func (t *Team) assign(c *page.Context) error {
	k, err := t.kind(c.Value("kind"))
	if err != nil || !k.Assignable() || !ident.IsUUID(c.Value("id")) {
		return apierr.Missing()
	}
	err = c.Update(func(tx page.Tx) error {
		_, err := t.Filings.Assign(tx, c.Call(), k, c.Value("id"), nil, c.Value("assignee"))
		return err
	})
	if err != nil {
		return err
	}
	return back(c, "assigned", "")
}

// back redirects to the page from which a form was sent, with a notice and the rest of its URL: names or a fragment.
func back(c *page.Context, notice, rest string) error {
	next := page.Local(c.Value("next"))
	mark := "?"
	if strings.Contains(next, "?") {
		mark = "&"
	}
	return c.Redirect(next + mark + "done=" + notice + rest)
}

// comment adds a comment to a record.
func (t *Team) comment(c *page.Context) error {
	k, err := t.kind(c.Value("kind"))
	if err != nil || !ident.IsUUID(c.Value("id")) {
		return apierr.Missing()
	}
	in := comment.Input{Text: c.Value("text")}
	if id := c.Value("mention"); id != "" {
		in.Mentions = []string{id}
	}
	members, err := c.Members()
	if err != nil {
		return err
	}
	var made comment.Comment
	err = c.Update(func(tx page.Tx) (err error) {
		made, err = t.Comments.Create(tx, c.Call(), k.Kind, c.Value("id"), in, members)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return t.showComment(c, k) })
	}
	if made.Unknown == nil {
		return back(c, "comment-added", "#comments")
	}
	notice := "comment-unclear"
	switch len(made.Ambiguous) {
	case 0:
		notice = "comment-unknown"
	case len(made.Unknown):
		notice = "comment-ambiguous"
	}
	return back(c, notice, page.NoticeNames(made.Unknown)) // at the top of the page, where the notice is
}

// commentView is the data of the page that shows a comment again that was not added.
type commentView struct {
	Kind, ID, Next, Mention string
	Singular                string
}

func (t *Team) showComment(c *page.Context, k *filing.Type) error {
	return c.Show("team-comment", "Comment", commentView{k.Kind, c.Value("id"), page.Local(c.Value("next")), c.Value("mention"), k.Singular})
}

// deleteComment deletes a comment.
func (t *Team) deleteComment(c *page.Context) error {
	var on comment.Comment
	err := c.Update(func(tx page.Tx) (err error) {
		if on, err = tx.Comment(c.ID()); err != nil {
			return err
		}
		return t.Comments.Delete(tx, c.Call(), c.ID())
	})
	if err != nil {
		return err
	}
	return c.Redirect(c.RecordPath(on.Kind, on.RecordID) + "?done=comment-deleted#comments")
}
