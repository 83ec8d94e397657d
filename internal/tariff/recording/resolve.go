package recording

import (
	"encoding/json"
	"errors"
)

// object is an object of a JSON:API document.
type object struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]json.RawMessage `json:"attributes"`
	Relationships map[string]struct {
		Data json.RawMessage `json:"data"`
	} `json:"relationships"`
}

type reference struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// maxDepth is more than the depth of related objects: a measure, a condition, a component, a unit.
const maxDepth = 8

// resolve puts related objects of a JSON:API document in their places. A document of the other form is returned as it is.
func resolve(document []byte) ([]byte, error) {
	var d struct {
		Data     *object  `json:"data"`
		Included []object `json:"included"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, errors.New("it is not a JSON document of the tariff service")
	}
	if d.Data == nil {
		return document, nil
	}
	r := resolver{all: make(map[reference]*object, len(d.Included)), done: map[reference]json.RawMessage{}}
	for i := range d.Included {
		r.all[reference{d.Included[i].ID, d.Included[i].Type}] = &d.Included[i]
	}
	return r.whole(d.Data, 0)
}

// resolver keeps resolved objects: most, such as countries, are related to many others.
type resolver struct {
	all  map[reference]*object
	done map[reference]json.RawMessage
}

func (r *resolver) whole(o *object, depth int) (json.RawMessage, error) {
	if depth > maxDepth {
		return nil, errors.New("its objects contain each other")
	}
	members := make(map[string]json.RawMessage, len(o.Attributes)+len(o.Relationships)+1)
	for name, related := range o.Relationships {
		value, err := r.related(related.Data, depth)
		if err != nil {
			return nil, err
		}
		members[name] = value
	}
	for name, value := range o.Attributes {
		members[name] = value
	}
	if _, has := members["id"]; !has {
		id, err := json.Marshal(o.ID)
		if err != nil {
			return nil, err
		}
		members["id"] = id
	}
	return json.Marshal(members)
}

// related returns what a relationship leads to: one object or a list.
func (r *resolver) related(data json.RawMessage, depth int) (json.RawMessage, error) {
	var many []reference
	if json.Unmarshal(data, &many) == nil && many != nil {
		list := make([]json.RawMessage, 0, len(many))
		for _, one := range many {
			value, err := r.find(one, depth)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return json.Marshal(list)
	}
	var one *reference
	if json.Unmarshal(data, &one) != nil || one == nil {
		return json.RawMessage("null"), nil
	}
	return r.find(*one, depth)
}

// find returns the object that a reference names; with its id alone if the document does not hold it.
func (r *resolver) find(ref reference, depth int) (json.RawMessage, error) {
	if value, ok := r.done[ref]; ok {
		return value, nil
	}
	o := r.all[ref]
	if o == nil {
		o = &object{ID: ref.ID}
	}
	value, err := r.whole(o, depth+1)
	if err == nil {
		r.done[ref] = value
	}
	return value, err
}
