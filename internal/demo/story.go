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

// storyFiling is a filing of the demo data with its transitions.
type storyFiling struct {
	Name   string             `json:"name"` // later filings refer to it by this name
	Kind   string             `json:"kind"`
	By     string             `json:"by"` // short name of the user
	Body   json.RawMessage    `json:"body"`
	Then   []lifecycle.Action `json:"then"`
	Reason string             `json:"reason"` // for transitions that require a reason
	// Simulate is the outcome that the simulator is asked for, as in the header X-Simulate; empty for the usual one.
	Simulate string          `json:"simulate"`
	Until    lifecycle.State `json:"until"` // status after the answers of CDS; set only if it is submitted
}

// readStory reads the filings of one file.
func readStory(name string) (filings []storyFiling, err error) {
	raw, err := files.ReadFile("story/" + name + ".json")
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if err := in.Decode(&filings); err != nil {
		return nil, fmt.Errorf("demo: %s: %w", name, err)
	}
	return filings, nil
}

// Placeholders for values that are only known when the body is stored: the ID of an earlier filing, a
// time in London, a date.
var (
	named   = regexp.MustCompile(`"@([a-z0-9-]+)"`)
	instant = regexp.MustCompile(`"in (-?\d+) days at (\d\d):(\d\d)"`)
	aDay    = regexp.MustCompile(`"day in (-?\d+) days"`)
)

// at returns the body with its placeholders replaced.
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

// numbers converts groups of digits, which the pattern has already checked.
func numbers(texts [][]byte) []int {
	found := make([]int, len(texts))
	for i, text := range texts {
		found[i], _ = strconv.Atoi(string(text))
	}
	return found
}
