package closure

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// ClosingInput is the body of the operation that closes an organisation.
type ClosingInput struct {
	Name string `json:"name" minLength:"1" maxLength:"140" doc:"Name, to confirm" example:"Harbour Customs Services Ltd"`
}

// ClosingBody is the organisation in the responses to closing and restoring it.
type ClosingBody struct {
	ID          string  `json:"id" format:"uuid" doc:"Id of the organisation"`
	Name        string  `json:"name" doc:"Name"`
	ClosedAt    *string `json:"closedAt" format:"date-time" doc:"When it was closed; null if it is open"`
	DeleteAfter *string `json:"deleteAfter" format:"date-time" doc:"When its data is deleted; null if it is open"`
}

// NewClosingBody converts an organisation for the response.
func NewClosingBody(o access.Organisation) map[string]ClosingBody {
	b := ClosingBody{ID: string(o.ID), Name: o.Name}
	if c := o.Closing; c.Closed() {
		at, after := audit.Instant(c.At), audit.Instant(c.DeleteAfter)
		b.ClosedAt, b.DeleteAfter = &at, &after
	}
	return map[string]ClosingBody{"organisation": b}
}
