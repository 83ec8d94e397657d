package worksheet

import "encoding/json"

// Member returns a member of the record that the form keeps as it is; nil for none.
func (p *Part) Member(name string) json.RawMessage { return p.members()[name] }

// SetMember replaces a member that the form keeps; nil removes it.
func (p *Part) SetMember(name string, value json.RawMessage) {
	all := p.members()
	if value == nil {
		delete(all, name)
	} else {
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[name] = value
	}
	p.Kept = nil
	if len(all) > 0 {
		p.Kept, _ = json.Marshal(all) // valid JSON stays valid
	}
}

func (p *Part) members() (all map[string]json.RawMessage) {
	_ = json.Unmarshal(p.Kept, &all) // an object or nothing
	return all
}

// price is the price of an item, or another amount, as it is stored.
type price struct {
	Amount   json.RawMessage `json:"amount,omitempty"`
	Currency string          `json:"currency,omitempty"`
}

// Price returns the price of an item (DE 4/14) as typed.
func (p *Part) Price() (amount, currency string) { return typedAmount(p.Member("itemPrice")) }

// SetPrice stores the price of an item. A currency alone is no price. Other texts than numbers are stored as they are, so that
// the check of the body reports them.
func (p *Part) SetPrice(amount, currency string) {
	p.SetMember("itemPrice", storedAmount(amount, currency))
}

func typedAmount(raw json.RawMessage) (amount, currency string) {
	var stored price
	if json.Unmarshal(raw, &stored) != nil {
		return "", ""
	}
	var text string
	if json.Unmarshal(stored.Amount, &text) != nil {
		text = string(stored.Amount) // a number
	}
	return text, stored.Currency
}

func storedAmount(amount, currency string) json.RawMessage {
	if amount == "" {
		return nil
	}
	stored := price{Amount: Field{Kind: Number}.value(amount), Currency: Field{Kind: Code}.Typed(currency)}
	raw, _ := json.Marshal(stored) // texts and numbers are valid
	return raw
}
