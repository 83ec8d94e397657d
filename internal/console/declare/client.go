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

// Choices other than stored records.
const (
	ownOrganisation = "own" // the organisation itself
	newRecord       = "new"
)

// Limits of the choices.
const (
	recentClients    = 5  // the latest
	maxClientsFound  = 10 // for a text
	recentShipments  = 5  // the latest of a client
	maxShipmentsRead = 50 // of all clients, to find them among
)

// loadClients sets the choices of client: the organisation itself, the latest clients or
// those found by the search, and a new one.
func (d *Declare) loadClients(c *page.Context, tx page.Tx, f *stepView) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	s := f.Worksheet
	f.ClientSearch = c.Value("looked")
	stored, err := d.clientChoices(tx, s, f.ClientSearch)
	if err != nil {
		return err
	}
	isOwn := s.ClientID == "" && !s.NewClient
	f.Clients = append([]choice{{"client", ownOrganisation, o.Name, "Your organisation", isOwn}}, stored...)
	f.Clients = append(f.Clients, choice{"client", newRecord, "New client", "Not stored yet", s.NewClient})
	return nil
}

// clientChoices returns the selected client, and the latest ones or those found by the search.
func (d *Declare) clientChoices(tx page.Tx, s *worksheet.Worksheet, search string) (all []choice, err error) {
	var found []filing.Filing
	if search == "" {
		found, err = tx.Filings(filing.Query{Kind: d.Clients.Kind, Status: d.Clients.Lifecycle.Listed(), Limit: recentClients})
	} else {
		found, err = customs.FindClients(tx, search, maxClientsFound)
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
		client, err := worksheet.ParsePart(worksheet.ClientFields, inputOf(&found[i]))
		if err != nil {
			return nil, err
		}
		all = append(all, choice{"client", found[i].ID, client.Get("name"), client.Get("eori"), found[i].ID == s.ClientID})
	}
	return all, nil
}

// inputOf returns the input of a record, whether it was read whole or for a list.
func inputOf(f *filing.Filing) json.RawMessage {
	if f.Body != nil {
		return f.Body
	}
	return f.Brief
}

// selectClient sets the worksheet's client: a stored one, the organisation itself, or a new
// one. who is the value of the choice.
func (d *Declare) selectClient(c *page.Context, tx page.Tx, s *worksheet.Worksheet, who string) error {
	switch who {
	case ownOrganisation:
		return d.selectOwnOrganisation(tx, s)
	case newRecord:
		s.ClientID, s.StoredClient, s.NewClient = "", worksheet.Part{}, true
		return nil
	case s.ClientID, "":
		return nil
	}
	f, err := tx.Filing(d.Clients.Kind, who)
	if err != nil {
		return err
	}
	client, err := worksheet.ParsePart(worksheet.ClientFields, f.Body)
	if err != nil {
		return err
	}
	s.ClientID, s.Client, s.StoredClient, s.NewClient = f.ID, client, client.Copy(), false
	return nil
}

// selectOwnOrganisation sets the organisation as client; a stored client with the same EORI is used again.
func (d *Declare) selectOwnOrganisation(tx page.Tx, s *worksheet.Worksheet) error {
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
			return d.selectClient(nil, tx, s, id)
		}
	}
	s.ClientID, s.Client, s.StoredClient, s.NewClient = "", clientFromOrganisation(o), worksheet.Part{}, false
	return nil
}

// clientFromOrganisation returns the organisation's profile as a client.
func clientFromOrganisation(o access.Organisation) (p worksheet.Part) {
	for name, text := range map[string]string{
		"name": o.Name, "eori": o.Profile.EORI, "vatNumber": o.Profile.VATNumber, "country": o.Profile.Country, "postcode": o.Profile.Postcode,
		"addressLine1": o.Profile.AddressLine1, "addressLine2": o.Profile.AddressLine2, "city": o.Profile.City,
		"contactName": o.Profile.ContactName, "email": o.Profile.ContactEmail,
	} {
		p.Set(name, text)
	}
	return p
}

// matchClient selects the client that a document names: the organisation, a stored client, or
// otherwise a new one.
func (d *Declare) matchClient(c *page.Context, tx page.Tx, s *worksheet.Worksheet) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	name, eori := s.Client.Get("name"), s.Client.Get("eori")
	if name == "" && eori == "" || eori != "" && eori == o.Profile.EORI || sameName(name, o.Name) {
		return d.selectOwnOrganisation(tx, s)
	}
	id, err := d.findClient(tx, name, eori)
	switch {
	case err != nil:
		return err
	case id == "":
		return d.selectClient(c, tx, s, newRecord)
	}
	return d.selectClient(c, tx, s, id)
}

// findClient returns the id of the client with this EORI, or with this name if the EORI is empty; empty if there is none.
func (d *Declare) findClient(tx page.Tx, name, eori string) (string, error) {
	if eori != "" {
		id, _, err := customs.ClientByEORI(tx, eori)
		return id, err
	}
	found, err := customs.FindClients(tx, name, 1)
	if err != nil || len(found) == 0 {
		return "", err
	}
	client, err := worksheet.ParsePart(worksheet.ClientFields, found[0].Body)
	if err != nil || !sameName(client.Get("name"), name) {
		return "", err
	}
	return found[0].ID, nil
}

func sameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
