package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const transmissionColumns = "id, filing_id, COALESCE(kind, purpose) AS purpose, COALESCE(detail, '') AS detail, reference, lrn, state, body, conversation_id, problem, request, created_at, settled_at"

// AddTransmission stores a document before it is sent.
func (t *Tx) AddTransmission(m customs.Transmission) error {
	request, err := json.Marshal(m.Request)
	if err != nil {
		return err
	}
	problem, err := problemColumn(m.Item)
	if err != nil {
		return err
	}
	purpose, kind := m.Purpose, any(nil)
	if !slices.Contains(storedPurposes, purpose) {
		purpose, kind = formerPurpose, m.Purpose
	}
	detail, err := json.Marshal(m.Detail)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO transmissions (org_id, id, filing_id, purpose, reference, lrn, state, body, problem, request, created_at, kind, detail) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
		m.ID, m.FilingID, purpose, m.Reference, m.LRN, string(m.State), m.Body, problem, string(request), instant(m.CreatedAt), kind, string(detail))
	return err
}

// storedPurposes are the values that the column purpose allows. Any other purpose stands in the column kind, beside
// formerPurpose.
var storedPurposes = []string{"submit", formerPurpose}

const formerPurpose = "cancel"

// repeatedMark in the column problem means that the document may have been sent more than once.
const repeatedMark = "repeated"

// problemColumn is the text of the column problem: empty, repeatedMark, or a problem in JSON.
// The mark of a sent document has priority over the problem of an earlier attempt.
func problemColumn(i outbox.Item) (string, error) {
	switch {
	case i.Repeated:
		return repeatedMark, nil
	case i.Problem.Code == "":
		return "", nil
	}
	text, err := json.Marshal(i.Problem)
	return string(text), err
}

// readProblem is the reverse of problemColumn.
func readProblem(i *outbox.Item, text string) error {
	if i.Repeated = text == repeatedMark; i.Repeated || text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), &i.Problem)
}

// CompleteTransmission stores the outcome of a transmission.
func (t *Tx) CompleteTransmission(m customs.Transmission) error {
	problem, err := problemColumn(m.Item)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE transmissions SET state = $3, conversation_id = $4, problem = $5, settled_at = $6 WHERE org_id = $1 AND id = $2",
		m.ID, string(m.State), nullable(m.ConversationID), problem, instant(m.CompletedAt))
	return err
}

// Transmission reads a transmission.
func (t *Tx) Transmission(id string) (customs.Transmission, error) {
	found, err := t.transmissions("SELECT "+transmissionColumns+" FROM transmissions WHERE org_id = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return customs.Transmission{}, err
	}
	return found[0], nil
}

// Transmissions lists the transmissions of a declaration, oldest first.
func (t *Tx) Transmissions(filingID string) ([]customs.Transmission, error) {
	return t.transmissions("SELECT "+transmissionColumns+" FROM transmissions WHERE org_id = $1 AND filing_id = $2 ORDER BY created_at, id", filingID)
}

func (t *Tx) transmissions(query string, args ...any) (all []customs.Transmission, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		m, err := scanTransmission(r)
		all = append(all, m)
		return err
	})
	return all, err
}

func scanTransmission(r engine.Row, before ...any) (m customs.Transmission, err error) {
	var conversation sql.NullString
	var request, problem, detail string
	err = r.Scan(append(before, &m.ID, &m.FilingID, &m.Purpose, &detail, &m.Reference, &m.LRN, &m.State, &m.Body, &conversation, &problem, &request,
		(*instant)(&m.CreatedAt), (*instant)(&m.CompletedAt))...)
	if err != nil {
		return m, err
	}
	m.ConversationID = conversation.String
	if m.State != outbox.Pending {
		m.Attempts = 1 // there is no column: a transmission has one attempt with an outcome
	}
	if detail != "" {
		if err := json.Unmarshal([]byte(detail), &m.Detail); err != nil {
			return m, fmt.Errorf("store: transmission %s: %w", m.ID, err)
		}
	}
	if err := readProblem(&m.Item, problem); err != nil {
		return m, fmt.Errorf("store: transmission %s: %w", m.ID, err)
	}
	return m, json.Unmarshal([]byte(request), &m.Request)
}

