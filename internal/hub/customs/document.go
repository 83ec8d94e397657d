package customs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// documentData is everything that a document for CDS is made from.
type documentData struct {
	declaration  Declaration
	shipment     Shipment
	client       Client
	organisation access.Organisation
	reference    string // of the shipment
	lrn          string
	now          time.Time
}

// DocumentOf returns the XML document that was last sent for a declaration or, if the declaration has changed since, the
// one that would be sent now.
func (s *Service) DocumentOf(tx Tx, id string) (string, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return "", err
	}
	a, err := addedOf(&f)
	if err != nil {
		return "", err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return "", err
	}
	if last, ok := latest(ts, toSubmit); ok && last.LRN == a.LRN && last.State != outbox.Refused {
		return last.Body, nil
	}
	return s.encode(tx, &f, a.LRN)
}

// encode makes the XML document of a declaration from its shipment, its client and the organisation.
func (s *Service) encode(tx Tx, f *filing.Filing, lrn string) (string, error) {
	d, err := gather(tx, f)
	if err != nil {
		return "", err
	}
	d.lrn, d.now = lrn, tx.Now()
	return encodeXML(d.document())
}

func encodeCancellation(reference, mrn string, d RequestDetail) (string, error) {
	return encodeXML(wco.Cancellation(reference, mrn, d.ReasonCode, d.Reason))
}

// encodeXML encodes a document. A value that the schema does not allow is an error of the user's input.
func encodeXML(document wco.Declaration) (string, error) {
	xml, err := document.Encode()
	var cannot *wco.ElementError
	if errors.As(err, &cannot) {
		return "", apierr.Invalid(apierr.Detail{Field: cannot.Path, Message: cannot.Reason.Error()}).WithCause(err)
	}
	return string(xml), err
}

func gather(tx Tx, f *filing.Filing) (d documentData, err error) {
	if err := json.Unmarshal(f.Body, &d.declaration); err != nil {
		return d, fmt.Errorf("customs: declaration: %w", err)
	}
	shipment, err := tx.Filing(Shipments.Kind, strings.ToLower(d.declaration.ShipmentID))
	if err != nil {
		return d, err
	}
	var named ShipmentAdds
	if err := errors.Join(json.Unmarshal(shipment.Body, &d.shipment), json.Unmarshal(shipment.Added, &named)); err != nil {
		return d, fmt.Errorf("customs: shipment: %w", err)
	}
	d.reference = cmp.Or(named.ServiceReference, named.Reference)
	client, err := tx.Filing(Clients.Kind, strings.ToLower(d.shipment.ClientID))
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(client.Body, &d.client); err != nil {
		return d, fmt.Errorf("customs: client: %w", err)
	}
	d.organisation, err = tx.Organisation()
	return d, err
}

func (d *documentData) isImport() bool { return d.declaration.DeclarationType == Import }

// document returns the H1 data set of an import or the B1 of an export.
func (d *documentData) document() wco.Declaration {
	out := wco.Declaration{
		FunctionCode: wco.FunctionOriginal, FunctionalReferenceID: d.lrn, TypeCode: d.typeCode(),
		GoodsItemQuantity: wco.Count(len(d.declaration.Items)), TotalPackageQuantity: wco.Number(fmt.Sprint(d.packages())),
		Declarant: wco.Trader{ID: d.declarant()}, BorderTransportMeans: d.border(),
	}
	if agent := d.agent(); agent != "" {
		out.Agent = wco.Agent{FunctionCode: agent}
	}
	out.GoodsShipment = d.goodsShipment()
	if d.isImport() {
		out.Exporter = wco.Trader{Name: d.shipment.CounterpartyName, Address: d.counterpartyAddress()}
		d.setPayment(&out)
	} else {
		out.Exporter = wco.Trader{ID: d.clientEORI()}
		out.InvoiceAmount = wco.Money(d.value(), sterling)
		out.ExitOffice = wco.Office{ID: orDefault(d.shipment.ExitOffice, defaultExitOffice)}
		out.Consignment = d.security()
	}
	return out
}

const (
	sterling          = "GBP"
	home              = "GB"
	defaultExitOffice = "GB000060" // Dover and the Channel Tunnel
	transferPayment   = "D"        // DE 4/2: electronic funds transfer
)

// typeCode returns direction and whether the goods have arrived (DE 1/1, 1/2).
func (d *documentData) typeCode() string {
	ahead := !d.shipment.Arrived && d.shipment.ExpectedArrival != nil && d.shipment.ExpectedArrival.After(d.now)
	switch {
	case d.isImport() && ahead:
		return wco.TypeImportPrelodged
	case d.isImport():
		return wco.TypeImportArrived
	case ahead:
		return wco.TypeExportPrelodged
	}
	return wco.TypeExportArrived
}

