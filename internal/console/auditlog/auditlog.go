// Package auditlog is the area of the audit trail: every event described in a sentence,
// its changes, verification of the hash chain, and legal holds.
package auditlog

import (
	"embed"
	"io/fs"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
)

//go:embed pages assets
var files embed.FS

// AuditLog is the area, with the services that it uses.
type AuditLog struct {
	Accounts  *access.Accounts
	Describer *wording.Describer
	Exporter  *audit.Exporter
	Verifier  *audit.Verifier
	Notary    *audit.Notary
	Types     []*filing.Type // all types of filing
	Hubs      []Hub          // all Hubs
	Evidence  *evidence.Service
	IDs       *ident.Source
}

// Hub is the id and the name of a Hub.
type Hub struct{ ID, Name string }

// Area returns the area's routes, pages and texts.
func (a *AuditLog) Area() page.Area {
	return page.Area{
		Name: "auditlog", Pages: files, Assets: files, Partials: []fs.FS{wording.Partials()}, Navigation: []page.NavigationEntry{{Path: "/audit", Name: "Audit trail", Group: "Organisation"}},
		Tabs: []page.Tab{
			{Path: "/audit", Name: "Events", For: page.ForViewer},
			{Path: "/audit/verification", Name: "Verification", For: page.ForViewer},
			{Path: "/audit/holds", Name: "Legal holds", For: page.ForViewer},
		},
		Routes: []page.Route{
			page.Get("/audit", page.ForViewer, a.list),
			page.Post("/audit/export", page.ForViewer, a.export).WithRecentProof(),
			page.Get("/audit/verification", page.ForViewer, a.verification),
			page.Post("/audit/verification", page.ForMember, a.verify),
			page.Get("/audit/checkpoint", page.ForViewer, a.checkpoint),
			page.Get("/audit/holds", page.ForViewer, a.holds),
			page.Post("/audit/holds", page.ForOwner, a.setHold),
			page.Post("/audit/holds/lift", page.ForOwner, a.liftHold),
			page.Get("/records/{id}/evidence.zip", page.ForViewer, a.evidence),
			page.Get("/audit/{sequence}", page.ForViewer, a.event),
		},
		Functions: map[string]any{"hub": a.hub, "count": formatCount},
		Labels:    map[string]string{"checkpoint": "The checkpoint", "record": "The record", "reason": "The reason"},
		Notices: map[string]string{
			"hold-set":    "The legal hold is set. Records under it are not deleted until it is lifted.",
			"hold-lifted": "The legal hold is lifted. Records whose retention period is over will be deleted.",
		},
	}
}

// hub returns the name of an event's Hub. Events of the organisation itself are stored
// under the foundational Hub, but are shown without one.
func (a *AuditLog) hub(line wording.Line) string {
	if line.Hub == access.FoundationalHub && !a.Describer.IsFiling(line.ResourceType) {
		return ""
	}
	for _, h := range a.Hubs {
		if h.ID == line.Hub {
			return h.Name
		}
	}
	return ""
}

// formatCount formats a number with thousands separators.
func formatCount(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
