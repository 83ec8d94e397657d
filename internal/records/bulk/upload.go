package bulk

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of uploads per organisation.
const (
	MaxUploads = 50                  // stored uploads
	MaxOpen    = 5                   // unfinished uploads
	openTTL    = 24 * time.Hour      // until an unfinished upload is deleted with its file
	resultTTL  = 30 * 24 * time.Hour // until the result of a finished upload is deleted
	maxName    = 200                 // bytes of a file name
	maxSkips   = 1000                // skipped rows that are listed
	examples   = 3                   // values shown of each column
	maxExample = 80                  // bytes of a value
)

// State is the progress of an upload.
type State string

// The states of an upload, in order.
const (
	Read     State = "READ"     // the user has to confirm the columns
	Checked  State = "CHECKED"  // every row has been checked, nothing is stored
	Running  State = "RUNNING"  // the rows are being stored
	Finished State = "FINISHED" // the file has been deleted
)

// Upload is a table that is imported step by step.
type Upload struct {
	ID        string
	Name      string // of the file
	State     State
	Rows      int
	Columns   []Column
	Mapping   Mapping // header of each field; nil for none
	Done      int     // rows processed while RUNNING
	Created   int
	Skipped   int
	Failed    int
	GivenUp   bool        // RUNNING, but the job has failed too often and stopped
	Call      tenant.Call // who uploaded it, later who started the import
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Column is a column of an upload with its proposed field.
type Column struct {
	Header     string   `json:"header"`
	Field      string   `json:"field"` // empty for none
	Confidence float64  `json:"confidence"`
	Reason     string   `json:"reason"`
	Examples   []string `json:"examples"` // the first values that are not empty
}

// Note says why a row cannot be stored or is skipped.
type Note struct {
	RowError
	Value   string `json:"value"` // value of the field
	Skipped bool   `json:"skipped"`
}

// UploadTx reads and writes uploads.
type UploadTx interface {
	Uploads(limit int) ([]Upload, error)     // newest first
	Upload(id string) (Upload, error)        // apierr.NotFound if it does not exist
	UploadFile(id string) ([]byte, error)    // compressed
	UploadNotes(id string) ([]Note, error)   // in row order
	AddUpload(u Upload, file []byte) error   // with its file
	SaveUpload(u Upload, notes []Note) error // replaces the notes
	// AdvanceUpload stores the progress after done rows and adds notes. It returns
	// jobs.ErrLeaseLost if another instance has processed more rows.
	AdvanceUpload(u Upload, done int, notes []Note) error
	DropUploads(ids ...string) error
}

// stateError returns the error of an action that the upload's state does not allow.
func stateError(format string, args ...any) error {
	return apierr.New(apierr.InvalidState, format, args...)
}

// expired reports whether an upload has expired.
func (u *Upload) expired(now time.Time) bool {
	switch u.State {
	case Running:
		return u.GivenUp && now.Sub(u.UpdatedAt) > resultTTL
	case Finished:
		return now.Sub(u.UpdatedAt) > resultTTL
	}
	return now.Sub(u.UpdatedAt) > openTTL
}

// open reports whether the upload is unfinished and not running.
func (u *Upload) open() bool { return u.State == Read || u.State == Checked }

// count adds the result of a batch.
func (u *Upload) count(p batchResult) {
	u.Created, u.Skipped, u.Failed = u.Created+p.Created, u.Skipped+p.Skipped, u.Failed+p.Failed
}

// noteLimiter counts stored notes to keep them within their limits.
type noteLimiter struct{ errors, skips int }

// accept returns as many of the notes as the limits allow, and counts them.
func (n *noteLimiter) accept(all []Note) (taken []Note) {
	for _, note := range all {
		count, most := &n.errors, maxErrors
		if note.Skipped {
			count, most = &n.skips, maxSkips
		}
		if *count < most {
			*count++
			taken = append(taken, note)
		}
	}
	return taken
}
