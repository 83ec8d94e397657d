package simulator

import (
	"regexp"
	"strings"
	"time"
)

// ReferencePrefix begins a document reference that steers a simulator.
const ReferencePrefix = "SIM-"

// Rejected is the outcome that can have an error code. The other outcomes are HMRC's letters too.
const Rejected = "B"

// The two decisions on a cancellation request that its header can ask for.
const (
	Grant = "grant"
	Deny  = "deny"
)

// The two outcomes of uploaded files that the header of their upload can ask for.
const (
	AcceptFiles = "accept"
	RejectFiles = "reject"
)

// Outcomes of a movement of an export that its header can ask for.
const (
	AcceptMovement = "accept"
	RejectMovement = "reject" // also with an error code, as in "reject 13"
	SilentMovement = "silent"
)

// MovementForms lists what MovementFromHeader accepts, for error messages and documentation.
const MovementForms = "accept, silent, reject, or reject with an error code such as reject 13"

// movementForm is the form of the header of a movement; group 2 is the error code.
var movementForm = regexp.MustCompile(`^(accept|silent|reject)(?: ([0-9]{2}))?$`)

// MovementFromHeader reads the steering of a movement. The error code is empty if the header has none; ok is false if it has none
// of MovementForms.
func MovementFromHeader(value string) (outcome, code string, ok bool) {
	parts := movementForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(value)))
	if parts == nil || parts[2] != "" && parts[1] != RejectMovement {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// Steering is an outcome that a caller asked for.
type Steering struct {
	Outcome           string        // a letter of HMRC's stub, TAX_LIABILITY, INSUFFICIENT or REMINDER
	Code              string        // of a rejection, such as CDS12056; empty for the usual one
	Delay             time.Duration // between messages, if HasDelay
	HasDelay          bool
	GrantCancellation bool   // of a later cancellation request
	Source            string // the reference or header, as it was given
}

var (
	// letters are an outcome and its position characters: a digit in the second place is a delay in seconds, an S in the
	// third place grants a later cancellation.
	letters = regexp.MustCompile(`^(TAX_LIABILITY|INSUFFICIENT|REMINDER|[BCDGKLNPQRUX])(.*)$`)
	// exact is the form of a header. A reference may continue in any way.
	exact = regexp.MustCompile(`^(TAX_LIABILITY|INSUFFICIENT|REMINDER|BCDS[0-9]{5}|[BCDGKLNPQRUX]([0-9A-Z]S?)?)(-[0-9A-Z-]*)?$`)
	code  = regexp.MustCompile(`^CDS[0-9]{5}`)
	// words are forms of the header that are not letters.
	words = regexp.MustCompile(`^(ACCEPT|CLEAR|SILENT|REJECT)( CDS[0-9]{5})?$`)
)

// HeaderForms lists what FromHeader accepts, for error messages and documentation.
const HeaderForms = "B, BCDS12056, C, D, G, K, L, N, P, Q, R, U, X, TAX_LIABILITY, INSUFFICIENT or REMINDER; reject, reject CDS12056, accept, clear or silent"

// FromReferences reads the steering of the first reference that has one; ok is false if each begins with anything but
// ReferencePrefix and the letters of an outcome.
func FromReferences(references ...string) (s Steering, ok bool) {
	for _, reference := range references {
		text, found := strings.CutPrefix(strings.ToUpper(reference), ReferencePrefix)
		if s, ok = parse(text, reference); found && ok {
			return s, true
		}
	}
	return Steering{}, false
}

// FromHeader reads the steering of the header X-Simulate; ok is false if it has none of HeaderForms.
func FromHeader(value string) (s Steering, ok bool) {
	text := strings.ToUpper(strings.TrimSpace(value))
	if word := words.FindStringSubmatch(text); word != nil {
		outcome := map[string]string{"ACCEPT": "G", "CLEAR": "C", "SILENT": "P", "REJECT": Rejected}[word[1]]
		if word[2] != "" && outcome != Rejected {
			return Steering{}, false
		}
		return Steering{Outcome: outcome, Code: strings.TrimSpace(word[2]), Source: value}, true
	}
	if !exact.MatchString(text) {
		return Steering{}, false
	}
	return parse(text, value)
}

func parse(text, source string) (Steering, bool) {
	parts := letters.FindStringSubmatch(text)
	if parts == nil {
		return Steering{}, false
	}
	s := Steering{Outcome: parts[1], Source: source}
	if s.Outcome == Rejected {
		s.Code = code.FindString(parts[2])
	}
	if len(s.Outcome) > 1 {
		return s, true
	}
	if s.HasDelay = len(text) > 1 && text[1] >= '0' && text[1] <= '9'; s.HasDelay {
		s.Delay = time.Duration(text[1]-'0') * time.Second
	}
	s.GrantCancellation = len(text) > 2 && text[2] == 'S'
	return s, true
}
