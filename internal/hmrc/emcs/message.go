package emcs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Version is a version of HMRC's schemas.
type Version string

// Versions. V323 belongs to phase 4.2 of EMCS.
const (
	V313 Version = "V3.13"
	V323 Version = "V3.23"
)

// Current is the version of the messages that this service writes. HMRC takes both.
const Current = V323

// versions are all versions, in the order of their places in a spec.
var versions = [...]Version{V313, V323}

// Versions returns all versions, the oldest first.
func Versions() []Version { return versions[:] }

func (v Version) index() int { return slices.Index(versions[:], v) }

// Kind is the number of a message.
type Kind string

// Messages of the life of a movement.
const (
	Refusal           Kind = "IE704"
	ControlReport     Kind = "IE717"
	Accepted          Kind = "IE801"
	Reminder          Kind = "IE802"
	Diverted          Kind = "IE803"
	Interruption      Kind = "IE807"
	Cancellation      Kind = "IE810"
	DestinationChange Kind = "IE813"
	Draft             Kind = "IE815"
	Receipt           Kind = "IE818"
	Alert             Kind = "IE819"
	ExportAccepted    Kind = "IE829"
	Delay             Kind = "IE837"
	CustomsRejection  Kind = "IE839"
	Event             Kind = "IE840"
	Shortage          Kind = "IE871"
	ManualClosure     Kind = "IE881"
	Status            Kind = "IE905"
)

// Namespaces. HMRC's own IE704 has the same one in both versions.
const (
	spaceBegin   = "urn:publicid:-:EC:DGTAXUD:EMCS:PHASE4:"
	refusalSpace = "http://www.govtalk.gov.uk/taxation/InternationalTrade/Excise/ie704uk/3"
	headerName   = "TMS"
)

// Reasons for not reading or writing a message. errors.Is finds them.
var (
	ErrMessage   = errors.New("emcs: message is not known")
	ErrVersion   = errors.New("emcs: schema version is not known")
	ErrStructure = errors.New("emcs: structure of the message is wrong")
)

// Header is the envelope's head. Its texts are as they were read.
type Header struct {
	Sender      string // such as NDEA.GB
	Recipient   string
	Date        string // of preparation, such as 2026-11-27
	Time        string // of preparation, such as 14:30:00
	Identifier  string // of the message, up to 44 characters
	Correlation string // often empty
}

// NewHeader returns the header of a message between the administrations of two countries, such as GB and XI. The time is written in UTC.
func NewHeader(sender, recipient string, at time.Time, identifier string) Header {
	at = at.UTC()
	return Header{Sender: "NDEA." + sender, Recipient: "NDEA." + recipient, Date: at.Format(dateLayout), Time: at.Format(timeLayout), Identifier: identifier}
}

// Between returns the header of a message from one trader to another, by their excise numbers: their administrations exchange it. That of GB stands for a trader
// without a number, such as the consignee of an export.
func Between(from, to string, at time.Time, identifier string) Header {
	return NewHeader(administration(from), administration(to), at, identifier)
}

// administration returns the country that an excise number begins with; GB if it begins with none.
func administration(ern string) string {
	if len(ern) < 2 || strings.Trim(ern[:2], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "GB"
	}
	return ern[:2]
}

// Message is a whole message.
type Message struct {
	Kind    Kind
	Version Version
	Header  Header
	Body    *Element // the one element below Body
}

// namespace returns the namespace of a message; name is its number, or headerName.
func namespace(name string, v Version) string {
	if name == string(Refusal) {
		return refusalSpace
	}
	return spaceBegin + name + ":" + string(v)
}

// versionOf reads the version from a namespace; the error names what is not known.
func versionOf(space, name string) (Version, error) {
	text, found := strings.CutPrefix(space, spaceBegin+name+":")
	if !found {
		return "", fmt.Errorf("%w: %s in the namespace %q", ErrMessage, name, space)
	}
	if v := Version(text); slices.Contains(versions[:], v) {
		return v, nil
	}
	return "", fmt.Errorf("%w: %s %s; known are %s and %s", ErrVersion, name, text, V313, V323)
}

// renamed are the elements whose names differ between the versions.
var renamed = [][len(versions)]string{{"ImportSad", "ImportCustomsDeclaration"}, {"ImportSadNumber", "ImportCustomsDeclarationNumber"}}

// As returns the message in a version. It is for messages that this service sends.
func (m Message) As(v Version) Message {
	if m.Version == v {
		return m
	}
	from, to := m.Version.index(), v.index()
	m.Version, m.Body = v, m.Body.Clone()
	m.Body.rename(from, to)
	return m
}

func (e *Element) rename(from, to int) {
	for _, pair := range renamed {
		if e.Name == pair[from] {
			e.Name = pair[to]
		}
	}
	for _, c := range e.Children {
		c.rename(from, to)
	}
}
