package enssim

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// course is what becomes of a message that was taken.
type course struct {
	*ens.Message
	correlation string
	asked       simulator.Request
	now         time.Time
}

// Codes of functional errors, of the European message guide: a value that is not allowed, and one that was used before.
const (
	wrongValue = "12"
	duplicate  = "26"
)

// The reasons of the simulator's own rejections, which HMRC has not published.
const (
	reasonAsked    = "SIM001"
	reasonOffice   = "SIM002"
	reasonRepeated = "SIM003"
	reasonUnknown  = "SIM004"
)

// problem is why a message is rejected.
type problem struct{ kind, path, reason string }

// follow returns what is kept of a message: the declaration, its outcome, and a notification.
func (s *Simulator) follow(c *course) []entry {
	if c.Name == schema.Amendment {
		return s.followAmendment(c)
	}
	org, lrn := c.asked.Organisation, c.text("HEAHEA/RefNumHEA4")
	known := s.at[(&entry{Kind: declarationKind, Organisation: org, ID: lrn}).key()]
	p := c.rejection()
	if known != nil {
		p = &problem{duplicate, "HEAHEA/RefNumHEA4", reasonRepeated}
	}
	switch {
	case c.asked.Simulate == Silent:
		return []entry{{Kind: declarationKind, Organisation: org, ID: lrn}}
	case p != nil:
		out := c.outcome(schema.DeclarationRejected)
		out.Set("HEAHEA/RefNumHEA4", lrn)
		out.Set("HEAHEA/DecRejDatTimHEA116", c.moment())
		return []entry{c.waiting(out, "", p)}
	}
	mrn := mrnOf(org, lrn, c.now.Year())
	out := c.outcome(schema.DeclarationAccepted)
	out.Set("HEAHEA/RefNumHEA4", lrn)
	out.Set("HEAHEA/DocNumHEA5", mrn)
	out.Set("HEAHEA/DecRegDatTimHEA115", c.moment())
	c.copy(out, "HEAHEA/TraModAtBorHEA76", "HEAHEA/IdeOfMeaOfTraCroHEA85", "PERLODSUMDEC/TINPLD1", "CUSOFFFENT730/RefNumCUSOFFFENT731", "CUSOFFFENT730/ExpDatOfArrFIRENT733")
	all := []entry{{Kind: declarationKind, Organisation: org, ID: lrn, MRN: mrn}, c.waiting(out, mrn, nil)}
	if c.asked.Simulate == Intervene {
		all = append(all, c.intervention(lrn, mrn))
	}
	return all
}

// followAmendment returns the outcome of an amendment: of a declaration that was accepted for the organisation.
func (s *Simulator) followAmendment(c *course) []entry {
	mrn, p := c.text("HEAHEA/DocNumHEA5"), c.rejection()
	if p == nil && !s.accepted(c.asked.Organisation, mrn) {
		p = &problem{wrongValue, "HEAHEA/DocNumHEA5", reasonUnknown}
	}
	name, at := schema.AmendmentAccepted, "HEAHEA/AmeAccDatTimHEA111"
	if p != nil {
		name, at = schema.AmendmentRejected, "HEAHEA/AmeRejDatTimHEA112"
	}
	if c.asked.Simulate == Silent {
		return nil
	}
	out := c.outcome(name)
	out.Set("HEAHEA/DocNumHEA5", mrn)
	out.Set(at, c.moment())
	c.copy(out, "HEAHEA/DatTimAmeHEA113", "CUSOFFFENT730/RefNumCUSOFFFENT731")
	if p == nil {
		c.copy(out, "PERLODSUMDEC/TINPLD1", "CUSOFFFENT730/ExpDatOfArrFIRENT733")
	}
	all := []entry{c.waiting(out, mrn, p)}
	if c.asked.Simulate == Intervene && p == nil {
		all = append(all, c.intervention("", mrn))
	}
	return all
}

func (s *Simulator) accepted(org, mrn string) bool {
	for _, e := range s.entries {
		if e.Kind == declarationKind && e.Organisation == org && e.MRN == mrn {
			return true
		}
	}
	return false
}