// messageContent is the column content: the members of the notification, with an answer of inventory linking among them.
type messageContent struct {
	notification.Notification
	Movement *inventory.Response `json:"inventory,omitempty"`
}

// AddMessage stores a message of CDS, once for each message ID of a conversation.
func (t *Tx) AddMessage(m customs.Message) (bool, error) {
	content, err := json.Marshal(messageContent{m.Notification, m.Movement})
	if err != nil {
		return false, err
	}
	n, err := t.exec("INSERT INTO messages (org_id, id, filing_id, conversation_id, message_id, purpose, lrn, function_code, issued_at, received_at, content, inbox_id) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (org_id, conversation_id, message_id) DO NOTHING",
		m.ID, m.FilingID, m.ConversationID, m.MessageID, m.Purpose, m.LRN, m.Notification.FunctionCode,
		instant(m.Notification.IssuedAt.Time), instant(m.ReceivedAt), string(content), m.InboxID)
	return n == 1, err
}

// Messages lists the messages of CDS about a declaration, oldest first.
func (t *Tx) Messages(filingID string) (all []customs.Message, err error) {
	err = t.rows("SELECT id, filing_id, conversation_id, message_id, purpose, lrn, received_at, content, inbox_id FROM messages "+
		"WHERE org_id = $1 AND filing_id = $2 ORDER BY received_at, id", []any{filingID}, func(r engine.Row) error {
		var m customs.Message
		var content string
		if err := r.Scan(&m.ID, &m.FilingID, &m.ConversationID, &m.MessageID, &m.Purpose, &m.LRN, (*instant)(&m.ReceivedAt), &content, &m.InboxID); err != nil {
			return err
		}
		var stored messageContent
		err := json.Unmarshal([]byte(content), &stored)
		m.Notification, m.Movement = stored.Notification, stored.Movement
		all = append(all, m)
		return err
	})
	return all, err
}

// Receive stores a message from CDS with the job that applies it. Both belong to the operator
// until the organisation of the message is known.
func (s *Store) Receive(ctx context.Context, m customs.Inbound, j jobs.Job) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error {
		_, err := t.exec("INSERT INTO inbox (org_id, id, conversation_id, digest, headers, body, state, problem, received_at, source) "+
			"VALUES ($1, $2, $3, $4, $5, $6, 'received', '', $7, $8)", m.ID, m.ConversationID, m.Digest, m.Headers, m.Body, instant(t.real), nullable(string(m.Source)))
		if err != nil {
			return fmt.Errorf("store: inbox: %w", err)
		}
		return t.Enqueue(j)
	})
}

// Inbound reads a message as it was received.
func (s *Store) Inbound(ctx context.Context, id string) (m customs.Inbound, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) error {
		found, err := t.row("SELECT id, conversation_id, digest, headers, body, received_at, COALESCE(source, '') FROM inbox WHERE org_id = $1 AND id = $2", []any{id},
			&m.ID, &m.ConversationID, &m.Digest, &m.Headers, &m.Body, (*instant)(&m.ReceivedAt), &m.Source)
		if err == nil && !found {
			err = apierr.Missing()
		}
		return err
	})
	return m, err
}

// SetInboundState stores the state of a received message.
func (s *Store) SetInboundState(ctx context.Context, id, state, problem string) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error { return t.setInboundState(id, state, problem) })
}

// FinishInbound stores the final state of a message, and removes its job.
func (s *Store) FinishInbound(ctx context.Context, j jobs.Job, state, problem string) error {
	return s.Update(ctx, tenant.Operator, func(t *Tx) error {
		if err := t.setInboundState(j.Subject, state, problem); err != nil {
			return err
		}
		return t.FinishJob(j)
	})
}

func (t *Tx) setInboundState(id, state, problem string) error {
	_, err := t.exec("UPDATE inbox SET state = $3, problem = $4, settled_at = $5 WHERE org_id = $1 AND id = $2", id, state, problem, instant(t.real))
	return err
}
