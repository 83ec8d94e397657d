package declare

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Excise is the kind of excise movements.
type Excise struct {
	Type     *filing.Type
	Statuses []lifecycle.State // of movements that EMCS has accepted and that have not ended
	// Export returns what a movement moves; ok is false if it is no export.
	Export func(body json.RawMessage) (goods string, ok bool, err error)
}

// maxExcise is the number of movements that are offered, the latest first.
const maxExcise = 20

// exciseMovement is a movement of excise goods whose ARC an export declaration can name.
type exciseMovement struct {
	ID, ARC string
	About   string                 // the goods
	Source  filing.ReferenceSource // of the ARC; empty for EMCS itself
}

// offerExcise lists the exports of excise goods that EMCS has accepted and that have not ended, for the documents of an export declaration. A person chooses: the
// service does not know which movement has the goods of a declaration.
func (d *Declare) offerExcise(tx page.Tx, f *stepView) error {
	f.Excise = nil
	if f.Worksheet.General.Values["declarationType"] != "EXPORT" {
		return nil
	}
	found, err := tx.Select(filing.Selection{Kind: d.Excise.Type.Kind, Statuses: d.Excise.Statuses, Limit: maxExcise})
	if err != nil {
		return err
	}
	for i := range found {
		m, err := tx.Filing(found[i].Kind, found[i].ID) // lists have no bodies
		if err != nil {
			return err
		}
		offer, ok, err := d.exciseOffer(&m)
		if err != nil {
			return err
		}
		if ok && !hasDocument(f.Worksheet, offer.ARC) {
			f.Excise = append(f.Excise, offer)
		}
	}
	return nil
}

// exciseOffer describes a movement; ok is false if it has no ARC or is no export.
func (d *Declare) exciseOffer(f *filing.Filing) (offer exciseMovement, ok bool, err error) {
	ref, err := d.Excise.Type.ReferenceOf(f.Added)
	if err != nil || ref.Value == "" {
		return offer, false, err
	}
	goods, ok, err := d.Excise.Export(f.Body)
	return exciseMovement{f.ID, ref.Value, goods, ref.Source}, ok, err
}

func hasDocument(s *worksheet.Worksheet, reference string) bool {
	for i := range s.Documents {
		if s.Documents[i].Values["reference"] == reference {
			return true
		}
	}
	return false
}

// addExcise adds the ARC of a movement of the organisation to the documents.
func (d *Declare) addExcise(tx page.Tx, s *worksheet.Worksheet, id string) error {
	f, err := tx.Filing(d.Excise.Type.Kind, id)
	if err != nil {
		return err
	}
	offer, ok, err := d.exciseOffer(&f)
	switch {
	case err != nil:
		return err
	case !ok:
		return apierr.New(apierr.InvalidState, "This movement is no export with an ARC.")
	case hasDocument(s, offer.ARC):
		return nil
	}
	dropEmptyDocuments(s)
	if err := s.AddDocument(); err != nil {
		return fmt.Errorf("e-AD %s: %w", offer.ARC, err)
	}
	added := &s.Documents[len(s.Documents)-1]
	added.Set("type", customs.ExciseDocumentType)
	added.Set("reference", offer.ARC)
	return nil
}
