package filing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Digest returns the SHA-256, in lower-case hex, of the stored record: "tidewaiter-record-1", organisation, id, kind,
// status, version, schema version of the body, createdAt, updatedAt, body, brief and added, each as its length in bytes
// in decimal, a colon, and the bytes. A record without a brief has an empty one.
func (f *Filing) Digest(org tenant.ID) string {
	h := sha256.New()
	added := []byte(f.Added)
	if len(added) == 0 {
		added = []byte("{}")
	}
	fields := make([]byte, 0, usualFields)
	for _, part := range [...]string{
		"tidewaiter-record-1", string(org), f.ID, f.Kind, string(f.Status), strconv.FormatInt(f.Version, 10), strconv.Itoa(f.BodyVersion),
		audit.Instant(f.CreatedAt), audit.Instant(f.UpdatedAt),
	} {
		fields = append(appendLength(fields, len(part)), part...)
	}
	for _, part := range [...][]byte{f.Body, f.Brief, added} {
		fields = appendLength(fields, len(part))
		h.Write(fields)
		h.Write(part)
		fields = fields[:0]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// usualFields is the length in bytes of the short fields of most records.
const usualFields = 256

func appendLength(dst []byte, length int) []byte {
	return append(strconv.AppendInt(dst, int64(length), 10), ':')
}

// Sealed is the part of a change's event that describes the record after the change.
type Sealed struct {
	Version int64  `json:"recordVersion"` // of the record
	Digest  string `json:"recordSha256"`
	Removed bool   `json:"recordRemoved"` // the record was deleted
	Body    string `json:"sha256"`        // of the body; events of all program versions have it
}

// SealedBy reads the Sealed of an event.
func SealedBy(e *audit.Event) (s Sealed) {
	_ = json.Unmarshal(e.Data, &s)
	return s
}

// Seal adds to the change's event the digest of the record after the change, or that it was deleted.
func (c *Change) Seal(org tenant.ID) {
	more := `"recordVersion":` + strconv.FormatInt(c.Filing.Version, 10)
	if c.Deleted {
		more += `,"recordRemoved":true}`
	} else {
		more += `,"recordSha256":"` + c.Filing.Digest(org) + `"}`
	}
	data := bytes.TrimSuffix(c.Event.Data, []byte("}"))
	if len(data) <= len("{") {
		c.Event.Data = json.RawMessage("{" + more)
		return
	}
	c.Event.Data = slices.Concat(data, []byte(","), []byte(more))
}

// BodyDigest returns the SHA-256 of the body in lower-case hex, as in events of older program versions.
func (f *Filing) BodyDigest() string { return digest(f.Body) }
