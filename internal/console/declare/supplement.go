package declare

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// supplement makes the draft that completes a simplified declaration, and opens it in the form.
func (d *Declare) supplement(c *page.Context) error {
	var f filing.Filing
	err := c.Update(func(tx page.Tx) (err error) {
		f, err = d.Customs.CreateSupplementary(tx, c.Call(), c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path(f.ID, worksheet.StepBasics), "supplement-made")
}

// Simplified declarations to choose: of the latest declarations that customs has accepted, those that need a supplementary one.
const (
	maxAcceptedRead = 200
	maxSimplified   = 50
)

// supplementsField is the member with the simplified declaration that a declaration completes.
const supplementsField = "supplements"

// simplifiedChoices returns the simplified declarations that a declaration can complete, the latest first; nil if it is a plain
// one. The one that it completes is always among them.
func (d *Declare) simplifiedChoices(tx page.Tx, s *worksheet.Worksheet) (all []worksheet.Choice, err error) {
	own := s.General.Get(supplementsField)
	if own == "" && s.General.Get("dataSet") == "" && s.General.Get("additionalType") == "" {
		return nil, nil
	}
	q := filing.Selection{Kind: d.Customs.Type.Kind, Statuses: []lifecycle.State{lifecycle.Accepted, customs.Cleared}, ClientID: s.ClientID, Limit: maxAcceptedRead}
	latest, err := tx.Select(q)
	if err != nil {
		return nil, err
	}
	for i := range latest {
		f := &latest[i]
		var declared customs.Declaration
		var state struct{ MRN, SupplementedBy string }
		if err := json.Unmarshal(inputOf(f), &declared); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(f.Added, &state); err != nil {
			return nil, err
		}
		if len(all) < maxSimplified && declared.NeedsSupplement(f.Status, state.SupplementedBy) {
			all = append(all, worksheet.Choice{Value: f.ID, Label: cmp.Or(state.MRN, added(f).LRN) + ", " + cmp.Or(declared.Reference, declared.DataSet)})
		}
	}
	if own != "" && !slices.ContainsFunc(all, func(c worksheet.Choice) bool { return c.Value == own }) {
		all = append(all, worksheet.Choice{Value: own, Label: own})
	}
	return all, nil
}
