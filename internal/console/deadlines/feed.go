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

func (d *Deadlines) feed(v *page.Visit) error {
	shown, err := d.state(v)
	if err != nil {
		return err
	}
	return v.Show("deadlines-feed", "Deadlines in your own calendar", shown)
}

func (d *Deadlines) state(v *page.Visit) (s feedView, err error) {
	err = v.View(func(tx page.Tx) (err error) {
		s.Feed, s.Enabled, err = tx.Feed(v.Session.UserID)
		return err
	})
	return s, err
}

// makeFeed makes the user's feed, or renews it: the one before opens nothing any more.
func (d *Deadlines) makeFeed(v *page.Visit) error {
	shown := feedView{Enabled: true}
	err := v.Update(func(tx page.Tx) error {
		feed, token, err := d.Access.MakeFeed(tx, v.Call())
		shown.Feed, shown.Address = feed, d.Service.FeedAddress(token)
		return err
	})
	if err != nil {
		return err
	}
	return v.Show("deadlines-feed", "Deadlines in your own calendar", shown)
}

func (d *Deadlines) askToRevokeFeed(v *page.Visit) error {
	s, err := d.state(v)
	if err != nil {
		return err
	}
	if !s.Enabled {
		return apierr.Missing()
	}
	return v.Ask(page.Question{
		Title:  "Revoke your calendar feed?",
		Text:   []string{"Calendars that subscribed to cal_…" + s.Feed.Hint + " get nothing from that moment on. You can make a new feed, with a new address, at any time."},
		Action: "/deadlines/feed/revoke", Button: "Revoke feed", Back: "/deadlines/feed",
	})
}

func (d *Deadlines) revokeFeed(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return d.Access.RevokeFeed(tx, v.Call()) }); err != nil {
		return err
	}
	return v.Done("/deadlines/feed", "feed-revoked")
}
