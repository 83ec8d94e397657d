// Package authorities is the area of the connections to authorities besides customs and VAT: their modes, what waits, messages
// about no known record, and the messages of one record as they are.
package authorities

import (
	"embed"
	"encoding/base64"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

//go:embed pages
var files embed.FS

const path = "/authorities"

// Authorities is the area, with the service that it uses.
type Authorities struct {
	Service *exchange.Service
}

// Area returns the area's routes, pages and texts.
func (a *Authorities) Area() page.Area {
	return page.Area{
		Name: "authorities", Pages: files,
		Routes: append(a.consentRoutes(),
			page.Get(path, page.ForViewer, a.list),
			page.Get(path+"/records/{id}", page.ForViewer, a.record),
			page.Post(path+"/messages/{id}/claim", page.ForMember, a.claim),
		),
		Notices: map[string]string{
			"message-claimed":     "The message belongs to the record now, which follows from it in a moment.",
			"authority-connected": "The organisation is connected. What waited for it is being sent.",
			"authority-ended":     "The connection has ended.",
		},
	}
}

// message is a message as the pages show it.
type message struct {
	exchange.Message
	Text string // the exact bytes, or their base64
}

// Status returns the state of a message in words.
func (m message) Status() string {
	if m.Direction == exchange.In {
		return "received"
	}
	return string(m.State)
}

func shown(all []exchange.Message) (messages []message) {
	for _, m := range all {
		text := string(m.Raw)
		if !utf8.Valid(m.Raw) {
			text = base64.StdEncoding.EncodeToString(m.Raw)
		}
		messages = append(messages, message{m, text})
	}
	return messages
}

// listView is the data of the page of connections.
type listView struct {
	Connections []exchange.Connection
	Unclaimed   []message
}

func (a *Authorities) list(c *page.Context) error {
	var view listView
	err := c.View(func(tx page.Tx) (err error) {
		if view.Connections, err = a.Service.Connections(tx); err != nil {
			return err
		}
		unclaimed, err := tx.UnclaimedAuthorityMessages(exchange.MaxUnclaimed)
		view.Unclaimed = shown(unclaimed)
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("authorities", "Connections to authorities", view)
}

// recordView is the data of the page of a record's messages.
type recordView struct {
	Kind, Record string
	Messages     []message
}

func (a *Authorities) record(c *page.Context) error {
	view := recordView{Record: c.ID()}
	err := c.View(func(tx page.Tx) error {
		found, err := tx.Briefs([]string{c.ID()})
		if err != nil {
			return err
		}
		f, ok := found[c.ID()]
		if !ok || a.Service.Of(f.Kind) == nil {
			return apierr.Missing()
		}
		view.Kind = f.Kind
		all, err := tx.AuthorityMessages(c.ID(), exchange.MaxMessages)
		view.Messages = shown(all)
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("authorities-record", "Messages", view)
}

func (a *Authorities) claim(c *page.Context) error {
	record := c.Value("recordId")
	err := c.Update(func(tx page.Tx) error {
		if !ident.IsUUID(record) {
			return apierr.Invalid(apierr.Detail{Field: "recordId", Message: "must be the id of a record"})
		}
		_, err := a.Service.Claim(tx, c.Call(), c.ID(), record)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return a.list(c) })
	}
	return c.RedirectWithNotice(path+"/records/"+record, "message-claimed")
}
