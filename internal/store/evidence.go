package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// EventsOf returns the events of a record after one sequence and up to another, oldest first.
func (t *Tx) EventsOf(recordID string, after, last int64, limit int) (page []audit.Event, err error) {
	err = t.eachOf("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND resource_id = $2 AND sequence > $3 AND sequence <= $4 ORDER BY sequence LIMIT $5"+computed,
		[]any{recordID, after, last, limit}, func(e audit.Event) { page = append(page, e) })
	if err != nil {
		return nil, fmt.Errorf("store: events of a record: %w", err)
	}
	return page, nil
}

// storedRequest is the caller of a submission, as it is stored with it.
type storedRequest struct{ Call tenant.Call }

// SentOf lists what was sent for a record, oldest first, without the bodies. Each kind of record
// goes to one authority.
func (t *Tx) SentOf(recordID string, limit int) (all []evidence.Sent, err error) {
	err = t.sent(&all, evidence.Customs, "SELECT id, COALESCE(kind, purpose), reference, lrn, state, COALESCE(conversation_id, ''), problem, request, created_at, settled_at "+
		"FROM transmissions WHERE org_id = $1 AND filing_id = $2 ORDER BY created_at, id LIMIT $3"+computed, recordID, limit)
	if err == nil {
		err = t.sent(&all, evidence.HMRC, "SELECT id, 'vat-return', '', '', state, '', problem, request, created_at, settled_at "+
			"FROM mtd_submissions WHERE org_id = $1 AND filing_id = $2 ORDER BY created_at, id LIMIT $3"+computed, recordID, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("store: sent documents: %w", err)
	}
	return all, nil
}

func (t *Tx) sent(all *[]evidence.Sent, to, query string, args ...any) error {
	return t.rows(query, args, func(r engine.Row) error {
		m, request := evidence.Sent{To: to}, ""
		if err := r.Scan(&m.ID, &m.Purpose, &m.Reference, &m.LRN, &m.State, &m.ConversationID, &m.Problem, &request,
			(*instant)(&m.At), (*instant)(&m.CompletedAt)); err != nil {
			return err
		}
		var by storedRequest
		err := json.Unmarshal([]byte(request), &by)
		m.By = by.Call.UserID
		*all = append(*all, m)
		return err
	})
}

// SentBody returns the body of a sent document.
func (t *Tx) SentBody(m evidence.Sent) ([]byte, error) {
	table := "transmissions"
	if m.To == evidence.HMRC {
		table = "mtd_submissions"
	}
	return t.bytes("SELECT body FROM "+table+" WHERE org_id = $1 AND id = $2", m.ID)
}

// ReceivedOf lists what was received for a record, oldest first, without the bodies.
func (t *Tx) ReceivedOf(recordID string, limit int) (all []evidence.Received, err error) {
	err = t.rows("SELECT id, purpose, lrn, content, function_code, conversation_id, message_id, inbox_id, issued_at, received_at "+
		"FROM messages WHERE org_id = $1 AND filing_id = $2 ORDER BY received_at, id LIMIT $3"+computed, []any{recordID, limit}, func(r engine.Row) error {
		m, content := evidence.Received{From: evidence.Customs}, ""
		if err := r.Scan(&m.ID, &m.Purpose, &m.LRN, &content, &m.FunctionCode, &m.ConversationID, &m.MessageID, &m.InboxID,
			(*instant)(&m.IssuedAt), (*instant)(&m.At)); err != nil {
			return err
		}
		var message struct{ Name string }
		err := json.Unmarshal([]byte(content), &message)
		m.Name = message.Name
		if m.Name == "" {
			m.Name = "function code " + m.FunctionCode
		}
		all = append(all, m)
		return err
	})
	if err == nil {
		err = t.rows("SELECT id, settled_at FROM mtd_submissions WHERE org_id = $1 AND filing_id = $2 AND state = 'sent' ORDER BY settled_at, id LIMIT $3"+computed,
			[]any{recordID, limit}, func(r engine.Row) error {
				m := evidence.Received{From: evidence.HMRC, Name: "receipt", Purpose: "vat-return"}
				err := r.Scan(&m.ID, (*instant)(&m.At))
				all = append(all, m)
				return err
			})
	}
	if err != nil {
		return nil, fmt.Errorf("store: received documents: %w", err)
	}
	return all, nil
}

// Receipt returns HMRC's answer to a return, as it was received.
func (t *Tx) Receipt(m evidence.Received) ([]byte, error) {
	return t.bytes("SELECT receipt FROM mtd_submissions WHERE org_id = $1 AND id = $2", m.ID)
}

func (t *Tx) bytes(query, id string) (body []byte, err error) {
	found, err := t.row(query, []any{id}, &body)
	if err == nil && !found {
		err = apierr.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("store: bytes of a message: %w", err)
	}
	return body, nil
}
