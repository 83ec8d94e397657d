// Package audit holds the audit trail that officers inspect: one event for every change, chained
// by hash per organisation, so that a change, a gap or a swap can be detected.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Instant formats a time as it is shown everywhere: RFC 3339, UTC, milliseconds.
func Instant(t time.Time) string {
	var room [len("2026-11-21T09:00:00.000Z")]byte
	return string(AppendInstant(room[:0], t))
}

// AppendInstant appends a time, such as 2026-11-21T09:00:00.000Z. It formats with time.RFC3339,
// which package time handles many times faster than a custom layout.
func AppendInstant(dst []byte, t time.Time) []byte {
	t = t.UTC()
	dst = t.AppendFormat(dst, time.RFC3339)
	ms := t.Nanosecond() / int(time.Millisecond)
	return append(dst[:len(dst)-1], '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z') // #nosec G115 -- digits
}

// Event is one change of one record.
type Event struct {
	ID           string
	Sequence     int64 // position in the organisation's chain, from 1
	OccurredAt   time.Time
	Hub          string
	Type         string // such as tss.declaration.submitted
	ResourceType string
	ResourceID   string
	FromStatus   string
	ToStatus     string
	ActorUserID  string
	ActorType    tenant.ActorType
	KeyID        string
	RequestID    string
	IPAddress    string
	Data         json.RawMessage // compact JSON object, or nil
	Hash         string
	PreviousHash string

	// Personal are the values that the event holds hashes of: all of them once it was recorded, before that
	// those in the data. They are not part of the digest.
	Personal []Personal
}

// By returns the event with its actor filled in from the call that caused it. A request ID
// that a client chose cannot make the event look like one of the operator's.
func By(call tenant.Call, e Event) Event {
	e.ActorUserID, e.ActorType, e.KeyID = call.UserID, call.Type.Recorded(call.UserID), call.KeyID
	e.RequestID, e.IPAddress = call.RequestID, call.IPAddress
	if !call.ByOperator() && e.RequestID == tenant.OperatorRequestID {
		e.RequestID = ""
	}
	return e
}

// ByOperator reports whether the operator of the service caused a recorded event. Events of
// other actors that were recorded before the request ID was reserved have an address or a key.
func (e *Event) ByOperator() bool {
	return e.RequestID == tenant.OperatorRequestID && e.IPAddress == "" && e.KeyID == ""
}

// Genesis is the previous hash of an organisation's first event.
const Genesis = ""

// Seal appends the event to the chain after its predecessor. Times are truncated to the
// millisecond.
func (e *Event) Seal(org tenant.ID, previous int64, previousHash string) {
	e.OccurredAt = e.OccurredAt.Truncate(time.Millisecond)
	e.Sequence = previous + 1
	e.PreviousHash = previousHash
	e.Hash = e.Digest(org)
}

// usualLength is the length in bytes of the canonical form of most events, without the data.
const usualLength = 700

// Digest is the SHA-256, in lower-case hex, of the event's canonical form: a JSON array of
// strings without spaces. The first is "tidewaiter-audit-1", then the organisation, the sequence
// and the fields in the order of the struct, the previous hash last. A personal value is
// replaced by its hash, see Personal. Text is UTF-8; < > & U+2028 and U+2029 are escaped as
// \u003c and so on.
func (e *Event) Digest(org tenant.ID) string {
	fields := [...]string{
		"tidewaiter-audit-1", string(org), strconv.FormatInt(e.Sequence, 10), e.ID, Instant(e.OccurredAt),
		e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, e.IPAddress, string(e.Data), e.PreviousHash,
	}
	canonical := make([]byte, 0, usualLength+2*len(e.Data))
	for i, field := range fields {
		canonical = AppendText(append(canonical, `[,`[min(i, 1)]), field)
	}
	sum := sha256.Sum256(append(canonical, ']'))
	return hex.EncodeToString(sum[:])
}
