package webhooks

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// group is the events of one kind of record.
type group struct {
	Name   string
	Events []choice
	Chosen int
}

// choice is an event that can be chosen.
type choice struct {
	Type, Description string
	Chosen            bool
}

// groups returns all events by kind, in the order of the catalogue. Pings are left out:
// they are sent only on request.
func (h *Webhooks) groups(chosen []string) (all []group) {
	for _, t := range h.Service.Catalogue {
		if t.Type == webhook.Ping {
			continue
		}
		name := "Webhooks"
		if t.Of != nil {
			name = page.KindName(t.Of)
		}
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, group{Name: name})
		}
		g := &all[len(all)-1]
		selected := slices.Contains(chosen, t.Type)
		if selected {
			g.Chosen++
		}
		g.Events = append(g.Events, choice{t.Type, t.Description, selected})
	}
	return all
}
