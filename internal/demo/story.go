package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

//go:embed story/*.json
var files embed.FS

// storyFiling is a filing of the story, and the steps taken with it.
type storyFiling struct {
	Name   string             `json:"name"` // later filings refer to it by this name
	Kind   string             `json:"kind"`
	By     string             `json:"by"` // the short name of who does it
	Body   json.RawMessage    `json:"body"`
	Then   []lifecycle.Action `json:"then"`
	Reason string             `json:"reason"` // of a step that asks for one
	Until  lifecycle.State    `json:"until"`  // to which customs brings it, when it is submitted
}

// act reads one file of the story.
func act(name string) (deeds []storyFiling, err error) {
	raw, err := files.ReadFile("story/" + name + ".json")
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if err := in.Decode(&deeds); err != nil {
		return nil, fmt.Errorf("demo: %s: %w", name, err)
	}
	return deeds, nil
}

// What stands in a body for what is only known when it is filed: an earlier deed's
// id, an instant of London's clock, a day.
var (
	named   = regexp.MustCompile(`"@([a-z0-9-]+)"`)
	instant = regexp.MustCompile(`"in (-?\d+) days at (\d\d):(\d\d)"`)
	aDay    = regexp.MustCompile(`"day in (-?\d+) days"`)
)

// at is the body as it is filed now.
func (d *storyFiling) at(now time.Time, ids map[string]string) (json.RawMessage, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, d.Body); err != nil {
		return nil, fmt.Errorf("demo: %s: %w", d.Name, err)
	}
	now = now.In(calendar.London())
	body := named.ReplaceAllFunc(compact.Bytes(), func(found []byte) []byte {
		return quoted(ids[string(named.FindSubmatch(found)[1])])
	})
	body = instant.ReplaceAllFunc(body, func(found []byte) []byte {
		n := numbers(instant.FindSubmatch(found)[1:])
		at := time.Date(now.Year(), now.Month(), now.Day()+n[0], n[1], n[2], 0, 0, now.Location())
		return quoted(at.UTC().Format(time.RFC3339))
	})
	body = aDay.ReplaceAllFunc(body, func(found []byte) []byte {
		return quoted(now.AddDate(0, 0, numbers(aDay.FindSubmatch(found)[1:])[0]).Format(time.DateOnly))
	})
	return body, nil
}

func quoted(text string) []byte { return strconv.AppendQuote(nil, text) }

// numbers reads what a pattern has found to be digits.
func numbers(texts [][]byte) []int {
	found := make([]int, len(texts))
	for i, text := range texts {
		found[i], _ = strconv.Atoi(string(text))
	}
	return found
}
