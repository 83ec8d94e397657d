package explain

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// About returns the question about a stored declaration: its reported errors and its records.
func About(r *customs.Rejection) (q Question, err error) {
	organisation, err := json.Marshal(r.Organisation.Profile)
	q.Errors = ReportedErrors(r.Errors)
	q.Records = &Records{
		DeclarationID: r.Declaration.ID, ShipmentID: r.Shipment.ID, ClientID: r.Client.ID,
		Declaration: r.Declaration.Body, Shipment: r.Shipment.Body, Client: r.Client.Body, Organisation: organisation,
		Assigned: r.Declaration.Added, Document: []byte(r.Document),
	}
	return q, err
}
