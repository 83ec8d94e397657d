package declare

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Limits of the templates on the page on which a declaration starts.
const (
	maxTemplates = 20       // the latest
	clientSize   = 64 << 10 // bytes of a client that are read
)

// clientTemplates are the templates of a client.
type clientTemplates struct {
	Client    string
	Templates []templateLink
}

type templateLink struct {
	ID, Name string
	Repeats  bool
}

// templatesByClient returns the latest templates, by the names of their clients.
func templatesByClient(tx page.Tx) (all []clientTemplates, err error) {
	found, err := tx.Filings(filing.Query{Kind: template.Kind, Status: lifecycle.Active, Limit: maxTemplates})
	if err != nil {
		return nil, err
	}
	byClient := map[string][]templateLink{}
	var ids []string
	for i := range found {
		var t template.Template
		if err := json.Unmarshal(found[i].AppendBrief(nil), &t); err != nil {
			return nil, err
		}
		id := strings.ToLower(t.ClientID)
		if byClient[id] == nil {
			ids = append(ids, id)
		}
		byClient[id] = append(byClient[id], templateLink{found[i].ID, t.Name, t.Recurrence != nil && !t.Recurrence.Paused})
	}
	clients, err := tx.FilingsByID(customs.Clients.Kind, ids, clientSize)
	if err != nil {
		return nil, err
	}
	for i := range clients {
		var c customs.Client
		if err := json.Unmarshal(clients[i].Body, &c); err != nil {
			return nil, err
		}
		all = append(all, clientTemplates{c.Name, byClient[clients[i].ID]})
	}
	sorting.Stable(all, func(a, b clientTemplates) int {
		return strings.Compare(strings.ToLower(a.Client), strings.ToLower(b.Client))
	})
	return all, nil
}