// rejection is why the risk assessment rejects a message; nil if it does not.
func (c *course) rejection() *problem {
	switch office := c.text("CUSOFFFENT730/RefNumCUSOFFFENT731"); {
	case strings.HasPrefix(office, "XI"):
		return &problem{wrongValue, "CUSOFFFENT730/RefNumCUSOFFFENT731", reasonOffice}
	case c.asked.Simulate == Reject:
		return &problem{wrongValue, "HEAHEA/TraModAtBorHEA76", reasonAsked}
	}
	return nil
}

func (c *course) text(path string) string {
	text, _ := c.Text(path)
	return strings.TrimSpace(text)
}

func (c *course) moment() string { return c.now.UTC().Format("200601021504") }

// copy copies elements of the message that have the same name in an outcome.
func (c *course) copy(out *ens.Message, paths ...string) {
	for _, path := range paths {
		if text := c.text(path); text != "" {
			out.Set(path, text)
		}
	}
}

// outcome begins a message to the sender.
func (c *course) outcome(name string) *ens.Message {
	at := c.now.UTC()
	return ens.New(name, ens.Header{
		Sender: c.Header.Sender, Recipient: c.Header.Sender, PreparedOn: at.Format("060102"), PreparedAt: at.Format("1504"), ID: textOf(14, name, c.correlation), Type: name, CorrelationID: c.correlation,
	})
}

// waiting returns an outcome as it waits to be polled.
func (c *course) waiting(out *ens.Message, mrn string, p *problem) entry {
	if p != nil {
		out.Set("FUNERRER1/ErrTypER11", p.kind)
		out.Set("FUNERRER1/ErrPoiER12", "/ie:"+c.Name+"[1]/"+strings.ReplaceAll(p.path, "/", "[1]/")+"[1]")
		out.Set("FUNERRER1/ErrReaER13", p.reason)
		if text := c.text(p.path); text != "" {
			out.Set("FUNERRER1/OriAttValER14", text)
		}
	}
	return entry{
		Kind: outcomeKind, Organisation: c.asked.Organisation, ID: c.correlation, Correlation: c.correlation, MRN: mrn,
		Document: "<outcomeResponse><response>" + inner(out) + "</response><acknowledgement method='DELETE' href='" + ensapi.OutcomesPath + c.correlation + "'/></outcomeResponse>",
	}
}

// intervention returns an instruction not to load.
func (c *course) intervention(lrn, mrn string) entry {
	out := c.outcome(schema.Intervention)
	if lrn != "" {
		out.Set("HEAHEA/RefNumHEA4", lrn)
	}
	out.Set("HEAHEA/DocNumHEA5", mrn)
	for _, at := range []string{"HEAHEA/NotDatTimHEA104", "HEAHEA/DecRegDatTimHEA115", "HEAHEA/DecSubDatTimHEA118"} {
		out.Set(at, c.moment())
	}
	c.copy(out, "HEAHEA/TraModAtBorHEA76", "PERLODSUMDEC/TINPLD1", "CUSOFFFENT730/RefNumCUSOFFFENT731", "CUSOFFFENT730/ExpDatOfArrFIRENT733")
	out.Set("CUSINT632/IteNumConCUSINT668", "1")
	out.Set("CUSINT632/CusIntCodCUSINT665", "A01")
	out.Set("CUSINT632/CusIntTexCUSINT666", "DO NOT LOAD")
	id := notificationID(c.correlation)
	return entry{
		Kind: notificationKind, Organisation: c.asked.Organisation, ID: id, Correlation: c.correlation, MRN: mrn,
		Document: "<notificationResponse><response>" + inner(out) + "</response><acknowledgement method='DELETE' href='" + ensapi.NotificationsPath + id + "'/></notificationResponse>",
	}
}

// inner returns a message without the declaration of XML.
func inner(m *ens.Message) string {
	document := string(m.XML())
	if _, rest, found := strings.Cut(document, "?>"); found {
		return strings.TrimSpace(rest)
	}
	return document
}
