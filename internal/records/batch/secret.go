package batch

import (
	"bytes"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// secretMember is in every body that can hold a secret.
var secretMember = []byte(`"` + terms.AccessCodes.Name + `"`)

// secretElement is in every document that can hold a secret, unless it is in UTF-16.
var secretElement = []byte("AccessCode")

// sealBodies returns rows in which the bodies that can hold a secret are encrypted.
func (s *Service) sealBodies(org tenant.ID, batchID string, rows []Row) ([]Row, error) {
	sealed := slices.Clone(rows)
	vault := secret.Vault{Sealer: s.Sealer, Org: org}
	for n := range sealed {
		o := &sealed[n].Operation
		if !bytes.Contains(o.Body, secretMember) && !bytes.Contains(o.Document, secretElement) {
			continue
		}
		text, err := vault.SealText(batchID, append(bytes.Clone(o.Body), o.Document...)) // it has one of the two
		if err != nil {
			return nil, err
		}
		o.Body, o.Document, o.Sealed = nil, nil, text
	}
	return sealed, nil
}

// openBody decrypts the body of an operation.
func (s *Service) openBody(org tenant.ID, batchID string, o Operation) (Operation, error) {
	if o.Sealed == "" {
		return o, nil
	}
	body, err := secret.Vault{Sealer: s.Sealer, Org: org}.OpenText(batchID, o.Sealed)
	if o.Sealed = ""; bytes.HasPrefix(body, []byte("{")) {
		o.Body = body
	} else {
		o.Document = body
	}
	return o, err
}
