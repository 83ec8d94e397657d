package deadlines

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// feedView is what the page of the feed shows.
type feedView struct {
	Enabled bool
	Feed    access.Feed
	Address string // of a feed that was just made; never again
}

func (d *Deadlines) feed(c *page.Context) error {
	shown, err := d.state(c)
	if err != nil {
		return err
	}
	return c.Show("deadlines-feed", "Deadlines in your own calendar", shown)
}

func (d *Deadlines) state(c *page.Context) (s feedView, err error) {
	err = c.View(func(tx page.Tx) (err error) {
		s.Feed, s.Enabled, err = tx.Feed(c.Session.UserID)
		return err
	})
	return s, err
}

// makeFeed makes the user's feed, or renews it: the one before opens nothing any more.
func (d *Deadlines) makeFeed(c *page.Context) error {
	shown := feedView{Enabled: true}
	err := c.Update(func(tx page.Tx) error {
		feed, token, err := d.Access.MakeFeed(tx, c.Call())
		shown.Feed, shown.Address = feed, d.Service.FeedAddress(token)
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("deadlines-feed", "Deadlines in your own calendar", shown)
}

func (d *Deadlines) askToRevokeFeed(c *page.Context) error {
	s, err := d.state(c)
	if err != nil {
		return err
	}
	if !s.Enabled {
		return apierr.Missing()
	}
	return c.Confirm(page.Confirmation{
		Title:  "Revoke your calendar feed?",
		Text:   []string{"Calendars that subscribed to cal_…" + s.Feed.Hint + " get nothing from that moment on. You can make a new feed, with a new address, at any time."},
		Action: "/deadlines/feed/revoke", Button: "Revoke feed", Back: "/deadlines/feed",
	})
}

func (d *Deadlines) revokeFeed(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return d.Access.RevokeFeed(tx, c.Call()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/deadlines/feed", "feed-revoked")
}
