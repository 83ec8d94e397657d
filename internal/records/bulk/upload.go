package bulk

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of uploads in one organisation.
const (
	MaxUploads = 50                  // that are remembered
	MaxOpen    = 5                   // that are not finished
	openLife   = 24 * time.Hour      // of one that is not finished; its file goes with it
	recordLife = 30 * 24 * time.Hour // of what became of one that is
	maxName    = 200                 // bytes of a file's name
	maxSkips   = 1000                // skipped rows that are told one by one
	examples   = 3                   // values shown of each column
	maxExample = 80                  // bytes of one
)

// State is how far an upload has come.
type State string

// The states, in their order.
const (
	Read     State = "READ"     // its columns are to be confirmed
	Checked  State = "CHECKED"  // every row has been judged, and nothing stored
	Running  State = "RUNNING"  // its rows are being stored
	Finished State = "FINISHED" // its file is gone
)

// Upload is a table on its way in, step by step.
type Upload struct {
	ID        string
	Name      string // of the file
	State     State
	Rows      int
	Columns   []Column
	Mapping   Mapping // which header each field comes from; nil values for none
	Done      int     // rows that have been dealt with while they are stored
	Created   int
	Skipped   int
	Failed    int
	GivenUp   bool        // it is RUNNING, and nobody stores its rows any more: the job has failed too often
	By        tenant.Call // who has sent it, and later who has imported it
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Column is a column of an upload, and what it was taken for.
type Column struct {
	Header     string   `json:"header"`
	Field      string   `json:"field"` // empty for none
	Confidence float64  `json:"confidence"`
	Reason     string   `json:"reason"`
	Examples   []string `json:"examples"` // its first values that say something
}

// Note is what is said of one row: why it cannot be stored, or is skipped.
type Note struct {
	RowError
	Value   string `json:"value"` // what the row has there
	Skipped bool   `json:"skipped"`
}

// Desk reads and writes uploads.
type Desk interface {
	Uploads(limit int) ([]Upload, error)     // newest first
	Upload(id string) (Upload, error)        // fault.NotFound when there is none here
	UploadFile(id string) ([]byte, error)    // as it was sent, packed
	UploadNotes(id string) ([]Note, error)   // in the order of the rows
	AddUpload(u Upload, file []byte) error   // with its file
	SaveUpload(u Upload, notes []Note) error // with notes in place of those there are
	// AdvanceUpload stores progress behind so many rows, and adds notes. It fails with
	// work.ErrLeaseLost where another has come further.
	AdvanceUpload(u Upload, behind int, notes []Note) error
	DropUploads(ids ...string) error
}

// clash is an action that comes at the wrong step.
func clash(format string, args ...any) error { return apierr.New(apierr.InvalidState, format, args...) }

// stale tells whether an upload has been there long enough.
func (u *Upload) stale(now time.Time) bool {
	switch u.State {
	case Running:
		return u.GivenUp && now.Sub(u.UpdatedAt) > recordLife
	case Finished:
		return now.Sub(u.UpdatedAt) > recordLife
	}
	return now.Sub(u.UpdatedAt) > openLife
}

// open tells whether it is still to be finished.
func (u *Upload) open() bool { return u.State == Read || u.State == Checked }

// count takes over what became of rows.
func (u *Upload) count(p part) {
	u.Created, u.Skipped, u.Failed = u.Created+p.Created, u.Skipped+p.Skipped, u.Failed+p.Failed
}

// noted counts what has been said of rows, so that it stays within its limits.
type noted struct{ errors, skips int }

// take gives as many of the notes as there is room for, and counts them.
func (n *noted) take(all []Note) (taken []Note) {
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
