package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Tx is the part of an organisation's transaction that an import needs.
type Tx interface {
	filing.Tx
	Organisation() (access.Organisation, error)
	Namesakes(names []filing.Key, but string) ([]filing.NamedRecord, error)
}

// Service makes records from documents.
type Service struct {
	Filings                          *filing.Service
	Clients, Shipments, Declarations *filing.Type
	// Check returns what is wrong with the body of a declaration by its schema.
	Check func(json.RawMessage) []apierr.Detail
}

// Options say what the caller decides. Empty members are decided by the document.
type Options struct {
	ClientID, ShipmentID string
	Fill                 string // NONE if empty
	Rehearsal            bool   // the transaction is rolled back: notes name no record that it makes
}

// draft is an import in progress.
type draft struct {
	*Service
	*Source
	Options
	tx    Tx
	call  tenant.Call
	notes []string
}

// Import stores the draft that declares what a document does and, where the caller names none, a client and a shipment for it.
func (s *Service) Import(tx Tx, call tenant.Call, src *Source, o Options) (filing.Filing, error) {
	d := &draft{Service: s, Source: src, Options: o, tx: tx, call: call}
	client, err := d.client()
	if err != nil {
		return filing.Filing{}, err
	}
	shipment, err := d.shipment()
	if err != nil {
		return filing.Filing{}, err
	}
	if err := d.dropDeclarant(client); err != nil {
		return filing.Filing{}, err
	}
	d.dropMasked()
	d.noteRequests()
	body, err := d.encode(shipment)
	if err != nil {
		return filing.Filing{}, err
	}
	if details := s.Check(body); details != nil {
		return filing.Filing{}, apierr.Invalid(details...)
	}
	in, err := s.Declarations.Parse(body, tx.Now())
	if err != nil {
		return filing.Filing{}, err
	}
	in = in.WithSecrets(customs.AccessCodesOf(d.body.Header)).With(filing.Added{"importedFrom": d.importedFrom(), "notes": d.notes})
	return s.Filings.Create(tx, call, s.Declarations, in)
}

func (d *draft) note(text string, values ...any) {
	d.notes = append(d.notes, fmt.Sprintf(text, values...))
}

// trader returns the importer of an import, or the exporter of an export.
func (d *draft) trader() wco.Trader {
	if d.body.Direction == datamodel.Import {
		return d.document.GoodsShipment.Importer
	}
	return d.document.Exporter
}

// client returns the client of the declaration: the one that the caller names, the one with the trader's EORI, or a new one.
func (d *draft) client() (customs.Client, error) {
	if d.ClientID != "" || d.ShipmentID != "" {
		return d.named()
	}
	who := d.trader()
	if who.ID == "" && who.Name == "" {
		who = wco.Trader{ID: d.document.Declarant.ID}
	}
	if who.ID == "" && who.Name == "" {
		return customs.Client{}, apierr.Invalid(apierr.Detail{Field: "clientId", Message: "is required, because the document names neither a trader nor a declarant"})
	}
	if who.ID != "" {
		id, found, err := customs.ClientByEORI(d.tx, who.ID)
		if err != nil {
			return customs.Client{}, err
		}
		if d.ClientID = id; found {
			return d.named()
		}
	}
	return d.newClient(who)
}

// named returns the client that the caller or the document names, or the one of the shipment that the caller names.
func (d *draft) named() (c customs.Client, err error) {
	if d.ShipmentID != "" {
		shipment, err := d.record(customs.Shipments.Kind, "shipmentId", d.ShipmentID)
		if err != nil {
			return c, err
		}
		var of customs.Shipment
		if err := json.Unmarshal(shipment.Body, &of); err != nil {
			return c, err
		}
		if d.ClientID != "" && !strings.EqualFold(d.ClientID, of.ClientID) {
			return c, apierr.Invalid(apierr.Detail{Field: "shipmentId", Message: "belongs to another client"})
		}
		d.ClientID = of.ClientID
	}
	f, err := d.record(customs.Clients.Kind, "clientId", d.ClientID)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(f.Body, &c)
}

// record returns a record that the caller names.
func (d *draft) record(kind, field, id string) (filing.Filing, error) {
	f, err := d.tx.Filing(kind, strings.ToLower(id))
	if apierr.Is(err, apierr.NotFound) {
		return f, apierr.Invalid(apierr.Detail{Field: field, Message: "does not exist"})
	}
	return f, err
}

// maxClientName is the longest name of a client.
const maxClientName = 140

// newClient makes a client of a trader. A trader without a name gets its EORI as name.
func (d *draft) newClient(who wco.Trader) (customs.Client, error) {
	c := customs.Client{
		Name: cmp.Or(who.Name, who.ID), EORI: who.ID, AddressLine1: who.Address.Line, City: who.Address.CityName, Postcode: who.Address.PostcodeID,
	}
	if runes := []rune(c.Name); len(runes) > maxClientName {
		c.Name = string(runes[:maxClientName])
	}
	if country, err := ident.ParseCountry(who.Address.CountryCode); err == nil {
		c.Country = string(country)
	}
	f, err := d.create(d.Clients, c)
	if err != nil {
		return c, err
	}
	d.ClientID = f.ID
	if d.Rehearsal {
		d.note("The client %s would be created.", c.Name)
	} else {
		d.note("The client %s was created.", c.Name)
	}
	return c, nil
}

