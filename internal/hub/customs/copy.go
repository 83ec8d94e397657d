package customs

import (
	"encoding/json"
	"maps"
	"slices"
)

// notCopied are the members that belong to one consignment. Items have some of them too.
var notCopied = []string{"reference", "uniqueReference", "ucr", "supplements", "previousDocuments"}

// CopyOf returns the body for another declaration of the same kind: without the references of one consignment and without those
// of its documents. Documents of authorisations keep theirs. Without a data set a document must have a reference, so one that
// would lose it is left out.
func CopyOf(body json.RawMessage) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	c := copier{whole: members["dataSet"] == nil}
	if err := c.clean(members); err != nil {
		return nil, err
	}
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(members["items"], &items); err != nil {
		return nil, err
	}
	for _, item := range items {
		if err := c.clean(item); err != nil {
			return nil, err
		}
	}
	var err error
	if members["items"], err = json.Marshal(items); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// ofOneJourney are the members of a shipment that belong to one journey.
var ofOneJourney = []string{
	"vesselName", "expectedArrival", "arrived", "transportId", "transportNationality", "transport", "containers", "equipment", "ucr", "reference",
	"uniqueReference",
}

// ShipmentLike returns the body for another shipment with the same port, parties and terms.
func ShipmentLike(body json.RawMessage) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	for _, name := range ofOneJourney {
		delete(members, name)
	}
	return json.Marshal(members)
}

// copier copies members of a declaration.
type copier struct {
	whole bool // leaves out documents as a whole
}

// clean removes what is not copied from the members of a declaration or of an item.
func (c copier) clean(members map[string]json.RawMessage) error {
	for _, name := range notCopied {
		delete(members, name)
	}
	if members["documents"] == nil {
		return nil
	}
	var documents []map[string]json.RawMessage
	if err := json.Unmarshal(members["documents"], &documents); err != nil {
		return err
	}
	had := len(documents)
	documents = slices.DeleteFunc(documents, func(d map[string]json.RawMessage) bool {
		if isOfAuthorisation(d) || d["reference"] == nil {
			return false
		}
		delete(d, "reference")
		return c.whole
	})
	if had > 0 && len(documents) == 0 {
		delete(members, "documents") // an empty list would exclude documents that the service adds
		return nil
	}
	raw, err := json.Marshal(documents)
	members["documents"] = raw
	return err
}

// isOfAuthorisation reports whether a document is that of an authorisation.
func isOfAuthorisation(d map[string]json.RawMessage) bool {
	var code struct{ Category, Type string }
	for name, into := range map[string]*string{"category": &code.Category, "type": &code.Type} {
		if d[name] != nil && json.Unmarshal(d[name], into) != nil {
			return false
		}
	}
	return slices.Contains(slices.Collect(maps.Values(documentCodes)), code.Category+code.Type)
}
