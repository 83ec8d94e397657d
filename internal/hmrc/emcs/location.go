package emcs

import (
	"fmt"
	"strconv"
	"strings"
)

// FieldPrefix begins the fields of a message in a record.
const FieldPrefix = "message"

// Field returns the field of our JSON form that HMRC means by a location, such as message.submittedDraftOfEADESAD.bodyEadEsad[0].quantity for
// /urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]/urn:BodyEadEsad[1]/urn:Quantity[1]. The location may have other prefixes or none,
// and steps that begin with con:, which are ignored. It follows the location as far as the schema of either version has it; empty if the schema has no part of it.
func Field(location string) string {
	steps := stepsOf(location)
	if len(steps) == 0 {
		return ""
	}
	below, known := schemas()[Kind(steps[0].name)]
	if !known {
		return ""
	}
	steps = steps[1:]
	if len(steps) > 0 && steps[0].name == "Body" {
		steps = steps[1:]
	}
	if len(steps) == 0 || steps[0].name != below.name {
		return ""
	}
	field := FieldPrefix + "." + below.member
	for s, rest := below, steps[1:]; len(rest) > 0; rest = rest[1:] {
		if s = s.anyChild(rest[0].name); s == nil {
			break
		}
		if field += "." + s.member; s.isList() {
			field += fmt.Sprintf("[%d]", rest[0].index-1)
		}
	}
	return field
}

// KindAt returns the message that a location is in; empty if the location is empty.
func KindAt(location string) Kind {
	steps := stepsOf(location)
	if len(steps) == 0 {
		return ""
	}
	return Kind(steps[0].name)
}

// anyChild returns the element with a name in any version.
func (s *spec) anyChild(name string) *spec {
	for _, v := range versions {
		if c := s.child(name, v); c != nil {
			return c
		}
	}
	return nil
}

// step is one element of a location.
type step struct {
	name  string
	index int // from 1
}

// maxSteps is more than the depth of any message.
const maxSteps = 32

func stepsOf(location string) []step {
	var steps []step
	for part := range strings.SplitSeq(strings.TrimSpace(location), "/") {
		if part == "" || strings.HasPrefix(part, "con:") || len(steps) == maxSteps {
			continue
		}
		_, name, prefixed := strings.Cut(part, ":")
		if !prefixed {
			name = part
		}
		name, index, _ := strings.Cut(name, "[")
		n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if err != nil || n < 1 {
			n = 1
		}
		steps = append(steps, step{name, n})
	}
	return steps
}

// rootLocation is the location of the element below Body.
func rootLocation(kind Kind, below string) string {
	return fmt.Sprintf("/urn:%s[1]/urn:Body[1]/urn:%s[1]", kind, below)
}

// Location returns HMRC's location of an element below the one in Body; each step is a name, or a name and a number from 1: "BodyEadEsad[2]".
func (m Message) Location(steps ...string) string {
	at := rootLocation(m.Kind, m.Body.Name)
	for _, s := range steps {
		if at += "/urn:" + s; !strings.HasSuffix(s, "]") {
			at += "[1]"
		}
	}
	return at
}
