// Package sheets is the area of pages about one record that are read beside it or printed: the checklist for the site of an
// authority, the page for the driver of a vehicle, and the timeline of a shipment over all Hubs.
package sheets

import (
	"embed"
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
)

//go:embed pages assets
var files embed.FS

// Sheets is the area, with the services that it uses.
type Sheets struct {
	Types     []*filing.Type
	Timelines *timeline.Service
	Describer *wording.Describer
}

// Area returns the area's routes and pages.
func (a *Sheets) Area() page.Area {
	return page.Area{
		Name: "sheets", Pages: files, Assets: files, Partials: []fs.FS{wording.Partials()},
		Routes: []page.Route{
			page.Get("/records/{kind}/{id}/checklist", page.ForViewer, a.checklist),
			page.Get("/records/{kind}/{id}/driver", page.ForViewer, a.driver),
			page.Get("/shipments/{id}/timeline", page.ForViewer, a.timeline),
		},
	}
}

// sheet is the data of a page about a record.
type sheet struct {
	filing.Filing
	Noun, Name         string
	List               *checklist.List
	Sections           []checklist.SiteSection
	Reference          string // the authority's; empty for none
	SimulatedReference string // instead, if this service or a simulator made it
	Barcode            *code  // nil for none
	Ended              bool   // the record can no longer be used
}

// read reads the record in the path with the values of a list of its kind.
func (a *Sheets) read(c *page.Context, of func(*filing.Type) *checklist.List) (s sheet, err error) {
	t := a.kind(c.R.PathValue("kind"))
	if t == nil || of(t) == nil {
		return s, apierr.Missing()
	}
	s.List, s.Noun = of(t), t.Singular
	err = c.View(func(tx page.Tx) (err error) { s.Filing, err = tx.Filing(t.Kind, c.ID()); return err })
	if err != nil {
		return s, err
	}
	s.Name, s.Ended = s.Filing.Name(), t.Lifecycle.Final(s.Status)
	if s.Sections, err = s.List.Fill(t.Layout, s.Filing.AppendJSON(nil)); err != nil {
		return s, err
	}
	r, err := t.ReferenceOf(s.Added)
	if s.Reference = r.Value; !r.Source.IsOfAuthority() {
		s.Reference, s.SimulatedReference = "", r.Value
	}
	return s, err
}

func (a *Sheets) kind(name string) *filing.Type {
	for _, t := range a.Types {
		if t.Kind == name {
			return t
		}
	}
	return nil
}

func (a *Sheets) checklist(c *page.Context) error {
	s, err := a.read(c, func(t *filing.Type) *checklist.List { return t.Checklist })
	if err != nil {
		return err
	}
	return c.Show("sheets-checklist", "Checklist: "+s.Name, s)
}

// driver shows the page for the driver. Only a reference of the authority has a barcode, as long as the record can be used.
func (a *Sheets) driver(c *page.Context) error {
	s, err := a.read(c, func(t *filing.Type) *checklist.List { return t.Driver })
	if err != nil {
		return err
	}
	if s.Reference != "" && !s.Ended {
		if s.Barcode, err = barcodeOf(s.Reference); err != nil {
			return err
		}
	}
	return c.Show("sheets-driver", "For the driver: "+s.Name, s)
}
