package api

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// jobBody is a job in a response. Every job has this form.
type jobBody struct {
	ID         string  `json:"id" format:"uuid" doc:"Id of the job"`
	Status     string  `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED,CANCELLED" doc:"Status of the job. FAILED: the job itself could not go on"`
	Total      int64   `json:"total" doc:"Number of items"`
	Done       int64   `json:"done" doc:"Number of items that succeeded"`
	Failed     int64   `json:"failed" doc:"Number of items that failed"`
	CreatedAt  string  `json:"createdAt" format:"date-time" doc:"When it was created"`
	FinishedAt *string `json:"finishedAt" format:"date-time" doc:"When it ended; null before"`
	ResultURL  *string `json:"resultUrl" doc:"Path of the result; null until there is one" example:"/api/organisation/export/01a1fd55-7a80-7536-8849-6db7fef55fe0/archive"`
}

// setTimes sets when the job was requested and when it ended.
func (b *jobBody) setTimes(created, finished time.Time) {
	b.CreatedAt = audit.Instant(created)
	if !finished.IsZero() {
		b.FinishedAt = ptr(audit.Instant(finished))
	}
}
