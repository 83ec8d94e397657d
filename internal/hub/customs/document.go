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
)

// documentData is everything that a document for CDS is made from.
type documentData struct {
	declaration  Declaration
	shipment     Shipment
	client       Client
	organisation access.Organisation
	reference    string     // of the shipment
	simplified   simplified // that this one supplements
	lrn          string
	now          time.Time
	rates        Rates // for computed customs values; nil for none
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

// DocumentOfRequest returns the XML document of a request about a declaration, or of a movement.
func (s *Service) DocumentOfRequest(tx Tx, id, request string) (string, error) {
	if _, err := tx.Filing(s.Type.Kind, id); err != nil {
		return "", err
	}
	t, err := s.TransmissionOf(tx, id, request)
	if err == nil && requestKinds[t.Purpose] == "" && t.Purpose != toMove {
		err = apierr.Missing()
	}
	return t.Body, err
}

// encode makes the XML document of a declaration from its shipment, its client and the organisation.
func (s *Service) encode(tx Tx, f *filing.Filing, lrn string) (string, error) {
	d, err := gather(tx, f)
	if err != nil {
		return "", err
	}
	d.lrn, d.now, d.rates = lrn, tx.Now(), s.Rates
	return encodeXML(masked(d.document()))
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
	if d.organisation, err = tx.Organisation(); err != nil || d.declaration.Supplements == "" {
		return d, err
	}
	d.simplified, err = simplifiedOf(tx, d.declaration.Supplements)
	return d, err
}

// simplified is the simplified declaration that a supplementary one completes.
type simplified struct {
	MRN        string `json:"mrn"`
	AcceptedAt string `json:"acceptedAt"`
}

// simplifiedOf reads what a supplementary declaration takes over from the simplified one. Its values are empty until customs
// has accepted it.
func simplifiedOf(tx filing.View, id string) (s simplified, err error) {
	f, err := tx.Filing(DeclarationKind, strings.ToLower(id))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(f.Added, &s)
}

func (d *documentData) isImport() bool { return d.declaration.DeclarationType == Import }

// document returns the declaration with all that the service adds to it.
func (d *documentData) document() wco.Declaration { return d.filled(false).document() }

func (d *documentData) clientEORI() string { return d.eori(d.client.EORI, d.client.XIEORI) }

func (d *documentData) ownEORI() string {
	return d.eori(d.organisation.Profile.EORI, d.organisation.Profile.XIEORI)
}

// eori returns the EORI number of a trader: that for Northern Ireland if the trader has one and the declaration needs it.
func (d *documentData) eori(usual, northern string) string {
	if northern != "" && d.isNorthern() {
		return northern
	}
	return trimmedUpper(usual)
}

// declarant returns the EORI of the organisation or, if it has none, of the client.
func (d *documentData) declarant() string { return orDefault(d.ownEORI(), d.clientEORI()) }

func trimmedUpper(text string) string {
	return strings.ToUpper(strings.ReplaceAll(text, " ", ""))
}

func orDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
