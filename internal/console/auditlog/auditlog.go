// Package trail is the audit trail as people read it: every event in words, what it
// changed, and whether the chain of them is whole.
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

// Trail is the area.
type AuditLog struct {
	Accounts *access.Accounts
	Clerk    *wording.Describer
	Exporter *audit.Exporter
	Verifier *audit.Verifier
	Notary   *audit.Notary
	Types    []*filing.Type // all that can be filed
	Hubs     []Hub          // all that there are
	Evidence *evidence.Service
	IDs      *ident.Source
}

// Hub is an area that something can have happened in.
type Hub struct{ ID, Name string }

// Area is what the console shows of it.
func (a *AuditLog) Area() page.Area {
	return page.Area{
		Name: "auditlog", Pages: files, Assets: files, Partials: []fs.FS{wording.Parts()}, Navigation: []page.NavigationEntry{{Path: "/audit", Name: "Audit trail", Group: "Organisation"}},
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
		Functions: map[string]any{"hub": a.hub, "count": count},
		Labels:    map[string]string{"checkpoint": "The checkpoint", "record": "The record", "reason": "The reason"},
		Notices: map[string]string{
			"hold-set":    "The hold is set. What it keeps is not removed until somebody lifts it.",
			"hold-lifted": "The hold is lifted. What has been kept long enough goes with the next sweep.",
		},
	}
}

// hub is what the Hub of an event is called. What is told of the organisation itself
// stands under the foundational Hub in the trail, and belongs to none for people.
func (a *AuditLog) hub(line wording.Line) string {
	if line.Hub == access.FoundationalHub && !a.Clerk.Filed(line.ResourceType) {
		return ""
	}
	for _, h := range a.Hubs {
		if h.ID == line.Hub {
			return h.Name
		}
	}
	return ""
}

// count writes a number with its thousands apart.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
