package attachment

import "github.com/tidewaiter/tidewaiter/internal/audit"

// KeptFile is a file that is kept with a record, as the record shows it.
type KeptFile struct {
	ID        string `json:"id" format:"uuid" doc:"Id of the file"`
	FileName  string `json:"fileName" doc:"Name" example:"licence.pdf"`
	MediaType string `json:"mediaType" doc:"Its type, from the content" example:"application/pdf"`
	Size      int64  `json:"size" doc:"Its size in bytes" example:"48213"`
	SHA256    string `json:"sha256" doc:"SHA-256 of its content, in hexadecimal" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	AddedAt   string `json:"addedAt" format:"date-time" doc:"When it was given to this service" example:"2026-12-01T09:00:00.000Z"`
}

// KeptFile returns the file as records show it.
func (a *Attachment) KeptFile() KeptFile {
	return KeptFile{a.ID, a.FileName, a.MediaType, a.Size, a.SHA256, audit.Instant(a.CreatedAt)}
}
