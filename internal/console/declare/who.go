package declare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Choices that are no stored record.
const (
	own   = "own" // the organisation itself
	fresh = "new"
)

// Limits of the records that are offered.
const (
	clientsOffered  = 5  // the latest
	clientsFound    = 10 // for a text
	journeysOffered = 5  // the latest of a client
	journeysRead    = 50 // of all clients, to find them among
)

// gatherWho offers the clients: the organisation itself, the latest, those that were
// looked for, and a new one.
func (d *Declare) gatherWho(c *page.Context, tx page.Tx, f *form) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	s := f.Sheet
	f.Looked = c.Value("looked")
	kept, err := d.offered(tx, s, f.Looked)
	if err != nil {
		return err
	}
	isOwn := s.ClientID == "" && !s.NewClient
	f.Clients = append([]choice{{"client", own, o.Name, "Your own organisation", isOwn}}, kept...)
	f.Clients = append(f.Clients, choice{"client", fresh, "Somebody else", "A client who is new here", s.NewClient})
	return nil
}

// offered are kept clients: the one that is chosen, and the latest or those that were
// looked for.
func (d *Declare) offered(tx page.Tx, s *worksheet.Sheet, looked string) (all []choice, err error) {
	var found []filing.Filing
	if looked == "" {
		found, err = tx.Filings(filing.Query{Kind: d.Clients.Kind, Limit: clientsOffered})
	} else {
		found, err = customs.FindClients(tx, looked, clientsFound)
	}
	if err != nil {
		return nil, err
	}
	if s.ClientID != "" && !slices.ContainsFunc(found, func(f filing.Filing) bool { return f.ID == s.ClientID }) {
		chosen, err := tx.Filing(d.Clients.Kind, s.ClientID)
		if err != nil {
			return nil, err
		}
		found = append([]filing.Filing{chosen}, found...)
	}
	for i := range found {
		client, err := worksheet.PartOf(worksheet.ClientFields, shown(&found[i]))
		if err != nil {
			return nil, err
		}
		all = append(all, choice{"client", found[i].ID, client.Get("name"), client.Get("eori"), found[i].ID == s.ClientID})
	}
	return all, nil
}

// shown is the input of a record, however it was read.
func shown(f *filing.Filing) json.RawMessage {
	if f.Body != nil {
		return f.Body
	}
	return f.Brief
}

// choose makes a client the one of a worksheet: a kept one with what is known of it,
// the organisation with what it says of itself, or a new one with what was typed.
func (d *Declare) choose(c *page.Context, tx page.Tx, s *worksheet.Sheet, who string) error {
	switch who {
	case own:
		return d.chooseSelf(tx, s)
	case fresh:
		s.ClientID, s.WasClient, s.NewClient = "", worksheet.Part{}, true
		return nil
	case s.ClientID, "":
		return nil
	}
	f, err := tx.Filing(d.Clients.Kind, who)
	if err != nil {
		return err
	}
	client, err := worksheet.PartOf(worksheet.ClientFields, f.Body)
	if err != nil {
		return err
	}
	s.ClientID, s.Client, s.WasClient, s.NewClient = f.ID, client, client.Copy(), false
	return nil
}

// chooseSelf makes the organisation its own client, once.
func (d *Declare) chooseSelf(tx page.Tx, s *worksheet.Sheet) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	if o.Profile.EORI != "" {
		id, found, err := customs.ClientByEORI(tx, o.Profile.EORI)
		if err != nil {
			return err
		}
		if found {
			return d.choose(nil, tx, s, id)
		}
	}
	s.ClientID, s.Client, s.WasClient, s.NewClient = "", selfOf(o), worksheet.Part{}, false
	return nil
}

// selfOf is an organisation as a client of its own.
func selfOf(o access.Organisation) (p worksheet.Part) {
	for name, text := range map[string]string{
		"name": o.Name, "eori": o.Profile.EORI, "vatNumber": o.Profile.VATNumber, "country": o.Profile.Country, "postcode": o.Profile.Postcode,
		"addressLine1": o.Profile.AddressLine1, "addressLine2": o.Profile.AddressLine2, "city": o.Profile.City,
		"contactName": o.Profile.ContactName, "email": o.Profile.ContactEmail,
	} {
		p.Set(name, text)
	}
	return p
}

// recognise chooses a kept client, or the organisation, where a document names it; a
// client whom nobody knows is a new one.
func (d *Declare) recognise(c *page.Context, tx page.Tx, s *worksheet.Sheet) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	name, eori := s.Client.Get("name"), s.Client.Get("eori")
	if name == "" && eori == "" || eori != "" && eori == o.Profile.EORI || alike(name, o.Name) {
		return d.chooseSelf(tx, s)
	}
	id, err := d.known(tx, name, eori)
	switch {
	case err != nil:
		return err
	case id == "":
		return d.choose(c, tx, s, fresh)
	}
	return d.choose(c, tx, s, id)
}

// known is the client with an EORI or, where a document says none, a name.
func (d *Declare) known(tx page.Tx, name, eori string) (string, error) {
	if eori != "" {
		id, _, err := customs.ClientByEORI(tx, eori)
		return id, err
	}
	found, err := customs.FindClients(tx, name, 1)
	if err != nil || len(found) == 0 {
		return "", err
	}
	client, err := worksheet.PartOf(worksheet.ClientFields, found[0].Body)
	if err != nil || !alike(client.Get("name"), name) {
		return "", err
	}
	return found[0].ID, nil
}

func alike(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
