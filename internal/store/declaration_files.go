package store

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const fileColumns = "f.id, f.filing_id, f.batch_id, f.position, f.document_type, f.status, f.reason, f.demands, f.request, f.transmission_id, f.forms, " +
	"f.form, f.form_at, f.reference, f.scanned_at, f.posting_since, f.sent_at, f.ended_at, a.file_name, a.media_type, a.size, a.sha256, a.created_at"

// AddFile stores a file that is to be sent to customs. Its attachment is stored already.
func (t *Tx) AddFile(f customs.File) error {
	demands, request, err := fileParts(&f)
	if err != nil {
		return err
	}
	err = t.execDeferred("INSERT INTO declaration_files (org_id, id, filing_id, batch_id, position, document_type, status, reason, demands, request, forms) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)", f.ID, f.FilingID, f.BatchID, f.Position, f.DocumentType, string(f.Status), f.Reason, demands, request)
	return wrapError("add file", err)
}

func fileParts(f *customs.File) (demands, request string, err error) {
	first, err := json.Marshal(f.Demands)
	if err != nil {
		return "", "", err
	}
	second, err := json.Marshal(f.Request)
	return string(first), string(second), err
}

// SaveFile stores how far a file is.
func (t *Tx) SaveFile(f customs.File) error {
	form := any(nil)
	if f.Form != nil {
		text, err := json.Marshal(f.Form)
		if err != nil {
			return err
		}
		form = string(text)
	}
	_, err := t.exec("UPDATE declaration_files SET status = $3, reason = $4, transmission_id = $5, forms = $6, form = $7, form_at = $8, reference = $9, "+
		"scanned_at = $10, posting_since = $11, sent_at = $12, ended_at = $13 WHERE org_id = $1 AND id = $2",
		f.ID, string(f.Status), f.Reason, nullable(f.TransmissionID), f.Forms, form, instant(f.FormAt), nullable(f.Reference),
		instant(f.ScannedAt), instant(f.PostingSince), instant(f.SentAt), instant(f.EndedAt))
	return wrapError("save file", err)
}

// File reads a file.
func (t *Tx) File(id string) (customs.File, error) {
	found, err := t.files("f.id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return customs.File{}, err
	}
	return found[0], nil
}

// Files lists the files of a declaration, oldest first.
func (t *Tx) Files(filingID string) ([]customs.File, error) {
	return t.files("f.filing_id = $2 ORDER BY f.batch_id, f.position", filingID)
}

func (t *Tx) files(where string, args ...any) (all []customs.File, err error) {
	err = t.rows("SELECT "+fileColumns+" FROM declaration_files f JOIN attachments a ON a.org_id = f.org_id AND a.id = f.id WHERE f.org_id = $1 AND "+where, args,
		func(r engine.Row) error {
			f, err := scanFile(r)
			all = append(all, f)
			return err
		})
	return all, wrapError("files", err)
}

func scanFile(r engine.Row) (f customs.File, err error) {
	var transmission, form, reference sql.NullString
	var demands, request string
	err = r.Scan(&f.ID, &f.FilingID, &f.BatchID, &f.Position, &f.DocumentType, &f.Status, &f.Reason, &demands, &request, &transmission, &f.Forms,
		&form, (*instant)(&f.FormAt), &reference, (*instant)(&f.ScannedAt), (*instant)(&f.PostingSince), (*instant)(&f.SentAt), (*instant)(&f.EndedAt),
		&f.FileName, &f.MediaType, &f.Size, &f.SHA256, (*instant)(&f.AddedAt))
	if err != nil {
		return f, err
	}
	f.TransmissionID, f.Reference = transmission.String, reference.String
	for _, part := range []struct {
		text string
		into any
	}{{demands, &f.Demands}, {request, &f.Request}, {form.String, &f.Form}} {
		if part.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			return f, fmt.Errorf("file %s: %w", f.ID, err)
		}
	}
	return f, nil
}
