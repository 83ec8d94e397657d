package declare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// take keeps what was typed into the form of a step.
func (d *Declare) take(v *page.Visit, tx page.Tx, f *form) error {
	s := f.Sheet
	switch f.Step {
	case worksheet.What:
		typed(v, worksheet.GeneralFields, "", &s.General)
		return d.takeWho(v, tx, s)
	case worksheet.Journey:
		another, err := d.travel(tx, s, v.Value("shipment"))
		if err == nil && !another {
			typed(v, worksheet.ShipmentFields, "shipment.", &s.Shipment)
		}
		return err
	case worksheet.Goods:
		if n, err := strconv.Atoi(v.Value("item")); err == nil {
			f.Item = min(max(n-1, 0), len(s.Items)-1)
			typed(v, worksheet.ItemFields, f.ItemPath(), &s.Items[f.Item])
		}
	case worksheet.Documents:
		for n := range s.Documents {
			typed(v, worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n])
		}
	}
	return nil
}

// typed keeps the fields that were sent. A box that is not ticked is sent as nothing.
func typed(v *page.Visit, fields []worksheet.Field, prefix string, p *worksheet.Part) {
	for _, f := range fields {
		if sent := v.R.PostForm[prefix+f.Name]; len(sent) > 0 {
			p.Set(f.Name, f.Typed(sent[len(sent)-1]))
		}
	}
}

// takeWho keeps who the client is, and what was typed of it. The fields of a new client
// and of the one that was chosen before are apart, so that neither becomes the other's.
func (d *Declare) takeWho(v *page.Visit, tx page.Tx, s *worksheet.Sheet) error {
	who, before, stranger := v.Value("client"), s.ClientID, v.Value("stranger") != ""
	if err := d.choose(v, tx, s, who); err != nil {
		return err
	}
	switch {
	case who == fresh && !stranger:
		s.Client = worksheet.Part{}
		typed(v, worksheet.ClientFields, "new.", &s.Client)
	case s.ClientID == before && s.Stranger == stranger && who != own:
		typed(v, worksheet.ClientFields, "client.", &s.Client)
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
