package declare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// readStep reads the form of a step into the worksheet.
func (d *Declare) readStep(c *page.Context, tx page.Tx, f *stepView) error {
	s := f.Worksheet
	switch f.Step {
	case worksheet.StepBasics:
		readFields(c, worksheet.GeneralFields, "", &s.General)
		return d.readClient(c, tx, s)
	case worksheet.StepJourney:
		another, err := d.selectShipment(tx, s, c.Value("shipment"))
		if err == nil && !another {
			readFields(c, worksheet.ShipmentFields, "shipment.", &s.Shipment)
		}
		return err
	case worksheet.StepGoods:
		readRates(c, s)
		if n, err := strconv.Atoi(c.Value("item")); err == nil {
			f.Item = min(max(n-1, 0), len(s.Items)-1)
			readFields(c, worksheet.ItemFields, f.ItemPath(), &s.Items[f.Item])
		}
	case worksheet.StepDetails, worksheet.StepItem:
		if n, err := strconv.Atoi(c.Value("item")); err == nil {
			f.Item = min(max(n-1, 0), len(s.Items)-1)
		}
		return d.readMembers(c, f)
	case worksheet.StepDocuments:
		for n := range s.Documents {
			readFields(c, worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n])
		}
	}
	return nil
}

// readFields reads submitted fields. Each checkbox has a hidden field, so that an unchecked one is submitted as empty.
func readFields(c *page.Context, fields []worksheet.Field, prefix string, p *worksheet.Part) {
	for _, f := range fields {
		if sent := c.R.PostForm[prefix+f.Name]; len(sent) > 0 {
			p.Set(f.Name, f.Typed(sent[len(sent)-1]))
		}
	}
}

// readClient reads the choice of the client and its fields. The fields of a new client have
// another prefix than those of the chosen one, so that they cannot be mixed up.
func (d *Declare) readClient(c *page.Context, tx page.Tx, s *worksheet.Worksheet) error {
	who, before, newClient := c.Value("client"), s.ClientID, c.Value("new-client") != ""
	if err := d.selectClient(c, tx, s, who); err != nil {
		return err
	}
	switch {
	case who == newRecord && !newClient:
		s.Client = worksheet.Part{}
		readFields(c, worksheet.ClientFields, "new.", &s.Client)
	case s.ClientID == before && s.NewClient == newClient && who != ownOrganisation:
		readFields(c, worksheet.ClientFields, "client.", &s.Client)
	}
	if s.ClientID != before && s.Purpose() == worksheet.New { // the shipment belongs to the previous client
		s.ShipmentID, s.StoredShipment = "", worksheet.Part{}
	}
	return nil
}

// dropEmptyDocuments removes documents without any input.
func dropEmptyDocuments(s *worksheet.Worksheet) {
	s.Documents = slices.DeleteFunc(s.Documents, func(p worksheet.Part) bool { return p.Empty() })
}
