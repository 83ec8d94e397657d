package demo

import (
	"encoding/json"
	"time"
)

// Deeds are what the organisations file, in its order.
func Deeds() (all []Deed, err error) {
	for _, o := range organisations() {
		for _, name := range o.acts {
			deeds, err := act(name)
			if err != nil {
				return nil, err
			}
			for _, d := range deeds {
				all = append(all, Deed{d})
			}
		}
	}
	return all, nil
}

// Deed is one of them.
type Deed struct{ storyFiling }

// At is its body as it is filed at an instant.
func (d *Deed) At(now time.Time, ids map[string]string) (json.RawMessage, error) {
	return d.storyFiling.at(now, ids)
}

// At is a body as it is filed at an instant.
func At(body string, now time.Time, ids map[string]string) (string, error) {
	d := storyFiling{Body: json.RawMessage(body)}
	filed, err := d.at(now, ids)
	return string(filed), err
}
