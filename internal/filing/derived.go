package filing

import (
	"bytes"
	"encoding/json"
	"slices"
)

// DerivedMember is the added member with the values that the service has filled into the input, a list of [Derived]. Lists of
// records leave it out, and the search does not index it.
const DerivedMember = "derived"

// ValuationMember is the added member with the working of customs values. Lists of records leave it out too, and the search
// does not index it.
const ValuationMember = "valuation"

// EstimateMember is the added member with how an estimate was worked out. Lists of records leave it out too, and the search does
// not index it.
const EstimateMember = "estimate"

// EstimateUse begins the name by which the estimate of a record keeps its edition of the tariff; the id of the record follows.
const EstimateUse = "record/"

// listOmits are the added members that lists of records leave out.
var listOmits = []string{DerivedMember, ValuationMember, EstimateMember}

// IsIndexed reports whether the search indexes an added member.
func IsIndexed(member string) bool {
	return member != AssigneeMember && member != SourceMember && !slices.Contains(listOmits, member)
}

// Derived is a value that the service has filled in.
type Derived struct {
	Field string          `json:"field" doc:"Member of the body" example:"items[0].commodityCode"`
	Value json.RawMessage `json:"value" doc:"The value, in the form of that member"`
	From  string          `json:"from" enum:"client,shipment,organisation,product,computed,guide,constant" doc:"Where the value comes from" example:"product"`
}

// StoredDerived returns the values that were filled into a stored record; nil for none.
func StoredDerived(f *Filing) ([]Derived, error) {
	if f == nil || !bytes.Contains(f.Added, []byte(`"`+DerivedMember+`":`)) {
		return nil, nil
	}
	var added struct{ Derived []Derived }
	err := json.Unmarshal(f.Added, &added)
	return added.Derived, err
}

// briefly returns the added members that lists show.
func briefly(added json.RawMessage) json.RawMessage {
	if !slices.ContainsFunc(listOmits, func(member string) bool { return bytes.Contains(added, []byte(`"`+member+`":`)) }) {
		return added
	}
	brief, err := without(added, listOmits)
	if err != nil {
		return added
	}
	return brief
}
