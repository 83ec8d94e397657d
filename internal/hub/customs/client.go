// Package customs is the Hub that every organisation has: clients, shipments and declarations, their submission to CDS, and
// the messages of CDS.
package customs

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// HubID is the ID of this Hub.
const HubID = "customs"

// Client is an importer or exporter: a customer of the organisation, or the organisation itself.
type Client struct {
	Name         string `json:"name" minLength:"1" maxLength:"140" doc:"Name" example:"Harbour Textiles Ltd"`
	EORI         string `json:"eori,omitempty" maxLength:"17" doc:"EORI number" example:"GB123456789000"`
	VATNumber    string `json:"vatNumber,omitempty" maxLength:"14" doc:"VAT registration number" example:"GB123456789"`
	Email        string `json:"email,omitempty" maxLength:"254" doc:"Email address" example:"imports@example.com"`
	Phone        string `json:"phone,omitempty" maxLength:"30" doc:"Telephone number" example:"+44 1394 555000"`
	AddressLine1 string `json:"addressLine1,omitempty" maxLength:"70" doc:"First line of the address" example:"2 Mill Lane"`
	AddressLine2 string `json:"addressLine2,omitempty" maxLength:"70" doc:"Second line of the address"`
	City         string `json:"city,omitempty" maxLength:"35" doc:"Town or city" example:"Ipswich"`
	Postcode     string `json:"postcode,omitempty" maxLength:"9" doc:"Postcode" example:"IP1 1AA"`
	Country      string `json:"country,omitempty" format:"country" maxLength:"2" doc:"Country" example:"GB"`
	ContactName  string `json:"contactName,omitempty" maxLength:"140" doc:"Contact person" example:"A. Trader"`
	Role         string `json:"role,omitempty" enum:"IMPORTER,EXPORTER,BOTH" doc:"Role of the client" example:"IMPORTER"`
	Reference    string `json:"reference,omitempty" maxLength:"35" doc:"The organisation's own reference of the client" example:"C-1001"`

	Representation   string `json:"representation,omitempty" enum:"DIRECT,INDIRECT,SELF" doc:"How the organisation represents this client (DE 3/21)" example:"DIRECT"`
	DefermentAccount string `json:"defermentAccount,omitempty" pattern:"^[0-9]{7}$" doc:"Duty deferment account (DE 2/6)" example:"1108654"`

	terms.Terms
	filing.Tags
}

// Label returns the organisation's own reference of the client, with its tags.
func (c Client) Label() filing.Label { return filing.Label{Reference: c.Reference, Tags: c.Tags} }

// ClientAdds is what the service adds to a client.
type ClientAdds struct{ filing.Archival }

// Clients defines the kind of record for clients.
var Clients = filing.Definition[Client]{
	Kind: "client", Hub: HubID, Path: "/api/clients", Singular: "client", Plural: "clients", Tag: "Shipments and Clients",
	Plain: true, Adds: ClientAdds{}, Lifecycle: lifecycle.Archivable, ListColumns: []string{"representationAuthority", "guarantees", "authorisations"}, Names: namesOf, Deadlines: dueTerms, Secrets: &terms.AccessCodes,
	Description: "The importers and exporters that you declare for, or yourself. A shipment belongs to one of them.",
	MainFields:  []string{"name", "eori", "role", "city", "country"},
}

// Kinds of names of a client.
const (
	clientEORI = "client.eori"
	ClientName = "client.name"
)

// namesOf returns the client's EORI numbers and its name.
func namesOf(c *Client) []filing.Key {
	var all []filing.Key
	for _, eori := range []string{normalise(c.EORI), normalise(c.XIEORI)} {
		if eori != "" {
			all = append(all, filing.Key{Name: clientEORI, Value: eori})
		}
	}
	if slices.ContainsFunc(c.Authorisations, func(a terms.HeldAuthorisation) bool { return isMonthly(&a) }) {
		all = append(all, filing.Key{Name: monthlyHolder, Value: normalise(c.Name)})
	}
	return append(all, filing.Key{Name: ClientName, Value: normalise(c.Name)})
}

// normalise returns text in upper case without spaces, for comparison.
func normalise(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
}

// Names finds records by their names.
type Names interface {
	NamedLike(name, text string, limit int) (ids []string, err error)
}

// FindClients returns those of the latest few clients that are not archived and whose name or EORI contains a text.
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
	slices.Reverse(ids) // IDs increase with time
	ids = slices.Compact(ids)
	for _, id := range ids[:min(len(ids), limit)] {
		f, err := tx.Filing(Clients.Kind, id)
		if err != nil {
			return nil, err
		}
		if f.Status != lifecycle.Archived {
			found = append(found, f)
		}
	}
	return found, nil
}

// ClientByEORI returns the latest client with an EORI that is not archived.
func ClientByEORI(tx interface {
	Namesakes(names []filing.Key, but string) ([]filing.NamedRecord, error)
}, eori string) (id string, found bool, err error) {
	all, err := tx.Namesakes([]filing.Key{{Name: clientEORI, Value: normalise(eori)}}, noRecord)
	at := slices.IndexFunc(all, func(n filing.NamedRecord) bool { return n.Status != lifecycle.Archived })
	if err != nil || at < 0 {
		return "", false, err
	}
	return all[at].ID, true, nil
}
