// Package palette answers the field that opens with Ctrl+K on every page: places of the console and actions that the user may
// open, and records whose texts contain what is typed.
package palette

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Limits of an answer.
const (
	maxText    = 200 // bytes of what is typed
	minRecords = 2   // characters from which on records are searched
	maxPlaces  = 8
	maxRecords = 10
)

// Palette is the area.
type Palette struct {
	Find  func(context.Context, tenant.ID, search.Query) (search.FoundPage, error)
	Types []*filing.Type // of the records that are found
}

// Area returns the area's route.
func (p *Palette) Area() page.Area {
	return page.Area{Name: "palette", Routes: []page.Route{page.Get("/palette", page.ForViewer, p.answer)}}
}

// Entry is a line of the answer.
type Entry struct {
	Group  string `json:"group"` // Pages, Actions, or the plural of the records' kind
	Name   string `json:"name"`
	Detail string `json:"detail"`
	Path   string `json:"path"`
}

func (p *Palette) answer(c *page.Context) error {
	text := strings.TrimSpace(c.R.URL.Query().Get("q"))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	var answer struct {
		Entries    []Entry `json:"entries"`
		Incomplete string  `json:"incomplete,omitempty"` // why records may be missing
	}
	found := places(c, text)
	if len([]rune(text)) >= minRecords {
		records, err := p.Find(c.R.Context(), c.Session.Org, search.Query{Text: text, Limit: maxRecords})
		if err != nil {
			return err
		}
		found, answer.Incomplete = append(found, p.entries(c, records.Records)...), records.Incomplete()
	}
	answer.Entries = found
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/json")
	c.W.WriteHeader(http.StatusOK)
	_, _ = c.W.Write(body) // fails only if the client has gone
	return nil
}

// places returns the pages and actions whose names contain every word of a text, with the Hub of those that share a name.
func places(c *page.Context, text string) []Entry {
	found := []Entry{}
	words := strings.Fields(strings.ToLower(text))
	for _, place := range c.Places() {
		if len(found) == maxPlaces {
			break
		}
		if containsAll(strings.ToLower(place.Name+" "+place.About+" "+place.Group), words) {
			found = append(found, Entry{place.Group, place.Name, place.About, place.Path})
		}
	}
	return found
}

func containsAll(name string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// entries returns the lines of records that have a page.
func (p *Palette) entries(c *page.Context, found []search.FoundRecord) (entries []Entry) {
	for i := range found {
		f := &found[i]
		path := c.RecordPath(f.Kind, f.ID)
		if path == "" || len(entries) == maxRecords {
			continue
		}
		name := f.Name()
		if name == "" {
			name = f.Matched
		}
		entries = append(entries, Entry{p.group(f.Kind), name, p.mark(&f.Filing) + form.Words(string(f.Status)) + " · " + inWords(f.Matched), path})
	}
	return entries
}

// inWords returns a text that matched with the label of its member instead of its path: "containers[0]: MSKU1234565" becomes
// "Containers: MSKU1234565".
func inWords(matched string) string {
	path, value, ok := strings.Cut(matched, ": ")
	if !ok {
		return matched
	}
	member, _, _ := strings.Cut(path[strings.LastIndexByte(path, '.')+1:], "[")
	return form.Label(member) + ": " + value
}

// mark begins the details of a record whose reference this service or a simulator made.
func (p *Palette) mark(f *filing.Filing) string {
	for _, t := range p.Types {
		if t.Kind == f.Kind && t.SimulatedReference(f) != "" {
			return "SIMULATED · "
		}
	}
	return ""
}

// group is the heading of the records of a kind.
func (p *Palette) group(kind string) string {
	for _, t := range p.Types {
		if t.Kind == kind {
			return strings.ToUpper(t.Plural[:1]) + t.Plural[1:]
		}
	}
	return "Records"
}
