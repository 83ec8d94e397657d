package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const attachmentColumns = "id, record_id, file_name, media_type, size, sha256, user_id, created_at"

// AddAttachment stores a file of a record without its content.
func (t *Tx) AddAttachment(a attachment.Attachment) error {
	err := t.execDeferred("INSERT INTO attachments (org_id, "+attachmentColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
		a.ID, a.RecordID, a.FileName, a.MediaType, a.Size, a.SHA256, a.UserID, instant(a.CreatedAt))
	return wrapError("add attachment", err)
}

// AddAttachmentChunk stores a part of a file.
func (t *Tx) AddAttachmentChunk(id string, number int, data []byte) error {
	err := t.execDeferred("INSERT INTO attachment_chunks (org_id, id, number, data) VALUES ($1, $2, $3, $4)", id, number, data)
	return wrapError("add attachment chunk", err)
}

// AttachmentChunk reads a part of a file.
func (t *Tx) AttachmentChunk(id string, number int) (data []byte, err error) {
	found, err := t.row("SELECT data FROM attachment_chunks WHERE org_id = $1 AND id = $2 AND number = $3", []any{id, number}, &data)
	if err == nil && !found {
		err = fmt.Errorf("part %d of %s is missing", number, id)
	}
	return data, wrapError("attachment chunk", err)
}

// MoveAttachments gives the files of a record to another one.
func (t *Tx) MoveAttachments(from, to string) error {
	_, err := t.exec("UPDATE attachments SET record_id = $3 WHERE org_id = $1 AND record_id = $2", from, to)
	return wrapError("move attachments", err)
}

// DropAttachment deletes a file of a record.
func (t *Tx) DropAttachment(recordID, id string) error {
	if _, err := t.Attachment(recordID, id); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM attachment_chunks WHERE org_id = $1 AND id = $2",
		"DELETE FROM attachments WHERE org_id = $1 AND id = $2",
	} {
		if _, err := t.exec(statement, id); err != nil {
			return wrapError("drop attachment", err)
		}
	}
	return nil
}

// AttachmentBytes returns the size of all attachments of the organisation.
func (t *Tx) AttachmentBytes() (size int64, err error) {
	_, err = t.row("SELECT CAST(COALESCE(sum(size), 0) AS BIGINT) FROM attachments WHERE org_id = $1", nil, &size)
	return size, wrapError("attachment bytes", err)
}

// Attachment reads a file of a record without its content.
func (t *Tx) Attachment(recordID, id string) (attachment.Attachment, error) {
	found, err := t.attachments("record_id = $2 AND id = $3", recordID, id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return attachment.Attachment{}, err
	}
	return found[0], nil
}

// AttachmentsOf lists the files of a record without their content, oldest first.
func (t *Tx) AttachmentsOf(recordID string, limit int) ([]attachment.Attachment, error) {
	return t.attachments("record_id = $2 ORDER BY id LIMIT $3"+computed, recordID, limit)
}

// AttachmentsOfAll lists the files of records, each ID a UUID, without their content.
func (t *Tx) AttachmentsOfAll(recordIDs []string) (all []attachment.Attachment, err error) {
	var values []any
	for _, id := range recordIDs {
		values = append(values, id)
	}
	err = inBatches(values, func(marks string, args []any) error {
		some, err := t.attachments("record_id IN ("+marks+") ORDER BY id", args...)
		all = append(all, some...)
		return err
	})
	return all, err
}

// AttachmentsAfter lists files of all records of the organisation without their content, in the order of their IDs.
func (t *Tx) AttachmentsAfter(id string, limit int) ([]attachment.Attachment, error) {
	if id == "" {
		return t.attachments("id IS NOT NULL ORDER BY id LIMIT $2"+computed, limit)
	}
	return t.attachments("id > $2 ORDER BY id LIMIT $3"+computed, id, limit)
}

func (t *Tx) attachments(where string, args ...any) (all []attachment.Attachment, err error) {
	err = t.rows("SELECT "+attachmentColumns+" FROM attachments WHERE org_id = $1 AND "+where, args, func(r engine.Row) error {
		var a attachment.Attachment
		err := r.Scan(&a.ID, &a.RecordID, &a.FileName, &a.MediaType, &a.Size, &a.SHA256, &a.UserID, (*instant)(&a.CreatedAt))
		all = append(all, a)
		return err
	})
	return all, wrapError("attachments", err)
}
