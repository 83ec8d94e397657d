package filing

import "time"

// Fixed are the values of a submission that an approval fixes, so that the approved bytes are the ones that are sent.
type Fixed struct {
	LRN string    `json:"lrn,omitempty"` // empty for kinds without one, and for the one that the kind chooses
	At  time.Time `json:"at,omitzero"`   // counts as the time of sending; zero for the present time

	Proposal string `json:"proposal,omitempty"` // what would be sent besides a submission, in a form of the kind; empty for a submission
}

// Outgoing is what a submission sends.
type Outgoing struct {
	Fixed
	ContentType string
	Body        []byte // as it is kept and shown
	Exact       []byte // as it is sent, if Body masks secrets; otherwise nil
}

// SHA256 returns the digest of the bytes as they are kept, in lower-case hex.
func (o *Outgoing) SHA256() string { return digest(o.Body) }

// Encoder makes what a submission of a record would send now, with fixed values.
type Encoder func(tx Tx, f *Filing, at Fixed) (Outgoing, error)

// outgoing makes what a submission of a record sends: in the form of the authority if the kind has one, otherwise the body.
func (s *Service) outgoing(tx Tx, t *Type, f *Filing, at Fixed) (Outgoing, error) {
	if encode := s.Encoders[t.Kind]; encode != nil {
		return encode(tx, f, at)
	}
	return BodyOf(f, at), nil
}

// BodyOf returns what is submitted of a record whose authority gets its input.
func BodyOf(f *Filing, at Fixed) Outgoing {
	return Outgoing{Fixed: Fixed{At: at.At}, ContentType: "application/json", Body: f.Body}
}
