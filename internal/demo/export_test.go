package demo

import (
	"encoding/json"
	"time"
)

// StoryFilings returns the filings of all demo organisations in order.
func StoryFilings() (all []StoryFiling, err error) {
	for _, o := range organisations() {
		for _, name := range o.storyFiles {
			filings, err := readStory(name)
			if err != nil {
				return nil, err
			}
			for _, d := range filings {
				all = append(all, StoryFiling{d})
			}
		}
	}
	return all, nil
}

// StoryFiling is a filing of the demo data.
type StoryFiling struct{ storyFiling }

// At returns the filing's body for the given time.
func (d *StoryFiling) At(now time.Time, ids map[string]string) (json.RawMessage, error) {
	return d.storyFiling.at(now, ids)
}

// At returns a body for the given time.
func At(body string, now time.Time, ids map[string]string) (string, error) {
	d := storyFiling{Body: json.RawMessage(body)}
	filed, err := d.at(now, ids)
	return string(filed), err
}
