package declare

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// sheet is the worksheet that the path names: one that was begun, or else a declaration
// that can be corrected.
func (d *Declare) sheet(c *page.Context, tx page.Tx) (*worksheet.Sheet, error) {
	s, err := tx.Worksheet(c.Session.UserID, c.ID())
	if apierr.Is(err, apierr.NotFound) {
		s, err = d.correction(tx, c.ID())
	}
	return &s, err
}

// correction is a worksheet of a stored declaration.
func (d *Declare) correction(tx page.Tx, id string) (s worksheet.Sheet, err error) {
	f, err := tx.Filing(d.Customs.Type.Kind, id)
	if err != nil {
		return s, err
	}
	if _, can := d.Customs.Type.Lifecycle.Find(f.Status, lifecycle.Amend); !can {
		return s, apierr.New(apierr.InvalidState, "This declaration can no longer be changed: it is %s.", inWords(f.Status))
	}
	var declared struct{ ShipmentID string }
	if err := json.Unmarshal(f.Body, &declared); err != nil {
		return s, err
	}
	shipment, err := tx.Filing(d.Shipments.Kind, strings.ToLower(declared.ShipmentID))
	if err != nil {
		return s, err
	}
	clientID, err := clientOf(&shipment)
	if err != nil {
		return s, err
	}
	client, err := tx.Filing(d.Clients.Kind, clientID)
	if err != nil {
		return s, err
	}
	if s, err = worksheet.Of(f.Body, shipment.Body, client.Body); err != nil {
		return s, err
	}
	s.ID, s.Corrects, s.ClientID, s.ShipmentID = id, f.Version, client.ID, shipment.ID
	s.WasClient, s.WasJourney = s.Client.Copy(), s.Shipment.Copy()
	return s, nil
}

func clientOf(shipment *filing.Filing) (string, error) {
	var named struct{ ClientID string }
	err := json.Unmarshal(shipment.Body, &named)
	return strings.ToLower(named.ClientID), err
}

func inWords(s lifecycle.State) string {
	return strings.ToLower(strings.ReplaceAll(string(s), "_", " "))
}

// rules hold a worksheet to what the API holds a body to.
func (d *Declare) rules(c *page.Context) worksheet.Checks {
	reader := schema.Validator{Schemas: d.Schemas}
	held := func(t *filing.Type) func(json.RawMessage) []apierr.Detail {
		return func(body json.RawMessage) []apierr.Detail {
			if details := reader.Check(d.Schemas.Of(t.Body), body); details != nil {
				return details
			}
			_, err := t.Parse(body, c.Now())
			if f, is := apierr.As(err); is {
				return f.Details
			}
			return nil
		}
	}
	return worksheet.Checks{Client: held(d.Clients), Shipment: held(d.Shipments), Declaration: held(d.Customs.Type)}
}

// papers are what a worksheet would be, stored; only of one without faults.
func (d *Declare) papers(tx page.Tx, s *worksheet.Sheet) (p customs.ReviewInput, err error) {
	var declaration customs.Declaration
	var shipment customs.Shipment
	var client customs.Client
	for _, part := range []struct {
		body json.RawMessage
		into any
	}{{s.DeclarationBody(unknown), &declaration}, {s.ShipmentBody(unknown), &shipment}, {s.ClientBody(), &client}} {
		if err := json.Unmarshal(part.body, part.into); err != nil {
			return p, err
		}
	}
	id := ""
	if s.Purpose() == worksheet.Correction {
		id = s.ID
	}
	return d.Customs.ReviewInputOfDraft(tx, id, declaration, shipment, client)
}

// unknown stands for a record that is not stored yet.
const unknown = "00000000-0000-0000-0000-000000000000"
