package enssim

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Numbers of HMRC's errors.
const (
	notWellFormed = 4999
	otherMRN      = 8999
	firstRule     = 8000
)

// maxErrors is the number of errors in an answer.
const maxErrors = 100

// submit takes a declaration, or an amendment of the declaration with an MRN. HMRC checks in this order: XML, sender, schema, MRN of
// the address, rules.
func (s *Simulator) submit(w http.ResponseWriter, r *http.Request, mrn string) answer {
	asked := simulator.RequestOf(r.Header)
	asked.Simulate = cmp.Or(asked.Simulate, r.Header.Get(ensapi.Risking))
	if asked.Simulate != "" && !slices.Contains(Steers, asked.Simulate) {
		return plain(http.StatusBadRequest, "INVALID_SIMULATE", "The header X-Simulate can have the values accept, reject, silent and intervene")
	}
	document, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDocument))
	if err != nil {
		return plain(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE", "The document is too large")
	}
	name := schema.Declaration
	if mrn != "" {
		name = schema.Amendment
	}
	found := ens.Check(document, verdict.New)
	if len(found) > 0 && found[0].Number == notWellFormed {
		return refusal(found)
	}
	message, unread := ens.Read(document, name)
	if unread == nil && !hasSender(message) {
		return plain(http.StatusForbidden, "FORBIDDEN", "Permission denied")
	}
	isSchema := func(e verdict.Error) bool { return e.Number < firstRule }
	switch {
	case slices.ContainsFunc(found, isSchema):
		return refusal(found)
	case unread != nil: // the other message
		return refusal([]verdict.Error{{Number: 4057, Text: unread.Error()}})
	}
	if body, _ := message.Text("HEAHEA/DocNumHEA5"); mrn != "" && strings.TrimSpace(body) != mrn {
		return refusal([]verdict.Error{{Number: otherMRN, Text: "MRN in body and URL do not match."}})
	}
	if len(found) > 0 {
		return refusal(found)
	}
	return s.take(message, asked)
}

func hasSender(m *ens.Message) bool {
	eori, _, found := strings.Cut(m.Header.Sender, "/")
	return found && strings.TrimSpace(eori) != ""
}

// refusal is HMRC's answer with a list of errors.
func refusal(all []verdict.Error) answer {
	all = all[:min(len(all), maxErrors)]
	var out strings.Builder
	fmt.Fprintf(&out, `<err:ErrorResponse xmlns:err="http://www.govtalk.gov.uk/CM/errorresponse" SchemaVersion="2.0"><err:Application><err:MessageCount>%d</err:MessageCount></err:Application>`, len(all))
	for _, e := range all {
		kind := "schema"
		if e.Number >= firstRule {
			kind = "business"
		}
		fmt.Fprintf(&out, "<err:Error><err:RaisedBy>HMRC</err:RaisedBy><err:Number>%d</err:Number><err:Type>%s</err:Type><err:Text>%s</err:Text><err:Location>%s</err:Location></err:Error>",
			e.Number, kind, escaped(e.Text), escaped(e.Location))
	}
	out.WriteString("</err:ErrorResponse>")
	return answer{http.StatusBadRequest, out.String()}
}

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // to memory, which does not fail
	return out.String()
}

// take keeps a message that HMRC takes, with its outcome, and answers with the correlation id once they are stored.
func (s *Simulator) take(m *ens.Message, asked simulator.Request) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	correlation := textOf(14, asked.Organisation, fmt.Sprint(len(s.entries)), m.Header.ID)
	c := &course{Message: m, correlation: correlation, asked: asked, now: s.Clock(asked.Organisation)}
	var batch *simulator.Batch
	for _, e := range s.follow(c) {
		s.Apply(e)
		batch = s.Journal.Enqueue(e)
	}
	if batch != nil {
		if err := s.Journal.Commit(batch); err != nil {
			return plain(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
		}
	}
	return answer{http.StatusOK, `<ns:SuccessResponse TestInLive="false" xmlns:ns="http://www.hmrc.gov.uk/successresponse/2"><ns:ResponseData><CorrelationId>` + correlation +
		`</CorrelationId></ns:ResponseData></ns:SuccessResponse>`}
}

// textOf returns capital letters and digits that depend on some texts alone.
func textOf(length int, seeds ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(seeds, "\n")))
	return base32.StdEncoding.EncodeToString(sum[:])[:length]
}

// mrnOf returns the MRN of a declaration, which depends on the organisation, the LRN and the year.
func mrnOf(org, lrn string, year int) string {
	begin := fmt.Sprintf("%02dGB%s", year%100, textOf(13, org, lrn))
	for digit := range 10 {
		if mrn, err := ident.ParseMRN(begin + fmt.Sprint(digit)); err == nil && mrn.ValidChecksum() {
			return string(mrn)
		}
	}
	return begin + "0"
}

// notificationID returns the id of a notification, a UUID.
func notificationID(correlation string) string {
	sum := sha256.Sum256([]byte("notification\n" + correlation))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
