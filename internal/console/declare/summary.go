package declare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// previousDocument is an entry of previousDocuments (DE 2/1).
type previousDocument struct {
	Category  string `json:"category"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

// previousCategory is the category of an entry summary declaration as a previous document. Source: CDS tariff, code list of DE 2/1.
const previousCategory = "Z"

// maxSummaries is the number of entry summary declarations that are looked at, the latest first.
const maxSummaries = 50

// minShared is the least number of letters and digits in a reference that shows that two records are about the same shipment.
const minShared = 6

// entrySummaryOffer is an accepted entry summary declaration of the same shipment.
type entrySummaryOffer struct {
	ID, MRN string
	Shared  string                 // the reference that both have, such as a container
	Source  filing.ReferenceSource // of the MRN; empty for HMRC itself
}

// offerSummaries lists the accepted entry summary declarations that have a transport document or a container of an import declaration. A person
// chooses.
func (d *Declare) offerSummaries(tx page.Tx, f *stepView) error {
	f.Summaries = nil
	named := references(f.Worksheet)
	if f.Worksheet.General.Values["declarationType"] == "EXPORT" || len(named) == 0 {
		return nil
	}
	found, err := tx.Select(filing.Selection{Kind: d.Summaries.Kind, Statuses: []lifecycle.State{lifecycle.Accepted}, Limit: maxSummaries})
	if err != nil {
		return err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	all, err := tx.FilingsByID(d.Summaries.Kind, ids, maxSummary)
	if err != nil {
		return err
	}
	bodies := map[string]json.RawMessage{}
	for i := range all {
		bodies[all[i].ID] = all[i].Body
	}
	for i := range found {
		ref, err := d.Summaries.ReferenceOf(found[i].Added)
		if err != nil {
			return err
		}
		shared := sharedText(bodies[found[i].ID], named)
		if ref.Value != "" && shared != "" && !hasPrevious(f.Worksheet, ref.Value) {
			f.Summaries = append(f.Summaries, entrySummaryOffer{found[i].ID, ref.Value, shared, ref.Source})
		}
	}
	return nil
}

// maxSummary is the number of bytes of an entry summary declaration that is compared.
const maxSummary = 1 << 20

// references returns the transport documents and containers of a worksheet without their separators.
func references(s *worksheet.Worksheet) map[string]bool {
	texts := strings.FieldsFunc(s.Shipment.Values["containers"], func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) })
	for i := range s.Documents {
		texts = append(texts, s.Documents[i].Values["reference"])
	}
	for _, p := range previousOf(s) {
		texts = append(texts, p.Reference)
	}
	all := map[string]bool{}
	for _, text := range texts {
		if key := bare(text); len(key) >= minShared {
			all[key] = true
		}
	}
	return all
}

// bare returns the letters and digits of a reference in upper case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(text))
}

// sharedText returns the first text of a JSON value that is one of some references; empty for none.
func sharedText(body json.RawMessage, references map[string]bool) (shared string) {
	var value any
	if json.Unmarshal(body, &value) != nil { // a body that was cut
		return ""
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if shared == "" && references[bare(v)] {
				shared = v
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(value)
	return shared
}

// previousOf returns the previous documents of the declaration as a whole.
func previousOf(s *worksheet.Worksheet) (all []previousDocument) {
	_ = json.Unmarshal(s.General.Member("previousDocuments"), &all) // none, or not in the form, which the check reports
	return all
}

// PreviousDocuments are those of the declaration as a whole.
func (f *stepView) PreviousDocuments() []previousDocument { return previousOf(f.Worksheet) }

func hasPrevious(s *worksheet.Worksheet, mrn string) bool {
	isIt := func(p previousDocument) bool { return p.Reference == mrn }
	if slices.ContainsFunc(previousOf(s), isIt) {
		return true
	}
	for i := range s.Items {
		var all []previousDocument
		_ = json.Unmarshal(s.Items[i].Member("previousDocuments"), &all)
		if slices.ContainsFunc(all, isIt) {
			return true
		}
	}
	return false
}

// addSummary adds the MRN of an entry summary declaration of the organisation to the previous documents.
func (d *Declare) addSummary(tx page.Tx, s *worksheet.Worksheet, id string) error {
	f, err := tx.Filing(d.Summaries.Kind, id)
	if err != nil {
		return err
	}
	ref, err := d.Summaries.ReferenceOf(f.Added)
	switch {
	case err != nil:
		return err
	case ref.Value == "" || f.Status != lifecycle.Accepted:
		return apierr.New(apierr.InvalidState, "This entry summary declaration is not accepted.")
	case hasPrevious(s, ref.Value):
		return nil
	}
	var all []json.RawMessage // entries keep the members that the form does not know
	if has := s.General.Member("previousDocuments"); has != nil {
		if err := json.Unmarshal(has, &all); err != nil {
			return apierr.New(apierr.InvalidState, "The previous documents are not a list. Correct them first.").WithCause(err)
		}
	}
	entry, err := json.Marshal(previousDocument{previousCategory, customs.EntrySummaryType, ref.Value})
	if err != nil {
		return fmt.Errorf("declare: previous document: %w", err)
	}
	list, err := json.Marshal(append(all, entry))
	if err != nil {
		return fmt.Errorf("declare: previous documents: %w", err)
	}
	s.General.SetMember("previousDocuments", list)
	return nil
}