func (d *draft) create(t *filing.Type, body any) (filing.Filing, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return filing.Filing{}, err
	}
	in, err := t.Parse(raw, d.tx.Now())
	if err != nil {
		return filing.Filing{}, err
	}
	return d.Filings.Create(d.tx, d.call, t, in)
}

// modes are the modes of transport of a shipment by the code of DE 7/4. Others have the nearest one.
var modes = map[string]string{"1": "SEA", "2": "RAIL", "3": "ROAD", "4": "AIR", "6": "ROAD"}

// unknownPort is the port of entry of a declaration that names no place.
const unknownPort = "GBXXX"

// shipment returns the shipment that the caller names, or a new one. What a new one needs and the document does not say is
// assumed; the declaration does not depend on it.
func (d *draft) shipment() (string, error) {
	if d.ShipmentID != "" {
		return strings.ToLower(d.ShipmentID), nil
	}
	s := customs.Shipment{ClientID: d.ClientID, TransportMode: modes[d.document.BorderTransportMeans.ModeCode], PortOfEntry: d.port()}
	if s.TransportMode == "" {
		s.TransportMode = "ROAD"
		d.note("The mode of transport of the shipment was assumed to be ROAD. It does not affect the declaration.")
	}
	if s.PortOfEntry == unknownPort {
		d.note("The port of entry of the shipment is not known and was set to %s. It does not affect the declaration.", unknownPort)
	}
	f, err := d.create(d.Shipments, s)
	if err != nil {
		return "", err
	}
	if d.Rehearsal {
		d.note("A shipment would be created.")
	} else {
		d.note("The shipment %s was created.", f.ID)
	}
	return f.ID, nil
}

// port returns the port of the goods location or, without one, the office of exit.
func (d *draft) port() string {
	const letters = 3 // of a UN/LOCODE after the country
	l := d.document.GoodsShipment.Consignment.GoodsLocation
	if name := l.Name; len(l.Address.CountryCode) == 2 && len(name) >= letters {
		return strings.ToUpper(l.Address.CountryCode + name[:letters])
	}
	return cmp.Or(d.document.ExitOffice.ID, unknownPort)
}

// dropDeclarant removes a declarant that is not of this organisation.
func (d *draft) dropDeclarant(client customs.Client) error {
	declarant := d.body.Header.Declarant
	if declarant == nil {
		return nil
	}
	o, err := d.tx.Organisation()
	if err != nil {
		return err
	}
	own := []string{o.Profile.EORI, o.Profile.XIEORI}
	if d.body.Header.Representation == nil {
		own = append(own, client.EORI, client.XIEORI)
	}
	if declarant.EORI != "" && slices.Contains(own, declarant.EORI) {
		return nil
	}
	d.note("The declarant %s was left out, because it is not an EORI of this organisation. The organisation’s own EORI is declared.", cmp.Or(declarant.EORI, declarant.Name))
	d.body.Header.Declarant = nil
	return nil
}

// dropMasked removes access codes that are masked, as in a document that this service has shown.
func (d *draft) dropMasked() {
	for n := range d.body.Header.Guarantees {
		if g := &d.body.Header.Guarantees[n]; g.AccessCode == secret.Mask {
			g.AccessCode = ""
			d.note("The access code of guarantee %d is masked in the document and was left out. Enter it before you submit the declaration.", n+1)
		}
	}
}

// noteRequests names the elements of the document that only requests about a declaration have.
func (d *draft) noteRequests() {
	const form = "%s was left out, because only a request about a declaration has it."
	if d.document.ID != "" {
		d.note(form, "The MRN "+d.document.ID)
	}
	if len(d.document.Amendment) > 0 {
		d.note(form, "Amendment")
	}
	if slices.ContainsFunc(d.document.AdditionalInformation, func(s wco.HeaderInformation) bool { return len(s.Pointer) > 0 }) {
		d.note(form, "Pointer")
	}
}

// encode returns the body of the declaration.
func (d *draft) encode(shipment string) (json.RawMessage, error) {
	header := *d.body.Header
	header.Fill = cmp.Or(d.Fill, datamodel.FillNone)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(customs.Declaration{ShipmentID: shipment, DeclarationType: d.body.Direction, Header: header, Items: d.body.Items})
	return bytes.TrimSpace(out.Bytes()), err
}

// importedFrom returns where the draft comes from.
func (d *draft) importedFrom() customs.Imported {
	return customs.Imported{
		LRN: d.document.FunctionalReferenceID, Declarant: d.document.Declarant.ID, IssuedAt: datamodel.Instant(d.document.IssueDateTime),
		SHA256: d.sha256, FileName: d.FileName,
	}
}
