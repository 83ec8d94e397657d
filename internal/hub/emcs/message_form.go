package emcs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxImport bounds an imported draft, in bytes. The greatest draft of HMRC's guide has less than a tenth of it.
const maxImport = 8 << 20

// messageForm is a movement as an IE815.
var messageForm = &filing.MessageForm[Movement]{Name: string(hmrc.Draft), MaxSize: maxImport, Read: readDraft, Write: writeDraft, Again: again}

// readDraft reads the draft of another system, in any version of the schema.
func readDraft(document []byte) (*Movement, []apierr.Detail) {
	m, whole, err := Import(document)
	if err == nil {
		var text []byte
		if text, err = whole.JSON(); err == nil {
			m.Message = filing.Content(text)
			return m, nil
		}
	}
	return nil, []apierr.Detail{{Field: "body", Message: "cannot be read: " + faultOf(err)}}
}

// faultOf is an error of a document for the person who sent it.
func faultOf(err error) string {
	if wrong := (*safexml.Error)(nil); errors.As(err, &wrong) {
		return wrong.Fault()
	}
	return strings.TrimPrefix(err.Error(), "emcs: ")
}

// writeDraft returns the IE815 of a movement.
func writeDraft(m *Movement, s filing.Sending) ([]byte, error) {
	given, faults := m.Given(hmrc.Current)
	if len(faults) > 0 {
		return nil, fmt.Errorf("emcs: the data set of movement %s: %s %s", s.Record.ID, faults[0].Field, faults[0].Message)
	}
	return Document(m, given, LRNOf(s.Record.ID), hmrc.Current, s.Now, MessageID(s.Record.ID, lifecycle.Submit, 0))
}

// again removes the LRN from the data set of a copy: HMRC takes each LRN of a consignor once.
func again(m *Movement) error {
	given, _ := m.Given(hmrc.Current)
	if given.Value("EadEsadDraft", "LocalReferenceNumber") == "" {
		return nil
	}
	draft := given.At("EadEsadDraft")
	var kept []*hmrc.Element
	for _, c := range draft.Children {
		if c.Name != "LocalReferenceNumber" {
			kept = append(kept, c)
		}
	}
	draft.Children = kept
	text, err := hmrc.Message{Kind: hmrc.Draft, Version: hmrc.Current, Body: given}.JSON()
	m.Message = filing.Content(text)
	return err
}

// LRNOf returns the LRN of a record whose data set has none: it is the same at each attempt, and no other record has it.
func LRNOf(record string) string {
	digits := strings.ToUpper(strings.ReplaceAll(record, "-", ""))
	return "TW" + digits[max(0, len(digits)-20):]
}

// MessageID returns the identifier of a message: the same for the same message of a record, so that an approval is about the bytes that are sent. The number is
// that of the messages before it.
func MessageID(record string, purpose lifecycle.Action, number int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", record, purpose, number))
	return "TW-" + hex.EncodeToString(sum[:16])
}
