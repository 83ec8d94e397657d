package enssim

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Kinds of entries.
const (
	declarationKind  = "declaration"
	outcomeKind      = "outcome"
	notificationKind = "notification"
)

// entry is something that the simulator keeps: a declaration, or a document that waits to be polled.
type entry struct {
	Kind         string `json:"kind"`
	Organisation string `json:"organisation"`
	ID           string `json:"id"` // LRN of a declaration, correlation id of an outcome, id of a notification
	Correlation  string `json:"correlation,omitempty"`
	MRN          string `json:"mrn,omitempty"`
	Document     string `json:"document,omitempty"`
	Acknowledged bool   `json:"acknowledged,omitempty"`
}

func (e *entry) key() string { return e.Kind + "/" + e.Organisation + "/" + e.ID }

// serveMailbox lists, reads and acknowledges outcomes or notifications. Those of another organisation do not exist.
func (s *Simulator) serveMailbox(r *http.Request, kind, id string) answer {
	org := simulator.RequestOf(r.Header).Organisation
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		if r.Method != http.MethodGet {
			return plain(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "The method is not supported")
		}
		return s.list(kind, org)
	}
	e := s.at[(&entry{Kind: kind, Organisation: org, ID: id}).key()]
	if e == nil || e.Acknowledged {
		return plain(http.StatusNotFound, strings.ToUpper(kind)+"_NOT_FOUND", "No "+kind+" exists with supplied id")
	}
	switch r.Method {
	case http.MethodGet:
		return answer{http.StatusOK, e.Document}
	case http.MethodDelete:
		e.Acknowledged = true
		if err := s.Journal.Commit(s.Journal.Enqueue(*e)); err != nil {
			return plain(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
		}
		return answer{status: http.StatusOK}
	}
	return plain(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "The method is not supported")
}

// list lists what waits, oldest first.
func (s *Simulator) list(kind, org string) answer {
	root, most, path := "entryDeclarationResponses", ensapi.MaxOutcomes, ensapi.OutcomesPath
	if kind == notificationKind {
		root, most, path = "advancedNotifications", ensapi.MaxNotifications, ensapi.NotificationsPath
	}
	var out strings.Builder
	n := 0
	for _, e := range s.entries {
		if e.Kind != kind || e.Organisation != org || e.Acknowledged || n == most {
			continue
		}
		n++
		fmt.Fprintf(&out, "<response><correlationId>%s</correlationId>", e.Correlation)
		if kind == notificationKind {
			fmt.Fprintf(&out, "<notificationId>%s</notificationId>", e.ID)
		}
		fmt.Fprintf(&out, "<link>%s%s</link>", path, e.ID)
		if e.MRN != "" && kind == outcomeKind {
			fmt.Fprintf(&out, "<MRN>%s</MRN>", e.MRN)
		}
		out.WriteString("</response>")
	}
	if n == 0 {
		return answer{status: http.StatusNoContent}
	}
	return answer{http.StatusOK, "<" + root + ">" + out.String() + "</" + root + ">"}
}
