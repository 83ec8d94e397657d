package home

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Instruction is what an authority told people to do about records of a kind that have a trait.
type Instruction struct{ Kind, Trait, Tag, Text string }

// instructed returns the records with recent instructions of an authority.
func (d *builder) instructed() (all []alert, err error) {
	for _, i := range d.Instructions {
		if d.kind(i.Kind) == nil || d.records(i.Kind, "") == 0 {
			continue
		}
		found, err := d.tx.Select(filing.Selection{Kind: i.Kind, Metadata: []filing.Key{filing.TraitFilter(i.Trait)}, Limit: maxAlerts})
		if err != nil {
			return nil, err
		}
		for n := range found {
			f := &found[n]
			if f.UpdatedAt.After(d.now.Add(-rejectionShownFor)) {
				all = append(all, alert{Tag: i.Tag, Kind: "bad", Title: upperFirst(d.Describer.RecordName(f)), Text: i.Text, Path: d.RecordPath(f.Kind, f.ID), Since: f.UpdatedAt, Mine: d.mine(f)})
			}
		}
	}
	return all, nil
}
