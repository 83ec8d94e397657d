package filing

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// UserMetadata holds the caller's own data about a record, by key. It is stored, shown and searched, and never sent to an
// authority.
type UserMetadata map[string]string

// Limits of UserMetadata: its entries, and the characters of a key and of a value.
const (
	MaxMetadata      = 50
	MaxMetadataKey   = 40
	MaxMetadataValue = 500
)

// Tags are input members of every record. They serve the caller's bookkeeping and are never sent to an authority.
type Tags struct {
	UniqueReference bool         `json:"uniqueReference,omitempty" doc:"Whether to refuse the record if another of its kind has the same reference of yours" example:"false"`
	Metadata        UserMetadata `json:"metadata,omitempty" doc:"Your own data: at most 50 texts, with keys of up to 40 characters" example:"{\"branch\":\"Dover\"}"`
}

// Labels are embedded in the bodies of kinds whose reference member belongs to the caller.
type Labels struct {
	Reference string `json:"reference,omitempty" maxLength:"70" doc:"Your own reference of the record; it is not sent to an authority" example:"PO-2026-0042"`
	Tags
}

// Label returns the labels of the record.
func (l Labels) Label() Label { return Label(l) }

// OwnLabels are embedded in the bodies of kinds whose reference member is the authority's.
type OwnLabels struct {
	OwnReference string `json:"ownReference,omitempty" maxLength:"70" doc:"Your own reference of the record; it is not sent to an authority" example:"PO-2026-0042"`
	Tags
}

// Label returns the labels of the record.
func (l OwnLabels) Label() Label { return Label{l.OwnReference, l.Tags} }

// Label is the caller's own reference of a record, with its tags.
type Label struct {
	Reference string
	Tags
}

// labelled is a body with labels.
type labelled interface{ Label() Label }

// Names of members that hold references.
const (
	referenceMember    = "reference"
	ownReferenceMember = "ownReference"
	// serviceReferenceMember holds a generated reference that the caller's own one replaces.
	serviceReferenceMember = "serviceReference"
)

// labelMembers are the input members of Labels and OwnLabels.
var labelMembers = []string{referenceMember, ownReferenceMember, "uniqueReference", "metadata"}

// referenceField returns the input member of a body with the caller's own reference; empty if there is none.
func referenceField(body reflect.Type) string {
	if !body.Implements(reflect.TypeFor[labelled]()) {
		return ""
	}
	if memberNames(body)[ownReferenceMember] {
		return ownReferenceMember
	}
	return referenceMember
}

// memberNames returns the names of the JSON members of a struct; nil for no struct.
func memberNames(t reflect.Type) map[string]bool {
	if t == nil {
		return nil
	}
	all := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all[name] = true
	}
	return all
}

// Links are the values by which lists are filtered.
type Links struct {
	OwnReference string // the caller's
	ShipmentID   string // of the shipment that the record refers to
	ClientID     string // of the client that the record belongs to, directly or through another record
}

// UniqueReference reports whether no other record of the kind may have the reference of this one.
func (in Input) UniqueReference() bool { return in.label.UniqueReference && in.label.Reference != "" }

// terms returns the metadata in a fixed order.
func (l Label) terms() (all []Key) {
	for _, key := range slices.Sorted(maps.Keys(l.Metadata)) {
		all = append(all, Key{key, l.Metadata[key]})
	}
	return all
}

// KeepLabels takes over the labels of the record that the input replaces, if it has none of its own. Members of but are not
// taken over.
func (in Input) KeepLabels(t *Type, f *Filing, but ...string) (Input, error) {
	members, err := membersOf(f.Body)
	if err != nil {
		return in, err
	}
	own, err := membersOf(in.Raw)
	if err != nil {
		return in, err
	}
	for _, m := range members {
		if slices.Contains(labelMembers, m.name) && !slices.Contains(but, m.name) && !slices.ContainsFunc(own, func(o member) bool { return o.name == m.name }) {
			own = append(own, m)
		}
	}
	return t.Parse(objectOf(own), in.at)
}

// showReference adds or removes the generated reference of a record, which is shown unless the caller sent one.
func (t *Type) showReference(in *Input, stored json.RawMessage, added Added) error {
	if !t.generatesReference {
		return nil
	}
	var before map[string]json.RawMessage
	if len(stored) > 0 {
		if err := json.Unmarshal(stored, &before); err != nil {
			return err
		}
	}
	var generated any
	switch {
	case added[referenceMember] != nil:
		generated = added[referenceMember]
	case before[serviceReferenceMember] != nil:
		generated = before[serviceReferenceMember]
	default:
		generated = before[referenceMember]
	}
	added[referenceMember], added[serviceReferenceMember] = generated, nil
	if in.label.Reference != "" {
		added[referenceMember], added[serviceReferenceMember] = nil, generated
	}
	return nil
}

// checkReference returns an error if the input asks for a unique reference that another record has.
func (t *Type) checkReference(tx Tx, in *Input, id string) error {
	if !in.UniqueReference() {
		return nil
	}
	taken, err := tx.ReferenceTaken(t.Kind, in.label.Reference, id)
	if err == nil && !taken {
		var f Filing
		f, err = tx.FilingByKey(t.Kind+"."+referenceMember, in.label.Reference)
		taken = err == nil && f.ID != id
		if apierr.Is(err, apierr.NotFound) {
			err = nil
		}
	}
	if err == nil && taken {
		err = apierr.New(apierr.ReferenceTaken, "Another %s has the reference %s. Send another one, or leave out uniqueReference.", t.Singular, in.label.Reference)
	}
	return err
}
