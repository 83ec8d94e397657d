package declare

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// saver stores a worksheet in one transaction.
type saver struct {
	*Declare
	tx   page.Tx
	call tenant.Call
	s    *worksheet.Worksheet
}

// save stores client, shipment and declaration if they are new or changed, and deletes the
// worksheet.
func (d *Declare) save(c *page.Context, tx page.Tx, s *worksheet.Worksheet) (id string, err error) {
	in := saver{d, tx, c.Call(), s}
	clientID, err := in.client()
	if err != nil {
		return "", prefixFields("client", err)
	}
	shipmentID, err := in.shipment(clientID)
	if err != nil {
		return "", prefixFields("shipment", err)
	}
	if id, err = in.declaration(shipmentID); err != nil {
		return "", err
	}
	_, err = tx.DropWorksheet(c.Session.UserID, s.ID)
	return id, err
}

// prefixFields adds the record's name to the fields of an error.
func prefixFields(record string, err error) error {
	f, is := apierr.As(err)
	if !is || f.Code != apierr.InvalidRequest {
		return err
	}
	details := make([]apierr.Detail, len(f.Details))
	for i, d := range f.Details {
		details[i] = apierr.Detail{Field: record + "." + d.Field, Message: d.Message}
	}
	return apierr.Invalid(details...)
}

func (in *saver) client() (string, error) {
	if in.s.ClientID == "" {
		return in.create(in.Clients, in.s.ClientBody())
	}
	stored, err := in.tx.Filing(in.Clients.Kind, in.s.ClientID)
	if err != nil {
		return "", err
	}
	was, err := worksheet.ParsePart(worksheet.ClientFields, stored.Body)
	if err != nil {
		return "", err
	}
	now, changed := in.s.Client.Merge(in.s.StoredClient, was)
	if !changed {
		return stored.ID, nil
	}
	return stored.ID, in.amend(in.Clients, &stored, (&worksheet.Worksheet{Client: now}).ClientBody(), "reference")
}

func (in *saver) shipment(clientID string) (string, error) {
	if in.s.ShipmentID == "" {
		return in.create(in.Shipments, in.s.ShipmentBody(clientID))
	}
	stored, err := in.tx.Filing(in.Shipments.Kind, in.s.ShipmentID)
	if err != nil {
		return "", err
	}
	was, err := worksheet.ParsePart(worksheet.ShipmentFields, stored.Body)
	if err != nil {
		return "", err
	}
	owner, err := clientOf(&stored)
	if err != nil {
		return "", err
	}
	now, changed := in.s.Shipment.Merge(in.s.StoredShipment, was)
	if !changed && owner == clientID {
		return stored.ID, nil
	}
	return stored.ID, in.amend(in.Shipments, &stored, (&worksheet.Worksheet{Shipment: now}).ShipmentBody(clientID))
}

func (in *saver) declaration(shipmentID string) (string, error) {
	body := in.s.DeclarationBody(shipmentID)
	if in.s.Purpose() == worksheet.New {
		id, err := in.create(in.Customs.Type, body)
		if err != nil || len(in.s.Sources) == 0 {
			return id, err
		}
		return id, in.tx.MoveAttachments(in.s.ID, id)
	}
	stored, err := in.tx.Filing(in.Customs.Type.Kind, in.s.ID)
	if err != nil {
		return "", err
	}
	if stored.Version != in.s.BaseVersion {
		return "", apierr.New(apierr.InvalidState, "Another user has changed this declaration in the meantime. Discard your changes and start again from the present version.")
	}
	parsed, err := in.correction(in.Customs.Type, &stored, body)
	if err != nil {
		return "", err
	}
	_, err = in.Customs.Amend(in.tx, in.call, stored.ID, parsed)
	return stored.ID, err
}

func (in *saver) create(t *filing.Type, body json.RawMessage) (string, error) {
	parsed, err := t.Parse(body, in.tx.Now())
	if err != nil {
		return "", err
	}
	var source struct{ Supplements string } // of the declaration that the form was filled from, if it completes one
	if err := json.Unmarshal(body, &source); err != nil {
		return "", err
	}
	parsed = parsed.KeepSecretsFrom(strings.ToLower(source.Supplements))
	if t == in.Customs.Type {
		parsed = customs.WithSources(parsed, in.s.Sources)
	}
	f, err := in.Filings.Create(in.tx, in.call, t, parsed)
	return f.ID, err
}

// correction parses the new input of a record. References and metadata that the form does not have stay.
func (in *saver) correction(t *filing.Type, stored *filing.Filing, body json.RawMessage, asked ...string) (filing.Input, error) {
	parsed, err := t.Parse(body, in.tx.Now())
	if err != nil {
		return parsed, err
	}
	return parsed.KeepLabels(t, stored, asked...)
}

// amend corrects a record; asked are the labels that the form has.
func (in *saver) amend(t *filing.Type, stored *filing.Filing, body json.RawMessage, asked ...string) error {
	parsed, err := in.correction(t, stored, body, asked...)
	if err != nil {
		return err
	}
	_, err = in.Filings.Transition(in.tx, in.call, t, stored.ID, lifecycle.Amend, filing.TransitionData{Input: &parsed})
	return err
}
