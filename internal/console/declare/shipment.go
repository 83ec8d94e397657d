package declare

import (
	"cmp"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// shipmentChoices returns the latest shipments of the client and the choice of a new one;
// nil if the client has no shipments.
func (d *Declare) shipmentChoices(tx page.Tx, s *worksheet.Worksheet) (all []choice, err error) {
	if s.ClientID == "" {
		return nil, nil
	}
	latest, err := tx.Filings(filing.Query{Kind: d.Shipments.Kind, Status: d.Shipments.Lifecycle.Listed(), Limit: maxShipmentsRead})
	if err != nil {
		return nil, err
	}
	for i := range latest {
		f := &latest[i]
		client, err := clientOf(&filing.Filing{Body: inputOf(f)})
		if err != nil {
			return nil, err
		}
		if client != s.ClientID && f.ID != s.ShipmentID || len(all) >= recentShipments {
			continue
		}
		p, err := worksheet.ParsePart(worksheet.ShipmentFields, inputOf(f))
		if err != nil {
			return nil, err
		}
		hint := worksheet.WithName("ports", cmp.Or(p.Get("portOfEntry"), "?")) + ", " + modes[p.Get("transportMode")]
		if ship := p.Get("vesselName"); ship != "" {
			hint += ", " + ship
		}
		all = append(all, choice{"shipment", f.ID, added(f).Reference, hint, f.ID == s.ShipmentID})
	}
	if all == nil {
		return nil, nil
	}
	return append([]choice{{"shipment", newRecord, "New shipment", "", s.ShipmentID == ""}}, all...), nil
}

var modes = map[string]string{"SEA": "by sea", "AIR": "by air", "ROAD": "by road", "RAIL": "by rail"}

// selectShipment sets the worksheet's shipment and its fields, and reports whether it is
// a different one than before.
func (d *Declare) selectShipment(tx page.Tx, s *worksheet.Worksheet, which string) (changed bool, err error) {
	switch which {
	case "", s.ShipmentID:
		return false, nil
	case newRecord:
		changed = s.ShipmentID != ""
		s.ShipmentID, s.StoredShipment = "", worksheet.Part{}
		return changed, nil
	}
	f, err := tx.Filing(d.Shipments.Kind, which)
	if err != nil {
		return false, err
	}
	p, err := worksheet.ParsePart(worksheet.ShipmentFields, f.Body)
	if err != nil {
		return false, err
	}
	s.ShipmentID, s.Shipment, s.StoredShipment = f.ID, p, p.Copy()
	return true, nil
}

// addedNames are the names that the service gave to a record.
type addedNames struct{ LRN, Reference string }

func added(f *filing.Filing) (g addedNames) {
	_ = json.Unmarshal(f.Added, &g) // written by the service, so it is valid
	return g
}
