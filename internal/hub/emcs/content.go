package emcs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Given returns the data set of a movement in a version of the schema; nil if it has none. The member may have the names of any version.
func (m *Movement) Given(v hmrc.Version) (*hmrc.Element, []hmrc.Fault) {
	if len(m.Message) == 0 {
		return nil, nil
	}
	body, faults := hmrc.FromJSON(hmrc.Draft, v, m.Message)
	for _, other := range hmrc.Versions() {
		if body != nil || other == v {
			continue
		}
		if read, wrong := hmrc.FromJSON(hmrc.Draft, other, m.Message); wrong == nil {
			return hmrc.Message{Kind: hmrc.Draft, Version: other, Body: read}.As(v).Body, nil
		}
	}
	return body, faults
}

// check returns what is wrong with the data set: members that the schema does not have, and facts that a flat field gives too.
func check(m *Movement) (details []apierr.Detail) {
	given, faults := m.Given(hmrc.Current)
	for _, f := range faults {
		details = append(details, apierr.Detail{Field: strings.TrimSuffix(hmrc.FieldPrefix+"."+f.Field, "."), Message: f.Message})
	}
	if given == nil {
		return details
	}
	for _, c := range Conflicts(m, given) {
		details = append(details, apierr.Detail{Field: c.Field, Message: "is given in " + c.Message + " too; leave one of them out"})
	}
	return details
}

// Whole returns the movement with all flat fields that its data set says, for rules, deadlines and searches. A movement without a data set is itself.
func (m *Movement) Whole() *Movement {
	given, _ := m.Given(hmrc.Current)
	if given == nil {
		return m
	}
	whole := Summary(Draft(m, given, ""))
	whole.Labels = m.Labels
	if m.Category != "" {
		whole.Category = m.Category
	}
	if m.Route != "" {
		whole.Route = m.Route
	}
	if m.ConsigneeCountry != "" {
		whole.ConsigneeCountry = m.ConsigneeCountry
	}
	return whole
}

// Consignor is the excise number of the consignor, as EMCS has it.
func (m *Movement) Consignor() string { return numberText(m.DispatcherNumber) }

// ExportedGoods returns what a movement moves; ok is false if it is no export.
func ExportedGoods(body json.RawMessage) (goods string, ok bool, err error) {
	m, err := Read(body)
	if err != nil {
		return "", false, err
	}
	m = m.Whole()
	return m.ProductDescription, m.Route == Export, nil
}

// Underway are the states of movements that EMCS has accepted and that have not ended.
func Underway() []lifecycle.State { return slices.Clone(underway) }

// Read reads the body of a stored movement.
func Read(body json.RawMessage) (*Movement, error) {
	m := new(Movement)
	return m, json.Unmarshal(body, m)
}