func (d *documentData) clientEORI() string { return trimmedUpper(d.client.EORI) }

func (d *documentData) ownEORI() string { return trimmedUpper(d.organisation.Profile.EORI) }

// declarant returns the EORI of the organisation or, if it has none, of the client.
func (d *documentData) declarant() string { return orDefault(d.ownEORI(), d.clientEORI()) }

// agent returns how the organisation represents the client (DE 3/21); empty if the client declares for itself.
func (d *documentData) agent() string {
	if d.ownEORI() == "" || d.clientEORI() == "" || d.ownEORI() == d.clientEORI() {
		return ""
	}
	switch d.organisation.Profile.Representation {
	case "self":
		return ""
	case "indirect":
		return wco.Indirect
	}
	return wco.Direct
}

func (d *documentData) packages() (n int64) {
	for i := range d.declaration.Items {
		n += d.declaration.Items[i].packageCount()
	}
	return n
}

func (d *documentData) value() (sum quantity.Money) {
	for i := range d.declaration.Items {
		sum = sum.Add(d.declaration.Items[i].CustomsValueGBP)
	}
	return sum
}

func (d *documentData) counterpartyAddress() wco.Address {
	return wco.Address{
		CityName: d.shipment.CounterpartyCity, CountryCode: d.shipment.CounterpartyCountry,
		Line: d.shipment.CounterpartyAddress, PostcodeID: d.shipment.CounterpartyPostcode,
	}
}

// setPayment sets how duty and VAT are paid: from the deferment account (DE 2/6, with its authorisations) or, without one, from the
// cash account.
func (d *documentData) setPayment(out *wco.Declaration) {
	account := d.organisation.Profile.DefermentAccount
	if account == "" {
		out.ObligationGuarantee = []wco.ObligationGuarantee{{ReferenceID: d.declarant(), SecurityDetailsCode: "Y"}}
		return
	}
	out.AdditionalDocument = []wco.HeaderDocument{{CategoryCode: "1", ID: account, TypeCode: "DAN"}}
	out.AuthorisationHolder = []wco.AuthorisationHolder{
		{ID: d.declarant(), CategoryCode: "CGU"}, {ID: d.declarant(), CategoryCode: "DPO"},
	}
	out.ObligationGuarantee = []wco.ObligationGuarantee{{ID: noGuarantee, SecurityDetailsCode: "0"}}
}

// noGuarantee replaces the guarantee's reference if the guarantee is waived.
const noGuarantee = "Guaranteenotrequired"

// security returns the safety and security data of an export.
func (d *documentData) security() wco.HeaderConsignment {
	c := wco.HeaderConsignment{
		Freight: wco.Freight{PaymentMethodCode: transferPayment}, Itinerary: []wco.Itinerary{{RoutingCountryCode: home}},
	}
	if carrier := trimmedUpper(d.shipment.CarrierEORI); carrier != "" {
		c.Carrier = wco.Carrier{ID: carrier}
	}
	if to := d.destination(); to != home {
		c.Itinerary = append(c.Itinerary, wco.Itinerary{RoutingCountryCode: to})
	}
	return c
}

func (d *documentData) destination() string {
	if d.isImport() {
		return orDefault(d.shipment.CountryOfDestination, home)
	}
	return orDefault(d.shipment.CountryOfDestination, orDefault(d.shipment.CounterpartyCountry, home))
}

func (d *documentData) dispatch() string {
	if !d.isImport() {
		return orDefault(d.shipment.CountryOfDispatch, home)
	}
	from := orDefault(d.shipment.CountryOfDispatch, d.shipment.CounterpartyCountry)
	if from == "" && len(d.declaration.Items) > 0 {
		return d.declaration.Items[0].CountryOfOrigin
	}
	return from
}

// previousDocument returns the DUCR of the consignment (DE 2/1), which the exporter or importer assigns.
func (d *documentData) previousDocument() []wco.PreviousDocument {
	eori, err := ident.ParseEORI(orDefault(d.clientEORI(), d.ownEORI()))
	if err != nil {
		return nil
	}
	ducr, err := ident.NewDUCR(d.now.Year(), eori, d.lrn[max(0, len(d.lrn)-maxDUCRReference):])
	if err != nil {
		return nil
	}
	return []wco.PreviousDocument{{CategoryCode: "Z", ID: string(ducr), TypeCode: ducrType}}
}

const (
	ducrType         = "DCR"
	maxDUCRReference = 19
)

func trimmedUpper(text string) string {
	return strings.ToUpper(strings.ReplaceAll(text, " ", ""))
}

func orDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
