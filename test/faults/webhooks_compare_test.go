package faults_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// eventRecord is an event of the trail that is sent to endpoints.
type eventRecord struct {
	sequence         int
	kind, record     string
	status, previous string
}

// trail maps event ids, as receivers know them, to events.
type trail map[string]eventRecord

// readTrail reads all events of the types in the catalogue.
func (d *dispatch) readTrail(t *testing.T) trail {
	t.Helper()
	announced, all := d.recordEvents(t), trail{}
	rows, err := d.database.QueryContext(t.Context(), "SELECT id, sequence, type, resource_id, to_status, from_status FROM events")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var e eventRecord
		if err := rows.Scan(&id, &e.sequence, &e.kind, &e.record, &e.status, &e.previous); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(announced, e.kind) {
			all["evt_"+id] = e
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// recordEvents are the types of all events that are changes of records.
func (d *dispatch) recordEvents(t *testing.T) (types []string) {
	t.Helper()
	var catalogue struct{ EventTypes []struct{ Type string } }
	d.clients[0].must(t, http.MethodGet, "/api/webhooks/event-types", nil, &catalogue)
	for _, e := range catalogue.EventTypes {
		if !strings.HasPrefix(e.Type, "webhook.") {
			types = append(types, e.Type)
		}
	}
	return types
}

// findings are errors, of which a test shows the first few.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f findings) report(t *testing.T, about string) {
	t.Helper()
	const most = 8
	if len(f) > 0 {
		t.Errorf("%s: %d findings\n%s", about, len(f), strings.Join(f[:min(most, len(f))], "\n"))
	}
}

// changed compares the records with the trail: each change has one event, and each acknowledged step is a change.
func (d *dispatch) changed(t *testing.T, all trail) {
	t.Helper()
	var f findings
	events, last := map[string]int{}, map[string]eventRecord{}
	for _, e := range all {
		events[e.record]++
		if e.sequence > last[e.record].sequence {
			last[e.record] = e
		}
	}
	rows, err := d.database.QueryContext(t.Context(), "SELECT id, version, status FROM filings")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	stored := map[string]bool{}
	for rows.Next() {
		var id, status string
		var version int
		if err := rows.Scan(&id, &version, &status); err != nil {
			t.Fatal(err)
		}
		stored[id] = true
		if events[id] != version || last[id].status != status {
			f.add("record %s is %s after %d changes; the trail has %d and ends with %s", id, status, version, events[id], last[id].status)
		}
		if version < d.writers.steps[id] {
			f.add("record %s: %d steps were acknowledged and %d happened", id, d.writers.steps[id], version)
		}
	}
	for id := range events {
		if !stored[id] {
			f.add("record %s is in the trail and not stored", id)
		}
	}
	for id, steps := range d.writers.steps {
		if !stored[id] {
			f.add("record %s: %d steps were acknowledged and it is not stored", id, steps)
		}
	}
	f.report(t, "records and trail")
}

// oneDeliveryEach checks that every endpoint has one delivery of each event that it subscribes to.
func (d *dispatch) oneDeliveryEach(t *testing.T, all trail) {
	t.Helper()
	var f findings
	for _, e := range d.endpoints {
		wanted := 0
		for _, event := range all {
			if e.subscribes(event.kind) {
				wanted++
			}
		}
		var rows, events, delivered int
		err := d.database.QueryRowContext(t.Context(), "SELECT count(*), count(DISTINCT notice_id), count(CASE status WHEN 'DELIVERED' THEN 1 END) "+
			"FROM deliveries WHERE endpoint_id = $1", e.id).Scan(&rows, &events, &delivered)
		if err != nil || rows != wanted || events != wanted || delivered != wanted {
			f.add("%s wants %d events; %d deliveries of %d events, %d delivered: %v", e.name, wanted, rows, events, delivered, err)
		}
	}
	f.report(t, "deliveries")
}

func (e *endpoint) subscribes(kind string) bool {
	return e.events == nil || slices.Contains(e.events, kind)
}

// compare compares what has arrived at an endpoint with the trail: all subscribed events and no others, in the
// order of each record, with the same bytes for the same id.
func (e *endpoint) compare(t *testing.T, all trail, bytes map[string][sha256.Size]byte) (repeated int) {
	t.Helper()
	arrivals, problems := e.receiver.received()
	f := findings(problems)
	seen, last := map[string]bool{}, map[string]int{}
	for _, a := range arrivals {
		event, known := all[a.ID]
		if before, again := bytes[a.ID]; again && before != a.digest {
			f.add("%s has other bytes than before", a.ID)
		}
		bytes[a.ID] = a.digest
		switch {
		case !known || !e.subscribes(event.kind) || event != a.eventRecord(event.sequence):
			f.add("%s, %+v, is not what the trail has for this endpoint: %+v", a.ID, a.eventRecord(0), event)
		case seen[a.ID]:
			repeated++
		case event.sequence < last[event.record]:
			f.add("event %d of record %s came after %d", event.sequence, event.record, last[event.record])
		default:
			seen[a.ID], last[event.record] = true, event.sequence
		}
	}
	for id, event := range all {
		if e.subscribes(event.kind) && !seen[id] {
			f.add("%s, event %d, never came first in its order", id, event.sequence)
		}
	}
	f.report(t, "endpoint "+e.name)
	return repeated
}

// eventRecord is the event of an arrival.
func (a arrival) eventRecord(sequence int) eventRecord {
	e := eventRecord{sequence: sequence, kind: a.Type, record: a.Data.Object.ID, status: a.Data.Object.Status}
	if a.Data.PreviousStatus != nil {
		e.previous = *a.Data.PreviousStatus
	}
	return e
}
