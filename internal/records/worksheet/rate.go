package worksheet

import "encoding/json"

// Rate is an exchange rate that the declaration states for its estimate, as typed: units of the currency for one pound.
type Rate struct{ Currency, Units, Source string }

// RateSources are the sources of a typed rate. Customs does not get such a rate; that of a contract has its evidence, and is
// among the other details.
var RateSources = []Choice{{"HMRC_MONTHLY", "HMRC’s monthly rate"}, {"OTHER", "Another rate, for the estimate only"}}

// rates is the member of the declaration with its exchange rates.
const rates = "exchangeRates"

// storedRate is an entry of exchangeRates as the form writes it.
type storedRate struct {
	Currency string          `json:"currency"`
	Units    json.RawMessage `json:"rate"`
	Source   string          `json:"source"`
}

func (s *Worksheet) storedRates() (all []json.RawMessage) {
	_ = json.Unmarshal(s.General.Member(rates), &all) // nothing if it is not a list
	return all
}

// typedRate reads an entry of exchangeRates; ok is false for one that the form does not write.
func typedRate(raw json.RawMessage) (r Rate, ok bool) {
	var members map[string]json.RawMessage
	var stored storedRate
	if json.Unmarshal(raw, &members) != nil || json.Unmarshal(raw, &stored) != nil || len(members) != 3 || stored.Units == nil {
		return r, false
	}
	r = Rate{stored.Currency, "", stored.Source}
	if json.Unmarshal(stored.Units, &r.Units) != nil {
		r.Units = string(stored.Units) // a number
	}
	return r, r.Source == RateSources[0].Value || r.Source == RateSources[1].Value
}

// Rates returns the rates that are typed in the form, with their places in exchangeRates.
func (s *Worksheet) Rates() (all []Rate, at []int) {
	for n, raw := range s.storedRates() {
		if r, ok := typedRate(raw); ok {
			all, at = append(all, r), append(at, n)
		}
	}
	return all, at
}

// SetRate states the rate of a currency in place of the one that was typed before; without units there is none.
func (s *Worksheet) SetRate(r Rate) {
	var all []json.RawMessage
	for _, raw := range s.storedRates() {
		if was, ok := typedRate(raw); !ok || was.Currency != r.Currency {
			all = append(all, raw)
		}
	}
	if r.Source != RateSources[0].Value {
		r.Source = RateSources[1].Value
	}
	if r.Units != "" {
		raw, _ := json.Marshal(storedRate{r.Currency, Field{Kind: Number}.value(r.Units), r.Source}) // texts and numbers are valid
		all = append(all, raw)
	}
	if len(all) == 0 {
		s.General.SetMember(rates, nil)
		return
	}
	raw, _ := json.Marshal(all) // valid JSON stays valid
	s.General.SetMember(rates, raw)
}
