package app

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// encoders make what is sent of the kinds that have a form of the authority.
func (a *App) encoders(s *exchange.Service) map[string]filing.Encoder {
	all := map[string]filing.Encoder{
		customs.DeclarationKind: encoder(a.Customs.Outgoing),
		tax.Kind:                encoder(a.VAT.Outgoing),
	}
	for _, authority := range s.Authorities {
		if !authority.Creates {
			all[authority.Type.Kind] = encoder(s.Outgoing)
		}
	}
	return all
}

// encoder adapts the function of a Hub, which needs more of a transaction than the engine.
func encoder[X filing.Tx](encode func(X, *filing.Filing, filing.Fixed) (filing.Outgoing, error)) filing.Encoder {
	return func(tx filing.Tx, f *filing.Filing, at filing.Fixed) (filing.Outgoing, error) {
		own, ok := tx.(X)
		if !ok {
			return filing.Outgoing{}, fmt.Errorf("app: a transaction of another kind: %T", tx)
		}
		return encode(own, f, at)
	}
}

// approvalOf reads the approval of a record of a kind.
func (a *App) approvalOf(tx page.Tx, kind, id string) (shown filing.RecordApproval, err error) {
	t := a.Filings.Types[kind]
	if t == nil {
		return shown, apierr.Missing()
	}
	shown, _, err = a.Filings.ApprovalOf(tx, t, id)
	return shown, err
}
