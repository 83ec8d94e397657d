package declare

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// readable decodes an object, without the members that are not readable yet because the user is still typing them.
func readable[T any](body json.RawMessage) (v T) {
	if json.Unmarshal(body, &v) == nil {
		return v
	}
	v = *new(T)
	for name, value := range membersOf(body) {
		was := v
		if json.Unmarshal(members{name: value}.encode(), &v) != nil {
			v = was
		}
	}
	return v
}

// typed returns the declaration as far as it is typed. Items stay at their places.
func typed(s *worksheet.Worksheet) customs.Declaration {
	body := s.DeclarationBody(placeholderID)
	var d customs.Declaration
	if json.Unmarshal(body, &d) == nil && len(d.Items) == len(s.Items) {
		return d
	}
	all := membersOf(body)
	var items, documents []json.RawMessage
	_ = json.Unmarshal(all["items"], &items)         // a list, written by DeclarationBody
	_ = json.Unmarshal(all["documents"], &documents) // the same, or nothing
	delete(all, "items")
	delete(all, "documents")
	d = readable[customs.Declaration](all.encode())
	d.Items = make([]customs.Item, len(items))
	for n := range items {
		d.Items[n] = readable[customs.Item](items[n])
	}
	for n := range documents {
		d.Documents = append(d.Documents, readable[customs.Document](documents[n]))
	}
	return d
}
