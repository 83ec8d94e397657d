package product

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// body is what completing reads of a declaration.
type body struct {
	ShipmentID string
	Fill       string
	Without    []string
	Items      []json.RawMessage
}

// noFill is the value of fill with which a declaration takes over nothing.
const noFill = "NONE"

// Complete fills the items that name a product with what they leave out and the product of the declaration's client has. An
// item that a correction does not change is left as it is, so that later changes of a product change no declaration.
func Complete(tx filing.View, d *customs.Declaration, c filing.Completion) (filing.Completion, error) {
	if !slices.ContainsFunc(d.Items, func(i customs.Item) bool { return i.ProductCode != "" }) {
		return c, nil
	}
	var b, before body
	if err := json.Unmarshal(c.Body, &b); err != nil {
		return c, err
	}
	if c.Before != nil {
		if err := json.Unmarshal(c.Before.Body, &before); err != nil {
			return c, err
		}
	}
	kept, err := keptValues(c.Before, &before, &b)
	if err != nil {
		return c, err
	}
	f := filler{direction: d.DeclarationType, without: b.Without}
	if b.Fill != noFill {
		if f.products, err = productsOf(tx, d, &before, &b); err != nil || f.products == nil {
			return c, err
		}
	}
	for i := range b.Items {
		c.Derived = append(c.Derived, kept[i]...)
		code := d.Items[i].ProductCode
		if code == "" || b.Fill == noFill || contains(before.Items, b.Items[i]) {
			continue
		}
		var more []filing.Derived
		b.Items[i], more = f.fill(i, b.Items[i], code)
		c.Derived = append(c.Derived, more...)
	}
	if f.details != nil {
		return c, apierr.Invalid(f.details...)
	}
	items, err := json.Marshal(b.Items)
	if err == nil {
		c.Body, err = filing.Patch(c.Body, append(append([]byte(`{"items":`), items...), '}'))
	}
	return c, err
}

func contains(items []json.RawMessage, item json.RawMessage) bool {
	return slices.ContainsFunc(items, func(other json.RawMessage) bool { return bytes.Equal(item, other) })
}

// keptValues returns, for each item of a correction, the values that were filled into the record and that the item still has
// at the same place.
func keptValues(record *filing.Filing, before, b *body) (map[int][]filing.Derived, error) {
	stored, err := filing.StoredDerived(record)
	if err != nil || stored == nil {
		return nil, err
	}
	kept := map[int][]filing.Derived{}
	for _, v := range stored {
		var item int
		var member string
		if n, _ := fmt.Sscanf(v.Field, "items[%d].%s", &item, &member); n != 2 || v.From != Kind || item >= len(b.Items) || item >= len(before.Items) {
			continue
		}
		was, is := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		if err := json.Unmarshal(before.Items[item], &was); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b.Items[item], &is); err != nil {
			return nil, err
		}
		if bytes.Equal(was["productCode"], is["productCode"]) && bytes.Equal(is[member], v.Value) {
			kept[item] = append(kept[item], v)
		}
	}
	return kept, nil
}

// productsOf returns the products that the new items name, by code; nil if there is no such shipment, which is reported
// elsewhere.
func productsOf(tx filing.View, d *customs.Declaration, before, b *body) (map[string]filing.Filing, error) {
	shipment, err := tx.Filing(customs.Shipments.Kind, strings.ToLower(d.ShipmentID))
	if apierr.Is(err, apierr.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var of struct{ ClientID string }
	if err := json.Unmarshal(shipment.Body, &of); err != nil {
		return nil, err
	}
	codes := map[filing.Key]string{}
	for i := range d.Items {
		if code := d.Items[i].ProductCode; code != "" && !contains(before.Items, b.Items[i]) {
			codes[customs.ProductName(of.ClientID, code)] = code
		}
	}
	names := make([]filing.Key, 0, len(codes))
	for name := range codes {
		names = append(names, name)
	}
	found, err := tx.NamedFilings(names)
	if err != nil {
		return nil, err
	}
	products := map[string]filing.Filing{}
	for name, f := range found {
		products[codes[name]] = f
	}
	return products, nil
}

// filler fills items from products.
type filler struct {
	products  map[string]filing.Filing // by code
	direction string
	without   []string // paths that are not filled in
	details   []apierr.Detail
}

// fill fills an item from the product with a code.
func (f *filler) fill(n int, item json.RawMessage, code string) (json.RawMessage, []filing.Derived) {
	at := fmt.Sprintf("items[%d].", n)
	record, found := f.products[code]
	switch {
	case !found:
		f.details = append(f.details, apierr.Detail{Field: at + "productCode", Message: "is the code of no product of the client"})
		return item, nil
	case record.Status == lifecycle.Archived:
		f.details = append(f.details, apierr.Detail{Field: at + "productCode", Message: "is the code of a product that is archived; unarchive it first"})
		return item, nil
	}
	var p Product
	if err := json.Unmarshal(record.Body, &p); err != nil {
		f.details = append(f.details, apierr.Detail{Field: at + "productCode", Message: "is the code of a product that cannot be read"})
		return item, nil
	}
	filled, derived := fillItem(item, &p, f.direction, func(member string) bool {
		return !slices.Contains(f.without, at+member) && !slices.Contains(f.without, "items[]."+member)
	})
	for i := range derived {
		derived[i].Field = at + derived[i].Field
	}
	for _, member := range []string{"commodityCode", "description"} {
		if !has(filled, member) && !has(filled, "classifications") {
			f.details = append(f.details, apierr.Detail{Field: at + member, Message: "is required, because the product has none"})
		}
	}
	return filled, derived
}

func has(item json.RawMessage, member string) bool {
	members := map[string]json.RawMessage{}
	return json.Unmarshal(item, &members) == nil && members[member] != nil
}

// itemMembers are the members that an item can have.
var itemMembers = func() map[string]bool {
	all := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[customs.Item]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		all[name] = true
	}
	return all
}()
