package webhook

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Notice is an event as receivers get it: the same bytes on every attempt.
type Notice struct {
	ID         string // evt_ and the id of the event in the trail
	Type       string
	ResourceID string
	Body       string
	CreatedAt  time.Time
}

const noticePrefix = "evt_"

// NewNotice returns the notice of an audit event. Object is the record as the API shows it, in
// JSON.
func NewNotice(org tenant.ID, mode tenant.Mode, e *audit.Event, object []byte) Notice {
	n := Notice{ID: noticePrefix + e.ID, Type: e.Type, ResourceID: e.ResourceID, CreatedAt: e.OccurredAt}
	body := make([]byte, 0, len(object)+256)
	body = append(body, `{"id":"`+n.ID+`","type":"`+n.Type+`","createdAt":"`...)
	body = audit.AppendInstant(body, n.CreatedAt)
	body = append(body, `","organisationId":"`+string(org)+`","mode":"`+string(mode)+`","data":{"object":`...)
	body = append(body, object...)
	body = append(body, `,"previousStatus":`...)
	body = append(body, orNull(e.FromStatus)...)
	n.Body = string(append(body, "}}"...))
	return n
}

func orNull(status string) []byte {
	if status == "" {
		return []byte("null")
	}
	quoted, _ := json.Marshal(status)
	return quoted
}
