package deadlines

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// feedView is the data of the feed page.
type feedView struct {
	Enabled bool
	Feed    access.Feed
	Address string // URL of a new feed, shown once
}

func (d *Deadlines) feed(c *page.Context) error {
	shown, err := d.feedState(c)
	if err != nil {
		return err
	}
	return c.Show("deadlines-feed", "Calendar feed of deadlines", shown)
}

func (d *Deadlines) feedState(c *page.Context) (s feedView, err error) {
	err = c.View(func(tx page.Tx) (err error) {
		s.Feed, s.Enabled, err = tx.Feed(c.Session.UserID)
		return err
	})
	return s, err
}

// createFeed creates the user's feed. A feed before it stops working.
func (d *Deadlines) createFeed(c *page.Context) error {
	shown := feedView{Enabled: true}
	err := c.Update(func(tx page.Tx) error {
		feed, token, err := d.Access.MakeFeed(tx, c.Call())
		shown.Feed, shown.Address = feed, d.Service.FeedAddress(token)
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("deadlines-feed", "Calendar feed of deadlines", shown)
}

func (d *Deadlines) confirmRevokeFeed(c *page.Context) error {
	s, err := d.feedState(c)
	if err != nil {
		return err
	}
	if !s.Enabled {
		return apierr.Missing()
	}
	return c.Confirm(page.Confirmation{
		Title:  "Revoke your calendar feed?",
		Text:   []string{"Calendars that subscribed to cal_…" + s.Feed.Hint + " will no longer be updated. You can create a new feed at any time; it has another URL."},
		Action: "/deadlines/feed/revoke", Button: "Revoke feed", Back: "/deadlines/feed",
	})
}

func (d *Deadlines) revokeFeed(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return d.Access.RevokeFeed(tx, c.Call()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/deadlines/feed", "feed-revoked")
}
