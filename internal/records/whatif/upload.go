package whatif

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of uploads.
const (
	UploadTTL  = 7 * 24 * time.Hour // until an upload is deleted
	maxUploads = 20                 // of an organisation
)

// Upload are lines that were read from a table, for what-ifs that name it.
type Upload struct {
	ID        string
	Lines     int
	Content   []byte // list of lines as JSON, compressed
	CreatedAt time.Time
}

// NewUpload packs a list of lines, which was prepared without a fault.
func (s *Service) NewUpload(lines []byte, count int) (Upload, error) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(lines); err != nil {
		return Upload{}, err
	}
	err := zip.Close()
	return Upload{ID: s.NewID(), Lines: count, Content: packed.Bytes()}, err
}

// AddUpload stores an upload.
func (s *Service) AddUpload(tx Tx, call tenant.Call, u Upload) (Upload, error) {
	held, err := tx.WhatIfUploads()
	if err != nil {
		return u, err
	}
	if held >= maxUploads {
		return u, apierr.New(apierr.InvalidState, "The organisation already has %d uploads for what-ifs. They are deleted %d days after they came.", held, int(UploadTTL.Hours()/24))
	}
	u.CreatedAt = tx.Now()
	if err := tx.AddWhatIfUpload(u); err != nil {
		return u, err
	}
	return u, tx.Record(s.event(call, UploadedEvent, Job{ID: u.ID, Total: int64(u.Lines)}))
}

// uploaded returns the lines of an upload as JSON; apierr.NotFound if the organisation has none with the id.
func (s *Service) uploaded(ctx context.Context, org tenant.ID, id string) (lines []byte, err error) {
	var u Upload
	err = s.Store.ViewWhatIf(ctx, org, func(tx Tx) (err error) {
		u, err = tx.WhatIfUpload(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(u.Content))
	if err == nil {
		lines, err = io.ReadAll(io.LimitReader(zip, MaxBody))
	}
	if err != nil {
		return nil, fmt.Errorf("whatif: upload %s: %w", id, err)
	}
	return lines, nil
}
