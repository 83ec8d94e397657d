// Package gvmssim stands in for HMRC's Goods Vehicle Movement Service: its API for hauliers and the notifications of the
// application. Time is the clock of the organisation: an OPEN record is checked in an hour before its crossing, embarks at
// the crossing and is completed two hours after. The same requests at the same times give the same answers.
//
// A caller steers it with the header X-Simulate at the creation of a record: inspect asks for an inspection. Codes of rules
// that HMRC has not published begin with SIM_.
package gvmssim

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Inspect is the value of the header X-Simulate that asks for an inspection.
const Inspect = "inspect"

// Box is the id of the box with all notifications.
const Box = "5f6d7e1a-0000-4000-8000-000000000001"

// HaulierEORI is the account of each record.
const HaulierEORI = "GB000000000000"

// maxDocument is the maximum size of a request in bytes.
const maxDocument = 1 << 20

// Simulator is an HTTP handler. It is safe for concurrent use.
type Simulator struct {
	simulator.Frame[goodsRecord]

	mu      sync.Mutex // protects records
	records []*goodsRecord
}

// New makes a Simulator that continues from the journal, also after a crash. A folder belongs to one Simulator at a time.
func New(o simulator.Options) (*Simulator, error) {
	s := &Simulator{}
	return s, s.Open(o, "gvms.jsonl", s)
}

// Apply takes over a record of the journal, which replaces its earlier states.
func (s *Simulator) Apply(r goodsRecord) {
	at := slices.IndexFunc(s.records, func(o *goodsRecord) bool { return o.Movement.ID == r.Movement.ID })
	if at < 0 {
		s.records = append(s.records, &r)
		return
	}
	s.records[at] = &r
}

// Records returns the latest state of each record.
func (s *Simulator) Records() iter.Seq[goodsRecord] {
	return func(yield func(goodsRecord) bool) {
		for _, r := range s.records {
			if !yield(*r) {
				return
			}
		}
	}
}

// ServeHTTP serves the API for hauliers and the box.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Serve(w, r, maxDocument, func() (send func()) {
		status, body := s.serve(w, r)
		return func() {
			if body == nil {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(body)
		}
	})
}

// problem is the body of an error.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
}

// serve returns the status and the body of an answer; nil for no body.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) (int, any) {
	switch {
	case !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "):
		return http.StatusUnauthorized, problem{"MISSING_CREDENTIALS", "The request has no token."}
	case r.Header.Get("Accept") != gvms.Accept:
		return http.StatusNotAcceptable, problem{"ACCEPT_HEADER_INVALID", "The accept header is missing or invalid."}
	case r.URL.Path == gvms.ReferencePath:
		return http.StatusOK, reference
	case strings.HasPrefix(r.URL.Path, boxPath):
		return s.serveBox(w, r)
	case r.URL.Path == gvms.MovementsPath:
		return s.serveAll(w, r)
	case strings.HasPrefix(r.URL.Path, gvms.MovementsPath+"/"):
		return s.serveOne(w, r, r.URL.Path[len(gvms.MovementsPath)+1:])
	}
	return http.StatusNotFound, problem{Code: "MATCHING_RESOURCE_NOT_FOUND"}
}

func (s *Simulator) serveAll(w http.ResponseWriter, r *http.Request) (int, any) {
	asked := simulator.RequestOf(r.Header)
	switch r.Method {
	case http.MethodGet:
		return s.change(func() (*goodsRecord, int, any) { return nil, http.StatusOK, s.summaries(asked.Organisation) })
	case http.MethodPost:
		if asked.Simulate != "" && asked.Simulate != Inspect {
			return http.StatusBadRequest, problem{"INVALID_SIMULATE", "The header X-Simulate can have the value inspect."}
		}
		record, refused := read(w, r)
		if refused != nil {
			return http.StatusBadRequest, refused
		}
		return s.change(func() (*goodsRecord, int, any) { return s.create(asked, record) })
	}
	return http.StatusMethodNotAllowed, problem{Code: "METHOD_NOT_ALLOWED"}
}

func (s *Simulator) serveOne(w http.ResponseWriter, r *http.Request, id string) (int, any) {
	org := simulator.RequestOf(r.Header).Organisation
	var record gvms.Record
	if r.Method == http.MethodPut {
		var refused *problem
		if record, refused = read(w, r); refused != nil {
			return http.StatusBadRequest, refused
		}
	}
	return s.change(func() (*goodsRecord, int, any) {
		g := s.find(org, id)
		if g == nil {
			return nil, http.StatusNotFound, problem{"NOT_FOUND", "There is no goods movement record with this id."}
		}
		switch r.Method {
		case http.MethodGet:
			return nil, http.StatusOK, g.Movement
		case http.MethodPut:
			return s.update(g, record)
		case http.MethodDelete:
			return s.remove(g)
		}
		return nil, http.StatusMethodNotAllowed, problem{Code: "METHOD_NOT_ALLOWED"}
	})
}

// change makes a change and answers after it is stored.
func (s *Simulator) change(fn func() (changed *goodsRecord, status int, body any)) (int, any) {
	batch, status, body := s.changeInMemory(fn)
	if err := s.commit(batch); err != nil {
		return http.StatusInternalServerError, problem{"INTERNAL_SERVER_ERROR", err.Error()}
	}
	return status, body
}

// changeInMemory makes a change after what is due. It returns the last batch of the journal; nil if nothing changed. Batches
// are written in order, so the earlier ones are stored before it.
func (s *Simulator) changeInMemory(fn func() (changed *goodsRecord, status int, body any)) (batch *simulator.Batch, status int, body any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch = s.advance()
	changed, status, body := fn()
	if changed != nil {
		batch = s.Journal.Enqueue(*changed)
	}
	return batch, status, body
}

// commit returns when a batch is stored. There is nothing to do without one.
func (s *Simulator) commit(batch *simulator.Batch) error {
	if batch == nil {
		return nil
	}
	return s.Journal.Commit(batch)
}

// read reads a record and checks it against the schema.
func read(w http.ResponseWriter, r *http.Request) (record gvms.Record, refused *problem) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxDocument))
	d.DisallowUnknownFields()
	if err := d.Decode(&record); err != nil {
		return record, &problem{"BAD_REQUEST", err.Error()}
	}
	if faults := record.Check(); faults != nil {
		return record, &problem{"SCHEMA_VALIDATION_ERROR", faults[0].Field + ": " + faults[0].Message}
	}
	return record, nil
}

func (s *Simulator) summaries(org string) []gvms.Summary {
	all := []gvms.Summary{}
	for _, g := range s.records {
		if g.Organisation != org || g.Deleted {
			continue
		}
		m := &g.Movement
		all = append(all, gvms.Summary{
			ID: m.ID, Direction: m.Direction, State: m.Metadata.State, VehicleRegNum: m.VehicleRegNum, Planned: m.PlannedCrossing, Created: m.Metadata.Created, Updated: m.Metadata.Updated,
		})
	}
	return all
}

// find returns a record of an organisation; nil if it has none.
func (s *Simulator) find(org, id string) *goodsRecord {
	for _, g := range s.records {
		if g.Organisation == org && g.Movement.ID == id && !g.Deleted {
			return g
		}
	}
	return nil
}

// utc is the layout of instants.
const utc = "2006-01-02T15:04:05.000Z"

func instant(at time.Time) string { return at.UTC().Format(utc) }

// newID returns the id of the nth record.
func newID(n int) string { return fmt.Sprintf("GMRA%08d", n) }
