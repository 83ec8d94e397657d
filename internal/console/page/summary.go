package page

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// DeclarationSummary is a declaration as it would be sent, in a few lines; zero for other records.
type DeclarationSummary struct {
	Goods     []Goods // the first items
	Items     int
	Client    string
	Amendment string // the reason of an amendment; empty for a submission
}

// Goods is an item of a declaration.
type Goods struct{ Code, Description, Origin, Net, Value string }

// maxGoods is how many items of a declaration a summary lists.
const maxGoods = 50

// SummaryOf returns the summary of a declaration.
func SummaryOf(tx Tx, f *filing.Filing) (s DeclarationSummary, err error) {
	if f.Kind != customs.DeclarationKind {
		return s, nil
	}
	body, reason, err := customs.ProposedBody(tx, f)
	if err != nil {
		return s, err
	}
	var d customs.Declaration
	if err := json.Unmarshal(body, &d); err != nil {
		return s, fmt.Errorf("console: declaration: %w", err)
	}
	s.Items, s.Amendment = len(d.Items), reason
	for i := range d.Items[:min(len(d.Items), maxGoods)] {
		item := &d.Items[i]
		g := Goods{Code: item.CommodityCode, Description: item.Description, Origin: item.CountryOfOrigin}
		if item.NetMassKg != nil {
			g.Net = item.NetMassKg.String()
		}
		switch {
		case item.CustomsValueGBP != nil:
			g.Value = item.CustomsValueGBP.String()
		case item.Priced():
			g.Value = item.ItemPrice.Currency + " " + item.ItemPrice.Amount.String()
		}
		s.Goods = append(s.Goods, g)
	}
	shipment, err := tx.Filing(customs.Shipments.Kind, d.ShipmentID)
	if err != nil {
		return s, err
	}
	var of struct{ ClientID string }
	if err := json.Unmarshal(shipment.Body, &of); err != nil {
		return s, err
	}
	client, err := tx.Filing(customs.Clients.Kind, of.ClientID)
	s.Client = client.Name()
	return s, err
}
