package gvmssim

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

const boxPath = "/misc/push-pull-notification/box/"

// serveBox answers a pull with the oldest pending notifications, and acknowledges notifications.
func (s *Simulator) serveBox(w http.ResponseWriter, r *http.Request) (int, any) {
	const pull, acknowledge = boxPath + Box + "/notifications", boxPath + Box + "/notifications/acknowledge"
	switch {
	case r.URL.Path == pull && r.Method == http.MethodGet:
		return s.change(func() (*goodsRecord, int, any) { return nil, http.StatusOK, s.pending() })
	case r.URL.Path == acknowledge && r.Method == http.MethodPut:
		var body struct {
			IDs []string `json:"notificationIds"`
		}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxDocument)).Decode(&body); err != nil || len(body.IDs) > gvms.MaxPulled {
			return http.StatusBadRequest, problem{"INVALID_REQUEST_PAYLOAD", "The body needs at most 100 notificationIds."}
		}
		return s.acknowledge(body.IDs)
	}
	return http.StatusNotFound, problem{"BOX_NOT_FOUND", "There is no such box."}
}

// pending returns the oldest pending notifications, at most [gvms.MaxPulled].
func (s *Simulator) pending() []pushpull.Notification {
	var waiting []notification
	for _, g := range s.records {
		for _, n := range g.Notifications {
			if n.Status == pushpull.Pending {
				waiting = append(waiting, n)
			}
		}
	}
	slices.SortStableFunc(waiting, func(a, b notification) int { return a.At.Compare(b.At) })
	all := []pushpull.Notification{}
	for _, n := range waiting[:min(len(waiting), gvms.MaxPulled)] {
		all = append(all, n.Notification)
	}
	return all
}

// acknowledge ends the delivery of notifications. Unknown ids are ignored.
func (s *Simulator) acknowledge(ids []string) (int, any) {
	if err := s.commit(s.acknowledgeInMemory(ids)); err != nil {
		return http.StatusInternalServerError, problem{"INTERNAL_SERVER_ERROR", err.Error()}
	}
	return http.StatusNoContent, nil
}

// acknowledgeInMemory returns the last batch of the journal; nil if nothing changed.
func (s *Simulator) acknowledgeInMemory(ids []string) (batch *simulator.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.records {
		changed := false
		for i := range g.Notifications {
			if n := &g.Notifications[i]; n.Status == pushpull.Pending && slices.Contains(ids, n.ID) {
				n.Status, changed = acknowledged, true
			}
		}
		if changed {
			batch = s.Journal.Enqueue(*g)
		}
	}
	return batch
}

// acknowledged is the status of a notification whose delivery has ended.
const acknowledged = "ACKNOWLEDGED"
