// Package customs is the Hub that every organisation has: clients, shipments and
// declarations, how they become a message to customs, and what customs answers.
package customs

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// HubID is the id of the foundational Hub.
const HubID = "customs"

// Client is an importer or exporter that the organisation works for, or itself.
type Client struct {
	Name         string `json:"name" minLength:"1" maxLength:"140" doc:"Name of the trader" example:"Harbour Textiles Ltd"`
	EORI         string `json:"eori,omitempty" maxLength:"17" doc:"Economic Operators Registration and Identification number" example:"GB123456789000"`
	VATNumber    string `json:"vatNumber,omitempty" maxLength:"14" doc:"VAT registration number" example:"GB123456789"`
	Email        string `json:"email,omitempty" maxLength:"254" doc:"Where to write" example:"imports@example.com"`
	Phone        string `json:"phone,omitempty" maxLength:"30" doc:"Where to call" example:"+44 1394 555000"`
	AddressLine1 string `json:"addressLine1,omitempty" maxLength:"70" doc:"First line of the address" example:"2 Mill Lane"`
	AddressLine2 string `json:"addressLine2,omitempty" maxLength:"70" doc:"Second line of the address"`
	City         string `json:"city,omitempty" maxLength:"35" doc:"Town or city" example:"Ipswich"`
	Postcode     string `json:"postcode,omitempty" maxLength:"9" doc:"Postcode" example:"IP1 1AA"`
	Country      string `json:"country,omitempty" format:"country" maxLength:"2" doc:"ISO 3166-1 alpha-2 country" example:"GB"`
	ContactName  string `json:"contactName,omitempty" maxLength:"140" doc:"Who to ask" example:"A. Trader"`
	Role         string `json:"role,omitempty" enum:"IMPORTER,EXPORTER,BOTH" doc:"What the client does" example:"IMPORTER"`
	Reference    string `json:"reference,omitempty" maxLength:"35" doc:"The organisation's own name for the client" example:"C-1001"`
}

// Active is the one state of clients and shipments: they are kept, not filed.
const Active lifecycle.State = "ACTIVE"

var kept = lifecycle.Table{
	Initial: Active,
	States:  []lifecycle.State{Active},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{Active}, By: lifecycle.Amend, Guard: lifecycle.Member, Event: "updated", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
	},
}

// Clients are the kind of record that a Client is.
var Clients = filing.Definition[Client]{
	Kind: "client", Hub: HubID, Path: "/api/clients", One: "client", Many: "clients", Tag: "Shipments and Clients",
	Plain: true, Lifecycle: kept, Names: namesOf,
	About:      "The importers and exporters that you declare for, or yourself. A shipment belongs to one of them.",
	MainFields: []string{"name", "eori", "role", "city", "country"},
}

// Names that a client goes by.
const (
	clientEORI = "client.eori"
	ClientName = "client.name"
)

// namesOf tells a client by its EORI or, without one, by its name.
func namesOf(c *Client) []filing.Key {
	name := filing.Key{Name: ClientName, Value: normalise(c.Name)}
	if eori := normalise(c.EORI); eori != "" {
		return []filing.Key{{Name: clientEORI, Value: eori}, name}
	}
	return []filing.Key{name}
}

// normalise is text in capitals without spaces, so that a name is found however it was typed.
func normalise(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
}

// Names finds records by what they go by.
type Names interface {
	NamedLike(name, text string, limit int) (ids []string, err error)
}

// FindClients are the latest few clients with a text in their name or EORI.
func FindClients(tx interface {
	filing.View
	Names
}, text string, limit int) (found []filing.Filing, err error) {
	var ids []string
	for _, name := range []string{ClientName, clientEORI} {
		some, err := tx.NamedLike(name, normalise(text), limit)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	slices.Reverse(ids) // ids rise with time
	ids = slices.Compact(ids)
	for _, id := range ids[:min(len(ids), limit)] {
		f, err := tx.Filing(Clients.Kind, id)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// ClientByEORI is the latest client with an EORI.
func ClientByEORI(tx interface {
	Namesakes(names []filing.Key, but string) ([]filing.Namesake, error)
}, eori string) (id string, found bool, err error) {
	all, err := tx.Namesakes([]filing.Key{{Name: clientEORI, Value: normalise(eori)}}, nobody)
	if err != nil || len(all) == 0 {
		return "", false, err
	}
	return all[0].ID, true, nil
}
