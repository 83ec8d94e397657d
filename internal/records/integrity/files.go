package integrity

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
)

// attachmentKind is the kind of differences in attachments.
const attachmentKind = "attachment"

// listed is the member of a record that lists its attachments. The record's digest covers it.
type listed struct {
	Files   []listedFile `json:"files"`
	Sources []listedFile `json:"sourceDocuments"`

	Decision *listedFile `json:"decisionDocument"`
}

// all returns the files that are listed.
func (l *listed) all() []listedFile {
	all := append(l.Files, l.Sources...)
	if l.Decision != nil {
		all = append(all, *l.Decision)
	}
	return all
}

type listedFile struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"`
}

// compareFiles compares the content of the attachments of records with the digests that the records list.
func (c *comparison) compareFiles(tx Tx, batch []Stored) error {
	ids, digests := []string{}, map[string]string{}
	for i := range batch {
		var l listed
		if json.Unmarshal(batch[i].Filing.Added, &l) != nil || len(l.all()) == 0 {
			continue // the kind uses the member for something else
		}
		ids = append(ids, batch[i].Filing.ID)
		for _, f := range l.all() {
			digests[f.ID] = f.SHA256
		}
	}
	if len(ids) == 0 {
		return nil
	}
	stored, err := tx.AttachmentsOfAll(ids)
	if err != nil {
		return err
	}
	for i := range stored {
		a := &stored[i]
		expected, known := digests[a.ID]
		delete(digests, a.ID)
		_, wrong := attachment.Content(tx, a)
		switch {
		case !known:
			c.report.add(Difference{RecordID: a.ID, Kind: attachmentKind, Problem: Unrecorded})
		case wrong != nil || a.SHA256 != expected:
			c.report.add(Difference{RecordID: a.ID, Kind: attachmentKind, Problem: Changed})
		default:
			c.report.Files++
		}
	}
	for id, digest := range digests {
		if id != "" && digest != "" {
			c.report.add(Difference{RecordID: id, Kind: attachmentKind, Problem: Missing})
		}
	}
	return nil
}
