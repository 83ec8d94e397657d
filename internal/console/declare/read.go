package declare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// take keeps what was typed into the form of a step.
func (d *Declare) take(c *page.Context, tx page.Tx, f *form) error {
	s := f.Sheet
	switch f.Step {
	case worksheet.What:
		typed(c, worksheet.GeneralFields, "", &s.General)
		return d.takeWho(c, tx, s)
	case worksheet.Journey:
		another, err := d.travel(tx, s, c.Value("shipment"))
		if err == nil && !another {
			typed(c, worksheet.ShipmentFields, "shipment.", &s.Shipment)
		}
		return err
	case worksheet.Goods:
		if n, err := strconv.Atoi(c.Value("item")); err == nil {
			f.Item = min(max(n-1, 0), len(s.Items)-1)
			typed(c, worksheet.ItemFields, f.ItemPath(), &s.Items[f.Item])
		}
	case worksheet.Documents:
		for n := range s.Documents {
			typed(c, worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n])
		}
	}
	return nil
}

// typed keeps the fields that were sent. A box that is not ticked is sent as nothing.
func typed(c *page.Context, fields []worksheet.Field, prefix string, p *worksheet.Part) {
	for _, f := range fields {
		if sent := c.R.PostForm[prefix+f.Name]; len(sent) > 0 {
			p.Set(f.Name, f.Typed(sent[len(sent)-1]))
		}
	}
}

// takeWho keeps who the client is, and what was typed of it. The fields of a new client
// and of the one that was chosen before are apart, so that neither becomes the other's.
func (d *Declare) takeWho(c *page.Context, tx page.Tx, s *worksheet.Sheet) error {
	who, before, stranger := c.Value("client"), s.ClientID, c.Value("stranger") != ""
	if err := d.choose(c, tx, s, who); err != nil {
		return err
	}
	switch {
	case who == fresh && !stranger:
		s.Client = worksheet.Part{}
		typed(c, worksheet.ClientFields, "new.", &s.Client)
	case s.ClientID == before && s.NewClient == stranger && who != own:
		typed(c, worksheet.ClientFields, "client.", &s.Client)
	}
	if s.ClientID != before && s.Purpose() == worksheet.New { // the journey was another client's
		s.ShipmentID, s.WasJourney = "", worksheet.Part{}
	}
	return nil
}

// tidy leaves out what nothing was typed into.
func tidy(s *worksheet.Sheet) {
	s.Documents = slices.DeleteFunc(s.Documents, func(p worksheet.Part) bool { return p.Empty() })
}
