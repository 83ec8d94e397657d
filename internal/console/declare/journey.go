package declare

import (
	"cmp"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// journeys are the latest shipments of the client, and a new one; none for a client
// who has had none.
func (d *Declare) journeys(tx page.Tx, s *worksheet.Sheet) (all []choice, err error) {
	if s.ClientID == "" {
		return nil, nil
	}
	latest, err := tx.Filings(filing.Query{Kind: d.Shipments.Kind, Limit: journeysRead})
	if err != nil {
		return nil, err
	}
	for i := range latest {
		f := &latest[i]
		client, err := clientOf(&filing.Filing{Body: shown(f)})
		if err != nil {
			return nil, err
		}
		if client != s.ClientID && f.ID != s.ShipmentID || len(all) >= journeysOffered {
			continue
		}
		p, err := worksheet.PartOf(worksheet.ShipmentFields, shown(f))
		if err != nil {
			return nil, err
		}
		hint := cmp.Or(p.Get("portOfEntry"), "?") + ", " + modes[p.Get("transportMode")]
		if ship := p.Get("vesselName"); ship != "" {
			hint += ", " + ship
		}
		all = append(all, choice{"shipment", f.ID, added(f).Reference, hint, f.ID == s.ShipmentID})
	}
	if all == nil {
		return nil, nil
	}
	return append([]choice{{"shipment", fresh, "A new journey", "", s.ShipmentID == ""}}, all...), nil
}

var modes = map[string]string{"SEA": "by sea", "AIR": "by air", "ROAD": "by road", "RAIL": "by rail"}

// travel makes a shipment the one of a worksheet, with what is known of it, and tells
// whether it is another than before.
func (d *Declare) travel(tx page.Tx, s *worksheet.Sheet, which string) (another bool, err error) {
	switch which {
	case "", s.ShipmentID:
		return false, nil
	case fresh:
		another = s.ShipmentID != ""
		s.ShipmentID, s.WasJourney = "", worksheet.Part{}
		return another, nil
	}
	f, err := tx.Filing(d.Shipments.Kind, which)
	if err != nil {
		return false, err
	}
	p, err := worksheet.PartOf(worksheet.ShipmentFields, f.Body)
	if err != nil {
		return false, err
	}
	s.ShipmentID, s.Shipment, s.WasJourney = f.ID, p, p.Copy()
	return true, nil
}

// names that the service gave to a record.
type given struct{ LRN, Reference string }

func added(f *filing.Filing) (g given) {
	_ = json.Unmarshal(f.Added, &g) // what the service wrote can be read
	return g
}
