package declare

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// worksheet returns the worksheet in the path: a stored one, or a new one for a stored
// declaration that can be amended or a stored template.
func (d *Declare) worksheet(c *page.Context, tx page.Tx) (*worksheet.Worksheet, error) {
	s, err := tx.Worksheet(c.Session.UserID, c.ID())
	switch {
	case apierr.Is(err, apierr.NotFound):
		if s, err = d.correction(tx, c.ID()); apierr.Is(err, apierr.NotFound) {
			s, err = d.ofTemplate(tx, c.ID())
		}
	case err == nil:
		err = d.open(c, &s)
	}
	return &s, err
}

// store stores a worksheet. Access codes of guarantees are stored encrypted.
func (d *Declare) store(c *page.Context, tx page.Tx, s *worksheet.Worksheet) error {
	_, codes, err := terms.AccessCodes.Take(s.General.Kept)
	if err != nil {
		return err
	}
	stored := *s
	if len(codes) > 0 {
		stored.General.Kept = nil
		if stored.Sealed, err = d.Filings.Vault(c.Session.Org).SealText(s.ID, s.General.Kept); err != nil {
			return err
		}
	}
	return tx.SaveWorksheet(c.Session.UserID, &stored)
}

// open is the reverse of store.
func (d *Declare) open(c *page.Context, s *worksheet.Worksheet) (err error) {
	if s.Sealed == "" {
		return nil
	}
	s.General.Kept, err = d.Filings.Vault(c.Session.Org).OpenText(s.ID, s.Sealed)
	s.Sealed = ""
	return err
}

// correction returns a new worksheet for a stored declaration.
func (d *Declare) correction(tx page.Tx, id string) (s worksheet.Worksheet, err error) {
	f, err := tx.Filing(d.Customs.Type.Kind, id)
	if err != nil {
		return s, err
	}
	if _, can := d.Customs.Type.Lifecycle.Find(f.Status, lifecycle.Amend); !can && customs.MayAmend(&f) != nil {
		return s, apierr.New(apierr.InvalidState, "This declaration can no longer be changed because it is %s.", statusText(f.Status))
	}
	return d.fromStored(tx, id)
}

// fromStored returns a worksheet with the values of a stored declaration, its shipment and its client.
func (d *Declare) fromStored(tx page.Tx, id string) (s worksheet.Worksheet, err error) {
	f, err := tx.Filing(d.Customs.Type.Kind, id)
	if err != nil {
		return s, err
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
	if s, err = worksheet.FromRecords(f.Body, shipment.Body, client.Body); err != nil {
		return s, err
	}
	if s.Sources, err = customs.SourcesOf(&f); err != nil {
		return s, err
	}
	s.ID, s.BaseVersion, s.ClientID, s.ShipmentID = id, f.Version, client.ID, shipment.ID
	s.StoredClient, s.StoredShipment = s.Client.Copy(), s.Shipment.Copy()
	return s, nil
}

func clientOf(shipment *filing.Filing) (string, error) {
	var named struct{ ClientID string }
	err := json.Unmarshal(shipment.Body, &named)
	return strings.ToLower(named.ClientID), err
}

func statusText(s lifecycle.State) string {
	return strings.ToLower(strings.ReplaceAll(string(s), "_", " "))
}

// validators returns the same checks that the API makes.
func (d *Declare) validators(c *page.Context) worksheet.Validators {
	return worksheet.Validators{Client: d.checker(c, d.Clients), Shipment: d.checker(c, d.Shipments), Declaration: d.checker(c, d.Customs.Type)}
}

// checker returns the checks of bodies of a kind.
func (d *Declare) checker(c *page.Context, t *filing.Type) func(json.RawMessage) []apierr.Detail {
	reader := schema.Validator{Schemas: d.Schemas}
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

// reviewInput returns the records that a worksheet without errors would be stored as.
func (d *Declare) reviewInput(tx page.Tx, s *worksheet.Worksheet) (p customs.ReviewInput, err error) {
	var declaration customs.Declaration
	var shipment customs.Shipment
	var client customs.Client
	for _, part := range []struct {
		body json.RawMessage
		into any
	}{{s.DeclarationBody(placeholderID), &declaration}, {s.ShipmentBody(placeholderID), &shipment}, {s.ClientBody(), &client}} {
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

// placeholderID is the id of a record that is not stored yet.
const placeholderID = "00000000-0000-0000-0000-000000000000"
