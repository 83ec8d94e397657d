// Package design is a page that shows the colours, type, distances and components of the console side by side, for those who
// build pages. A service that others can reach does not have it.
package design

import (
	"embed"
	"net/netip"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// Shown reports whether a service with a public URL has the page: only this machine reaches it under that URL.
func Shown(publicURL string) bool {
	public, err := url.Parse(publicURL)
	if err != nil {
		return false
	}
	at, err := netip.ParseAddr(public.Hostname())
	return public.Hostname() == "localhost" || err == nil && at.IsLoopback()
}

// Area returns the area's route and page.
func Area() page.Area {
	return page.Area{Name: "design", Pages: pages, Assets: assets, Routes: []page.Route{page.Get("/design", page.ForUser, show)}}
}

// designView is the data of the page.
type designView struct {
	Colours  []string // tokens of colours
	Statuses []string // of records
	Kinds    []string // of tags and notices
}

func show(c *page.Context) error {
	return c.Show("design", "Design", designView{
		Colours:  []string{"paper", "sheet", "inset", "ink", "soft", "line", "edge", "brand", "link", "act", "focus", "good", "bad", "wait", "note", "danger"},
		Statuses: []string{"DRAFT", "SUBMITTED", "ACCEPTED", "REJECTED", "CLEARED", "CANCELLED"},
		Kinds:    []string{"good", "note", "wait", "bad"},
	})
}
