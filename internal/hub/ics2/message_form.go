package ics2

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// MaxMessage is the size of a CC315A in bytes that HMRC takes.
const MaxMessage = 1_000_000

// maxImport bounds an imported CC315A, in bytes. It may have elements that are left out before it is sent.
const maxImport = 1 << 20

// messageForm is a filing as a CC315A.
var messageForm = &filing.MessageForm[Filing]{
	Name: schema.Declaration, MaxSize: maxImport, Read: Import,
	Handles: func(f *Filing) bool { return f.Regime == GB },
	Write: func(f *Filing, s filing.Sending) ([]byte, error) {
		given, err := f.Given()
		if err != nil {
			return nil, err
		}
		return Draft(f, given, FactsOf(EORIOf(s.Organisation.Profile.EORI), s.Record.ID, s.Now)).XML(), nil
	},
}

// Import reads the declaration of another system. Its content is the message; the header, the LRN, the time and the person who
// lodges it are left out, because the service makes them.
func Import(document []byte) (*Filing, []apierr.Detail) {
	m, err := ens.Read(document, schema.Declaration)
	if err != nil {
		return nil, importDetails(err)
	}
	m.Remove(lodger)
	for _, path := range []string{"HEAHEA/RefNumHEA4", "HEAHEA/DecDatTimHEA114"} {
		m.Remove(path)
	}
	f := &Filing{Regime: GB, Message: m.JSON()}
	if mode, ok := m.Text("HEAHEA/TraModAtBorHEA76"); ok {
		f.FilingType = usualType[parseMode(mode)]
	}
	return f, nil
}

// importDetails says why a document cannot be imported.
func importDetails(err error) (details []apierr.Detail) {
	var faults ens.Faults
	if !errors.As(err, &faults) {
		return []apierr.Detail{{Field: "body", Message: notXML(err)}}
	}
	for _, f := range faults {
		details = append(details, apierr.Detail{Field: f.Path, Message: strings.TrimSuffix(f.Text, ".")})
	}
	return details
}

func notXML(err error) string {
	var wrong *safexml.Error
	switch {
	case errors.Is(err, element.ErrTooLarge):
		return "is larger than HMRC takes it"
	case errors.As(err, &wrong):
		return "is not well-formed XML: " + wrong.Fault()
	}
	return "is not well-formed XML"
}

// EORIOf returns an EORI as HMRC writes it.
func EORIOf(text string) string { return eoriText(text) }

// branch is the number of the sender's branch, which each trader numbers for itself.
const branch = "0000000001"

// FactsOf returns what the service adds to the declaration of a record: the same bytes for the same record and time, so that an
// approval is about what is sent.
func FactsOf(eori, recordID string, now time.Time) Facts {
	now = now.UTC()
	return Facts{Header: HeaderOf(eori, schema.Declaration, recordID, now), LRN: LRNOf(recordID), EORI: eori, Declared: now.Format(momentForm)}
}

// HeaderOf returns the header of a message that belongs to a record. The seed is different for each message of the record.
func HeaderOf(eori, name, seed string, now time.Time) ens.Header {
	return ens.Header{
		Sender: eori + "/" + branch, PreparedOn: now.Format("060102"), PreparedAt: now.Format("1504"), ID: textOf(name+seed, lengthOfID), Type: name,
	}
}

// Lengths of HMRC's texts.
const (
	lengthOfID  = 14
	lengthOfLRN = 22
)

// LRNOf returns the local reference number of a record. HMRC rejects one that it has had before, so a declaration that is sent
// twice because the first answer was lost is declared once.
func LRNOf(recordID string) string { return "TW" + textOf(recordID, lengthOfLRN-len("TW")) }

// textOf returns capital letters and digits that depend on a seed alone, of five bits each.
func textOf(seed string, length int) string {
	sum := sha256.Sum256([]byte(seed))
	return base32.StdEncoding.EncodeToString(sum[:])[:length]
}
