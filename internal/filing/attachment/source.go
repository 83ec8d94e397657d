package attachment

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Source is a file that a record was made from, such as an invoice, as the record shows it. It
// is kept with the record, and no authority gets it.
type Source struct {
	ID           string `json:"id" format:"uuid" doc:"Id of the file"`
	FileName     string `json:"fileName" doc:"Name" example:"invoice-4711.pdf"`
	DocumentType string `json:"documentType" enum:"invoice,bill_of_lading,packing_list,email" doc:"What it was read as; an email is kept beside the files that came with it"`
	MediaType    string `json:"mediaType" doc:"Its type, from the content" example:"application/pdf"`
	Size         int64  `json:"size" doc:"Its size in bytes" example:"48213"`
	SHA256       string `json:"sha256" doc:"SHA-256 of its content, in hexadecimal" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	AddedAt      string `json:"addedAt" format:"date-time" doc:"When it was given to this service" example:"2026-12-01T09:00:00.000Z"`
}

// Limits of the files that a record was made from.
const (
	MaxSources    = 20       // of one record
	MaxSourceFile = 20 << 20 // bytes of each
)

// SourceTypes are the types of these files.
var SourceTypes = []string{"invoice", "bill_of_lading", "packing_list", "email"}

// NewSource is a file that a record is made from, before it is stored.
type NewSource struct {
	DocumentType string
	File
}

// AddSources stores files that a record is made from.
func (s *Store) AddSources(tx Tx, call tenant.Call, recordID string, files []NewSource) ([]Source, error) {
	contents := make([]File, len(files))
	for i := range files {
		contents[i] = files[i].File
	}
	stored, err := s.Add(tx, call, recordID, contents)
	if err != nil {
		return nil, err
	}
	all := make([]Source, len(stored))
	for i, a := range stored {
		all[i] = Source{a.ID, a.FileName, files[i].DocumentType, a.MediaType, a.Size, a.SHA256, audit.Instant(a.CreatedAt)}
	}
	return all, nil
}
