package evidence

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Authorities.
const (
	Customs = "customs"
	HMRC    = "hmrc"
)

// Sent is one attempt to send a message to an authority.
type Sent struct {
	ID              string
	To              string // Customs or HMRC
	Purpose         string
	Reference       string
	LRN             string
	State           string
	ConversationID  string
	Problem         string
	By              string // user
	At, CompletedAt time.Time

	file string
}

// Received is a message from an authority.
type Received struct {
	ID             string // for HMRC, the ID of the sent message
	From           string // Customs or HMRC
	Purpose        string
	LRN            string
	Name           string
	FunctionCode   string
	ConversationID string
	MessageID      string
	InboxID        string // of the raw message, which can contain several
	IssuedAt, At   time.Time

	file      string
	duplicate bool // in the same raw message as an earlier one
}

// inventory lists the messages, checks the limits, and assigns file names.
func (p *pack) inventory(tx Tx) (err error) {
	if p.sent, err = tx.SentOf(p.filing.ID, MaxMessages+1); err != nil {
		return err
	}
	if p.received, err = tx.ReceivedOf(p.filing.ID, MaxMessages+1); err != nil {
		return err
	}
	if p.files, err = tx.AttachmentsOf(p.filing.ID, MaxMessages); err != nil {
		return err
	}
	events, err := tx.CountEvents(recordQuery(p.filing.ID))
	if err != nil {
		return err
	}
	if len(p.sent) > MaxMessages || len(p.received) > MaxMessages || events > MaxEvents {
		return apierr.New(apierr.InvalidState, "This record is too large for an evidence pack, which can have %d messages in each direction and %d events.", MaxMessages, MaxEvents)
	}
	for i := range p.sent {
		m := &p.sent[i]
		m.file = fileName("sent", i, m.At, m.Purpose, m.To)
	}
	files := map[string]string{}
	for i := range p.received {
		m := &p.received[i]
		m.file = fileName("received", i, m.At, m.Name, m.From)
		if first, known := files[m.InboxID]; m.From == Customs && known {
			m.file, m.duplicate = first, true
		}
		files[m.InboxID] = m.file
	}
	return nil
}

var nonAlphanumeric = lazyregexp.New(`[^A-Za-z0-9]+`)

// fileName returns a name such as sent/0001-20261121T090000.123Z-submit.xml.
func fileName(folder string, index int, at time.Time, what, channel string) string {
	extension := "xml"
	if channel == HMRC {
		extension = "json"
	}
	what = strings.Trim(nonAlphanumeric.ReplaceAllString(what, "-"), "-")
	const longest = 40
	return fmt.Sprintf("%s/%04d-%s-%s.%s", folder, index+1, at.UTC().Format("20060102T150405.000Z"), what[:min(len(what), longest)], extension)
}

// writeMessages writes the messages sent and received.
func (p *pack) writeMessages(ctx context.Context, b *zipWriter) error {
	for _, m := range p.sent {
		var body []byte
		err := p.view(ctx, func(tx Tx) (err error) { body, err = tx.SentBody(m); return err })
		if err == nil {
			err = b.add(m.file, m.At, body)
		}
		if err != nil {
			return err
		}
	}
	for _, m := range p.received {
		if m.duplicate {
			continue
		}
		if err := p.writeReceived(ctx, b, m); err != nil {
			return err
		}
	}
	return nil
}

// writeFiles writes the attachments of the record. The record lists them by their IDs.
func (p *pack) writeFiles(ctx context.Context, b *zipWriter) error {
	for i := range p.files {
		a := &p.files[i]
		var content []byte
		err := p.view(ctx, func(tx Tx) (err error) { content, err = attachment.Content(tx, a); return err })
		if err == nil {
			err = b.add("files/"+a.ID+attachment.Extension(a.MediaType), a.CreatedAt, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pack) writeReceived(ctx context.Context, b *zipWriter, m Received) error {
	if m.From == HMRC {
		var receipt []byte
		err := p.view(ctx, func(tx Tx) (err error) { receipt, err = tx.Receipt(m); return err })
		if err != nil {
			return err
		}
		return b.add(m.file, m.At, receipt)
	}
	raw, err := p.service.Store.Inbound(ctx, m.InboxID)
	if err != nil {
		return err
	}
	if err := b.add(m.file, m.At, raw.Body); err != nil {
		return err
	}
	return b.add(strings.TrimSuffix(m.file, ".xml")+".headers.json", m.At, []byte(raw.Headers))
}

func (p *pack) view(ctx context.Context, fn func(Tx) error) error {
	return p.service.Store.ViewEvidence(ctx, p.org, fn)
}
