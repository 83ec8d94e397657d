package declare

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/paste"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// readEntry reads the form on one page into the worksheet.
func (d *Declare) readEntry(c *page.Context, tx page.Tx, f *entryView) error {
	s := f.Worksheet
	readTemplateName(c, s)
	if !f.GoodsOnly() {
		if err := d.readRecords(c, tx, s); err != nil {
			return err
		}
	}
	if err := readLines(c, f); err != nil {
		return err
	}
	readDocuments(c, s)
	readRates(c, f.Worksheet)
	readCosts(c, f)
	return d.fillProducts(tx, f)
}

// readRecords reads client and shipment. Their choices were made on the page that the form was shown on, which may not be stored.
func (d *Declare) readRecords(c *page.Context, tx page.Tx, s *worksheet.Worksheet) error {
	if chosen := c.Value("shown.client"); chosen != "" && chosen != s.ClientID {
		if err := d.selectClient(c, tx, s, chosen); err != nil {
			return err
		}
	}
	if chosen := c.Value("shown.shipment"); chosen != "" && chosen != s.ShipmentID {
		if _, err := d.selectShipment(tx, s, chosen); err != nil {
			return err
		}
	}
	readFields(c, worksheet.GeneralFields, "", &s.General)
	before := s.ClientID
	if err := d.readClient(c, tx, s); err != nil {
		return err
	}
	another, err := d.selectShipment(tx, s, c.Value("shipment"))
	if err != nil {
		return err
	}
	if !another {
		readFields(c, worksheet.ShipmentFields, "shipment.", &s.Shipment)
	}
	if s.ClientID != before && s.ShipmentID == "" && s.Shipment.Get("portOfEntry") == "" {
		return d.copyLastShipment(tx, s)
	}
	return nil
}

// readLines reads the goods: all lines from the script, or those that the page shows.
func readLines(c *page.Context, f *entryView) error {
	s := f.Worksheet
	f.From, f.line = buttonIndex(c.Value("goods.from")), buttonIndex(c.Value("goods.line"))
	if text := c.Value("goods.lines"); text != "" {
		var lines []worksheet.Line
		if json.Unmarshal([]byte(text), &lines) != nil || len(lines) > worksheet.MaxItems {
			return apierr.New(apierr.InvalidRequest, "The lines of the goods cannot be read. Go back and send the form again.")
		}
		f.moved = c.Value("goods.digest") != f.digest
		s.SetLines(lines)
		dropBlankLines(s)
		return nil
	}
	f.From = min(f.From, len(s.Items))
	for n := f.From; n < min(f.From+linesShown, worksheet.MaxItems); n++ {
		if !c.R.PostForm.Has(cellPath(n, "description")) {
			break
		}
		if n == len(s.Items) {
			s.Items = append(s.Items, worksheet.Part{})
		}
		readLine(c, n, &s.Items[n])
	}
	dropBlankLines(s)
	return nil
}

// dropBlankLines removes lines at the end in which nothing was typed. One line stays.
func dropBlankLines(s *worksheet.Worksheet) {
	for last := len(s.Items) - 1; last > 0 && s.Items[last].Empty() && s.Items[last].Kept == nil; last-- {
		s.Items = s.Items[:last]
	}
}

// readLine reads the cells of a line that the form has.
func readLine(c *page.Context, n int, p *worksheet.Part) {
	amount, currency := p.Price()
	for _, name := range worksheet.Columns {
		sent := c.R.PostForm[cellPath(n, name)]
		switch {
		case len(sent) == 0:
		case name == "itemPrice.amount":
			amount = worksheet.Field{}.Typed(sent[0])
		case name == "itemPrice.currency":
			currency = sent[0]
		default:
			p.SetCell(name, sent[0])
		}
	}
	if was, of := p.Price(); was != amount || of != currency {
		p.SetPrice(amount, currency)
	}
}

func cellPath(n int, name string) string { return "items[" + strconv.Itoa(n) + "]." + name }

// readDocuments reads the documents of the form, which may be more than are stored.
func readDocuments(c *page.Context, s *worksheet.Worksheet) {
	n := 0
	for ; n < worksheet.MaxDocuments && c.R.PostForm.Has(fmt.Sprintf("documents[%d].type", n)); n++ {
		if n == len(s.Documents) {
			s.Documents = append(s.Documents, worksheet.Part{})
		}
		readFields(c, worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n])
	}
	for len(s.Documents) > 0 && s.Documents[len(s.Documents)-1].Empty() {
		s.Documents = s.Documents[:len(s.Documents)-1] // the row for another document
	}
}

// readCosts reads freight and insurance, and spreads them over the lines.
func readCosts(c *page.Context, f *entryView) {
	s := f.Worksheet
	was := s.Costs()
	if was.Other || !c.R.PostForm.Has("freight.amount") {
		return
	}
	costs := worksheet.Costs{
		Freight:   worksheet.Cost{Amount: c.Value("freight.amount"), Currency: c.Value("freight.currency")},
		Insurance: worksheet.Cost{Amount: c.Value("insurance.amount"), Currency: c.Value("insurance.currency")},
		ByMass:    c.Value("spread") == "mass",
	}
	if !s.SetCosts(costs) {
		f.refused = append(f.refused, apierr.Detail{Field: "spread", Message: "by mass needs the net mass of each line, and an amount with at most 3 decimal places"})
	}
}

// pasteText adds lines that were pasted into the field for them.
func (d *Declare) pasteText(c *page.Context, f *entryView) error {
	table, err := paste.Read(c.Value("pasted"), worksheet.Columns[0])
	if err != nil {
		return err
	}
	s := f.Worksheet
	from := len(s.Items)
	if from == 1 && s.Items[0].Empty() && s.Items[0].Kept == nil {
		from = 0
	}
	if f.notes, err = table.Apply(s, from); err != nil {
		return err
	}
	f.From, f.pasted, f.added = from-from%linesShown, table, len(table.Lines)
	return nil
}

// pastedLines returns what a pasted text says, for the script.
func (d *Declare) pastedLines(c *page.Context) error {
	table, err := paste.Read(c.R.PostFormValue("pasted"), c.Value("first"))
	if err != nil {
		return err
	}
	return showJSON(c, table)
}

// lines returns the lines of a stored worksheet, for the script.
func (d *Declare) lines(c *page.Context) error {
	f := &entryView{stepView: &stepView{Step: stepPage}}
	if err := c.View(func(tx page.Tx) error { return d.openEntry(c, tx, f) }); err != nil {
		return err
	}
	return showJSON(c, f.Worksheet.Lines())
}

func showJSON(c *page.Context, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/json")
	_, _ = c.W.Write(raw) // fails only if the client has gone
	return nil
}
