package verify_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Verification finds attachments whose content or digest SQL changes, and those that it deletes or adds.
func TestVerifyComparesFiles(t *testing.T) {
	for name, listed := range map[string]string{"list": `{"files":[%s]}`, "document of a decision": `{"decisionDocument":%s}`} {
		t.Run(name, func(t *testing.T) { comparesFiles(t, listed) })
	}
}

// comparesFiles verifies a record that lists a file in one way.
func comparesFiles(t *testing.T, listed string) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := tamper(t, b)
		digest := fmt.Sprintf("%x", sha256.Sum256([]byte("text")))
		x.update(func(tx *store.Tx) error {
			a := attachment.Attachment{ID: id(50), RecordID: id(1), FileName: "a.txt", MediaType: attachment.Text, Size: 4, SHA256: digest, CreatedAt: tx.Now()}
			if err := tx.AddAttachment(a); err != nil {
				return err
			}
			if err := tx.AddAttachmentChunk(a.ID, 0, []byte("text")); err != nil {
				return err
			}
			f := filing.Filing{
				ID: id(1), Kind: "tax.return", Status: "DRAFT", Version: 1, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
				Added: fmt.Appendf(nil, listed, `{"id":"`+a.ID+`","sha256":"`+digest+`"}`),
			}
			e := audit.Event{ID: id(1001), Hub: "tax", Type: "tax.return.created", ResourceType: "tax.return", ResourceID: f.ID, ToStatus: "DRAFT"}
			return tx.Write(filing.Change{Filing: f, Event: e})
		})
		x.mustFind("as written")
		if r := x.report(); r.Files != 1 {
			t.Errorf("%+v", r)
		}
		other := fmt.Sprintf("%x", sha256.Sum256([]byte("TEXT")))
		for _, change := range []string{
			"UPDATE attachment_chunks SET data = 'TEXT'", "UPDATE attachments SET sha256 = '" + other + "'", "UPDATE attachment_chunks SET data = 'text'",
		} {
			x.do(change)
			x.mustFind(change, id(50)+" changed")
		}
		x.do("UPDATE attachments SET sha256 = '" + digest + "', id = '" + id(51) + "'")
		x.do("UPDATE attachment_chunks SET id = '" + id(51) + "'")
		x.mustFind("another file", id(51)+" unrecorded", id(50)+" missing")
	})
}
