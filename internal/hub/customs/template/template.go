// Package template is for bodies of declarations that are used again: a template belongs to a client, and declarations are made
// from it with what differs from one consignment to the next. A template that repeats makes drafts by itself.
package template

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// Template is the body of a declaration, or a part of one.
type Template struct {
	ClientID   string          `json:"clientId" format:"uuid" doc:"The client for whose declarations it is" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Name       string          `json:"name" minLength:"1" maxLength:"200" doc:"Name" example:"Shirts from Bangladesh"`
	Body       filing.FreeForm `json:"body" doc:"Members of a declaration, any of which can be left out" example:"{\"declarationType\":\"IMPORT\",\"dataSet\":\"H1\",\"items\":[{\"commodityCode\":\"6109100010\",\"description\":\"Cotton T-shirts\",\"countryOfOrigin\":\"BD\"}]}"`
	Recurrence *Recurrence     `json:"recurrence,omitempty" doc:"When drafts are made by themselves; absent for never. They are never submitted by themselves"`

	filing.Labels
}

// Adds is what the service adds to a template.
type Adds struct {
	filing.Archival
	filing.Assignment
	Repeated  *Repeated `json:"repeated,omitempty" doc:"What the last date of the recurrence led to; absent before the first"`
	NextDates []string  `json:"nextDates,omitempty" doc:"The next dates of the recurrence, at most five, in London. Only the record by itself has them" example:"[\"2026-11-30\"]"`
}

// Kind is the kind of templates.
const Kind = "template"

// Templates defines the kind of record for templates.
var Templates = filing.Definition[Template]{
	Kind: Kind, Hub: customs.HubID, Path: "/api/templates", Singular: "template", Plural: "templates", Tag: "Declarations", Area: "Templates",
	Plain: true, Adds: Adds{}, Lifecycle: repeating, Check: check, Timer: timerOf, Shown: shown, LargeFields: []string{"body"},
	Description: "A declaration, or a part of one, that is used again. Declarations of the client are made from it.",
	MainFields:  []string{"name"},
	Needs: func(t *Template) []filing.Need {
		needs := []filing.Need{{Field: "clientId", Kind: customs.Clients.Kind, ID: t.ClientID}}
		if r := t.Recurrence; r != nil && r.ShipmentID != "" {
			needs = append(needs, filing.Need{Field: "recurrence.shipmentId", Kind: customs.Shipments.Kind, ID: r.ShipmentID})
		}
		return needs
	},
}

// checker returns what is wrong with a part of a declaration.
var checker = sync.OnceValue(func() func([]byte) []apierr.Detail {
	schemas := schema.NewSchemas()
	declaration := schemas.Of(reflect.TypeFor[customs.Declaration]())
	return func(body []byte) []apierr.Detail {
		return schema.Validator{Schemas: schemas}.CheckMergePatch(declaration, body)
	}
})

// check rejects members that no declaration has, and access codes.
func check(t *Template) []apierr.Detail {
	body, err := json.Marshal(t.Body)
	if err != nil {
		return []apierr.Detail{{Field: "body", Message: "cannot be read"}}
	}
	details := checker()(body)
	for n := range details {
		details[n].Field = strings.TrimSuffix("body."+details[n].Field, ".body")
	}
	if t.Recurrence != nil {
		details = append(details, t.Recurrence.check(t.Body["shipmentId"] != nil)...)
	}
	return append(details, accessCodes(t.Body)...)
}

// Fill returns the body of a declaration: that of a stored template with a merge patch. The declaration must be of the
// template's client.
func Fill(tx filing.View, id string, patch json.RawMessage) (json.RawMessage, error) {
	f, err := tx.Filing(Kind, id)
	if err != nil {
		return nil, err
	}
	if f.Status == lifecycle.Archived {
		return nil, apierr.New(apierr.InvalidState, "The template is archived. Unarchive it to make declarations from it.")
	}
	var t Template
	if err := json.Unmarshal(f.Body, &t); err != nil {
		return nil, err
	}
	body, err := json.Marshal(t.Body)
	if err != nil {
		return nil, err
	}
	// The template itself is a patch of nothing: a null in it means that a member is absent.
	if body, err = filing.MergePatch(json.RawMessage("{}"), body); err != nil {
		return nil, err
	}
	if body, err = filing.MergePatch(body, patch); err != nil {
		return nil, err
	}
	return body, sameClient(tx, &t, body)
}

// sameClient rejects a shipment of another client. A shipment that does not exist is rejected when the declaration is made.
func sameClient(tx filing.View, t *Template, body json.RawMessage) error {
	var of struct{ ShipmentID, ClientID string }
	if json.Unmarshal(body, &of) != nil || of.ShipmentID == "" {
		return nil // the schema of declarations reports it
	}
	shipment, err := tx.Filing(customs.Shipments.Kind, strings.ToLower(of.ShipmentID))
	if apierr.Is(err, apierr.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(shipment.Body, &of); err != nil {
		return err
	}
	if !strings.EqualFold(of.ClientID, t.ClientID) {
		return apierr.Invalid(apierr.Detail{Field: "shipmentId", Message: "is a shipment of another client than the template's"})
	}
	return nil
}
