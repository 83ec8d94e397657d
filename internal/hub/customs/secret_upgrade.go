package customs

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// SealTx finds and replaces access codes that earlier versions of the program stored in the clear.
type SealTx interface {
	// ClearRecords lists some records of a kind whose body holds a code in the clear.
	ClearRecords(kind string, limit int) (ids []string, err error)
	// ClearTransmissions lists some transmissions whose document may hold a code in the clear.
	ClearTransmissions(limit int) ([]Transmission, error)
	// ReplaceDocument stores the document and the detail of a transmission.
	ReplaceDocument(Transmission) error
	// MaskTexts masks the codes in some of the former versions, stored answers and webhook bodies, and returns how many.
	MaskTexts(mask func(string) string, limit int) (int, error)
}

// sealedAtOnce is the number of rows that one transaction seals.
const sealedAtOnce = 100

// Forms of access codes in stored texts.
var (
	clearMember  = lazyregexp.New(`"accessCode":"(?:[^"\\]|\\.)*"`)
	clearElement = lazyregexp.New(`(<(?:\w+:)?AccessCode>)[^<]*(</)`)
)

// SealStored seals the access codes that earlier versions of the program stored in the clear in an organisation's data. It
// can be repeated.
func (s *Service) SealStored(ctx context.Context, org tenant.ID) error {
	for _, seal := range []func(Tx, tenant.ID) (int, error){s.sealRecords, s.sealTransmissions, maskTexts} {
		for more := true; more; {
			err := s.Store.UpdateCustoms(ctx, org, func(tx Tx) error {
				n, err := seal(tx, org)
				more = n > 0
				return err
			})
			if err != nil {
				return fmt.Errorf("customs: seal access codes: %w", err)
			}
		}
	}
	return nil
}

func (s *Service) sealRecords(tx Tx, org tenant.ID) (int, error) {
	ids, err := tx.ClearRecords(s.Type.Kind, sealedAtOnce)
	for _, id := range ids {
		if err := s.Filings.SealSecrets(tx, tenant.Call{Principal: tenant.System(org)}, s.Type, id); err != nil {
			return 0, err
		}
	}
	return len(ids), err
}

func (s *Service) sealTransmissions(tx Tx, org tenant.ID) (int, error) {
	all, err := tx.ClearTransmissions(sealedAtOnce)
	for _, t := range all {
		if t.Detail.Sealed, err = s.Filings.Vault(org).SealText(t.FilingID, []byte(t.Body)); err != nil {
			return 0, err
		}
		t.Body = clearElement.ReplaceAllString(t.Body, "${1}"+string(secret.Mask)+"${2}")
		if err := tx.ReplaceDocument(t); err != nil {
			return 0, err
		}
	}
	return len(all), err
}

func maskTexts(tx Tx, _ tenant.ID) (int, error) {
	return tx.MaskTexts(func(text string) string { return clearMember.ReplaceAllString(text, `"accessCode":{"set":true}`) }, sealedAtOnce)
}
