package demo

import (
	"encoding/json"
	"time"
)

// Deeds are the kinds of what the organisations file, by the deeds' names, with the
// state that customs brings each to.
func Deeds() (kinds, until map[string]string, err error) {
	kinds, until = map[string]string{}, map[string]string{}
	for _, o := range organisations() {
		for _, name := range o.acts {
			deeds, err := act(name)
			if err != nil {
				return nil, nil, err
			}
			for _, d := range deeds {
				kinds[d.Name], until[d.Name] = d.Kind, string(d.Until)
			}
		}
	}
	return kinds, until, nil
}

// At is a body as it is filed at an instant.
func At(body string, now time.Time, ids map[string]string) (string, error) {
	d := deed{Body: json.RawMessage(body)}
	filed, err := d.at(now, ids)
	return string(filed), err
}
