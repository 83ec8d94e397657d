package customs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// The access codes of guarantees are stored encrypted beside the declaration, the client and the organisation. Only the
// bytes that are sent to customs hold them: every document that is kept in the clear or shown has secret.Mask in their place,
// and what is sent is kept encrypted in the transmission's detail.

// loadAccessCodes puts the stored access codes into the data of a document that is to be sent.
func (s *Service) loadAccessCodes(tx Tx, org tenant.ID, f *filing.Filing, d *documentData) error {
	put := func(recordID string, masked []secret.Given, set func(index int, code secret.Text)) error {
		if len(masked) == 0 {
			return nil
		}
		stored, err := s.Filings.Vault(org).Load(tx, recordID)
		if err != nil {
			return err
		}
		kept, details := secret.Keep(terms.AccessCodes.Path, masked, stored)
		if details != nil {
			return incompleteCodes(details)
		}
		for _, k := range kept {
			set(k.Index, k.Text)
		}
		return nil
	}
	own := d.declaration.Guarantees
	if err := put(f.ID, givenIn(own), func(n int, code secret.Text) { own[n].AccessCode = code }); err != nil || own != nil {
		return err
	}
	for _, t := range []struct {
		id string
		*terms.Terms
	}{{strings.ToLower(d.shipment.ClientID), &d.client.Terms}, {string(d.organisation.ID), &d.organisation.Profile.Terms}} {
		if err := put(t.id, t.Secrets(), func(n int, code secret.Text) { t.Guarantees[n].AccessCode = code }); err != nil {
			return err
		}
	}
	return nil
}

// AccessCodesOf returns the access codes of the guarantees of a declaration.
func AccessCodesOf(h *datamodel.Header) []secret.Given { return givenIn(h.Guarantees) }

func givenIn(guarantees []datamodel.Guarantee) (all []secret.Given) {
	for n := range guarantees {
		if g := &guarantees[n]; g.AccessCode != "" {
			all = append(all, secret.Given{Index: n, Same: secret.Same(g.Type, g.Reference, g.OtherReference), Text: g.AccessCode})
		}
	}
	return all
}

// incompleteCodes is the error of a declaration whose access codes are not stored, for example because they were deleted with
// the data of the organisation.
func incompleteCodes(details []apierr.Detail) error {
	err := apierr.New(apierr.DeclarationIncomplete, "An access code of a guarantee is not stored. Enter it again.")
	err.Details = details
	return err
}

// hasAccessCodes reports whether a document declares access codes.
func hasAccessCodes(d *wco.Declaration) bool {
	return slices.ContainsFunc(d.ObligationGuarantee, func(g wco.ObligationGuarantee) bool { return g.AccessCode != "" })
}

// masked returns a document with masked access codes.
func masked(d wco.Declaration) wco.Declaration {
	d.ObligationGuarantee = slices.Clone(d.ObligationGuarantee)
	for n := range d.ObligationGuarantee {
		if g := &d.ObligationGuarantee[n]; g.AccessCode != "" {
			g.AccessCode = string(secret.Mask)
		}
	}
	return d
}

// setDocument encodes the document of a transmission. If it has access codes, the body is masked, and the bytes to send are
// kept encrypted.
func (s *Service) setDocument(org tenant.ID, t *Transmission, d wco.Declaration) (err error) {
	if t.Body, err = encodeXML(masked(d)); err != nil || !hasAccessCodes(&d) {
		return err
	}
	sent, err := encodeXML(d)
	if err != nil {
		return err
	}
	t.Detail.Sealed, err = s.Filings.Vault(org).SealText(t.FilingID, []byte(sent))
	return err
}

// sentBytes returns the bytes to send.
func (s *Service) sentBytes(org tenant.ID, t *Transmission) ([]byte, error) {
	if t.Detail.Sealed == "" {
		return []byte(t.Body), nil
	}
	return s.Filings.Vault(org).OpenText(t.FilingID, t.Detail.Sealed)
}
