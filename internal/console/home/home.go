// Package home is the front page of an organisation.
package home

import (
	"embed"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

//go:embed pages
var pages embed.FS

// Home is the area.
type Home struct{}

// Area is what the console shows of it.
func (h *Home) Area() page.Area {
	return page.Area{
		Name: "home", Pages: pages, Entries: []page.Entry{{Path: "/", Name: "Home"}},
		Routes: []page.Route{page.Get("/{$}", page.ForViewer, h.home)},
	}
}

// welcome is what the front page shows of the first steps.
type welcome struct {
	Organisation access.Organisation
	Keys         int // that are good, where the user may know
}

func (h *Home) home(v *page.Visit) error {
	var w welcome
	err := v.View(func(tx page.Tx) (err error) {
		if w.Organisation, err = tx.Organisation(); err != nil || !v.Guest.Role.Covers(tenant.Owner) {
			return err
		}
		keys, err := tx.Keys()
		for _, k := range keys {
			if k.State(tx.Now()) == access.ActiveKey {
				w.Keys++
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return v.Show("home", "Home", w)
}
