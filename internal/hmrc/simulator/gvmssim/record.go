package gvmssim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// goodsRecord is a goods movement record with its notifications, as the journal keeps it.
type goodsRecord struct {
	Organisation  string         `json:"organisation"`
	Movement      gvms.Movement  `json:"movement"`
	Inspect       bool           `json:"inspect,omitempty"` // whether its caller asked for an inspection
	Deleted       bool           `json:"deleted,omitempty"`
	Notifications []notification `json:"notifications"`
}

// notification is a notification in the box.
type notification struct {
	pushpull.Notification
	At time.Time `json:"at"`
}

func (s *Simulator) create(asked simulator.Request, record gvms.Record) (*goodsRecord, int, any) {
	now := s.Clock(asked.Organisation)
	g := &goodsRecord{
		Organisation: asked.Organisation, Inspect: asked.Simulate == Inspect,
		Movement: gvms.Movement{ID: newID(len(s.records) + 1), HaulierEORI: HaulierEORI, Record: record, Metadata: gvms.Metadata{Created: instant(now)}},
	}
	s.records = append(s.records, g)
	s.judge(g, now)
	return g, http.StatusAccepted, nil
}

func (s *Simulator) update(g *goodsRecord, record gvms.Record) (*goodsRecord, int, any) {
	if !g.Movement.Metadata.State.Editable() {
		return nil, http.StatusForbidden, problem{"GMR_NOT_EDITABLE", "The vehicle has checked in."}
	}
	if record.Direction != g.Movement.Direction {
		return nil, http.StatusBadRequest, problem{"DIRECTION_CHANGED", "The direction cannot be changed."}
	}
	g.Movement.Record = record
	s.judge(g, s.Clock(g.Organisation))
	return g, http.StatusAccepted, nil
}

func (s *Simulator) remove(g *goodsRecord) (*goodsRecord, int, any) {
	if !g.Movement.Metadata.State.Editable() {
		return nil, http.StatusForbidden, problem{"GMR_NOT_EDITABLE", "The vehicle has checked in."}
	}
	g.Deleted = true
	g.notify(g.Movement.Metadata.State, s.Clock(g.Organisation))
	return g, http.StatusAccepted, nil
}

// judge applies the rules to a record that was sent, and notifies of the result.
func (s *Simulator) judge(g *goodsRecord, now time.Time) {
	m := &g.Movement.Metadata
	m.Failures = s.failures(g)
	state := gvms.Open
	if len(m.Failures) > 0 {
		state = gvms.NotFinalisable
	}
	if g.Inspect && state == gvms.Open {
		needed := true
		m.Inspect, m.ReportTo = &needed, []gvms.ReportTo{{InspectionType: inspectionType, Locations: []string{inspectionPlace}}}
	}
	g.notify(state, now)
}

// notify changes the state of a record and puts a notification into the box.
func (g *goodsRecord) notify(state gvms.State, at time.Time) {
	m := &g.Movement.Metadata
	m.State, m.Updated = state, instant(at)
	m.Version++
	message, _ := json.Marshal(map[string]any{"gmrId": g.Movement.ID, "state": state, "gmrStatusVersion": m.Version, "updatedDateTime": m.Updated})
	g.Notifications = append(g.Notifications, notification{At: at, Notification: pushpull.Notification{
		ID: fmt.Sprintf("00000000-0000-4000-8000-%s%04d", g.Movement.ID[len(g.Movement.ID)-8:], m.Version), Box: Box, Type: "application/json",
		Message: string(message), Status: pushpull.Pending, Created: at.UTC().Format("2006-01-02T15:04:05.000-0700"),
	}})
}

// stage is a change of state that follows from the time of the crossing.
type stage struct {
	from, to gvms.State
	after    time.Duration // after the departure
}

var stages = []stage{{gvms.Open, gvms.CheckedIn, -time.Hour}, {gvms.CheckedIn, gvms.Embarked, 0}, {gvms.Embarked, gvms.Completed, 2 * time.Hour}}

// advance makes the changes that are due. It returns their batch of the journal; nil without any.
func (s *Simulator) advance() (batch *simulator.Batch) {
	for _, g := range s.records {
		departure, known := departureOf(&g.Movement.Record)
		if g.Deleted || !known {
			continue
		}
		now, changed := s.Clock(g.Organisation), false
		for _, st := range stages {
			if at := departure.Add(st.after); g.Movement.Metadata.State == st.from && !now.Before(at) {
				g.enter(st.to, at)
				changed = true
			}
		}
		if changed {
			batch = s.Journal.Enqueue(*g)
		}
	}
	return batch
}

// enter makes a record enter a stage of its crossing. What is late is entered at once: nothing is notified before it was sent.
func (g *goodsRecord) enter(state gvms.State, at time.Time) {
	if last := g.Notifications[len(g.Notifications)-1].At; at.Before(last) {
		at = last
	}
	planned := g.Movement.PlannedCrossing
	crossing := &gvms.Arrival{RouteID: planned.RouteID, Arrival: planned.Departure}
	switch state {
	case gvms.CheckedIn:
		g.Movement.CheckedInCrossing = crossing
	case gvms.Embarked:
		g.Movement.ActualCrossing = crossing
	}
	g.notify(state, at)
}

// departureOf returns the instant of the planned departure.
func departureOf(r *gvms.Record) (time.Time, bool) {
	if r.PlannedCrossing == nil || r.PlannedCrossing.Departure == "" {
		return time.Time{}, false
	}
	at := slices.IndexFunc(reference.Routes, func(o gvms.Route) bool { return o.ID == r.PlannedCrossing.RouteID })
	if at < 0 {
		return time.Time{}, false
	}
	departure, err := reference.DepartureTime(reference.Routes[at], r.PlannedCrossing.Departure)
	return departure, err == nil
}
