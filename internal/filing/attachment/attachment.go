// Package attachment stores files that belong to a record, whatever its kind, and examines them.
package attachment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ChunkSize is the size in bytes of the parts in which a file is stored, apart from the last one.
const ChunkSize = 256 << 10

// Attachment is a stored file of a record. It never changes.
type Attachment struct {
	ID        string
	RecordID  string
	FileName  string
	MediaType string
	Size      int64  // bytes
	SHA256    string // hex
	UserID    string // of the user who added it; empty for a key without one
	CreatedAt time.Time
}

// Tx is the part of a transaction that stores attachments.
type Tx interface {
	Now() time.Time
	AddAttachment(Attachment) error
	AddAttachmentChunk(id string, number int, data []byte) error // from 0
	Reader
	AttachmentBytes() (int64, error)          // size of all attachments of the organisation
	DropAttachment(recordID, id string) error // apierr.NotFound if the record has no such file
	MoveAttachments(from, to string) error    // to another record
}

// File is a file before it is stored.
type File struct {
	Name    string
	Content []byte
}

// Store stores the files of records within the quota of each organisation.
type Store struct {
	Quota int64 // bytes of each organisation; 0 for no limit
	IDs   *ident.Source
}

// Add stores the files of a record. They must have passed [Check].
func (s *Store) Add(tx Tx, call tenant.Call, recordID string, files []File) ([]Attachment, error) {
	if err := s.checkQuota(tx, files); err != nil {
		return nil, err
	}
	all := make([]Attachment, len(files))
	for i, f := range files {
		sum := sha256.Sum256(f.Content)
		all[i] = Attachment{
			ID: s.IDs.UUID(), RecordID: recordID, FileName: CleanName(f.Name), MediaType: keptType(f.Content), Size: int64(len(f.Content)),
			SHA256: hex.EncodeToString(sum[:]), UserID: call.UserID, CreatedAt: tx.Now(),
		}
		if err := tx.AddAttachment(all[i]); err != nil {
			return nil, err
		}
		for n := 0; n*ChunkSize < len(f.Content); n++ {
			part := f.Content[n*ChunkSize : min((n+1)*ChunkSize, len(f.Content))]
			if err := tx.AddAttachmentChunk(all[i].ID, n, part); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (s *Store) checkQuota(tx Tx, files []File) error {
	if s.Quota == 0 {
		return nil
	}
	total, err := tx.AttachmentBytes()
	if err != nil {
		return err
	}
	for _, f := range files {
		total += int64(len(f.Content))
	}
	if total > s.Quota {
		return apierr.New(apierr.PayloadTooLarge, "With these files the organisation would store %d bytes; its limit is %d. Ask the operator to raise it.", total, s.Quota)
	}
	return nil
}

// Reader reads the parts of stored files.
type Reader interface {
	AttachmentChunk(id string, number int) ([]byte, error)
}

// Content returns the whole file, and an error if it is not the one that was stored.
func Content(tx Reader, a *Attachment) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(int(a.Size))
	for n := 0; int64(n)*ChunkSize < a.Size; n++ {
		part, err := tx.AttachmentChunk(a.ID, n)
		if err != nil {
			return nil, err
		}
		_, _ = out.Write(part)
	}
	if sum := sha256.Sum256(out.Bytes()); hex.EncodeToString(sum[:]) != a.SHA256 {
		return nil, fmt.Errorf("attachment: the content of %s does not have the digest %s", a.ID, a.SHA256)
	}
	return out.Bytes(), nil
}
