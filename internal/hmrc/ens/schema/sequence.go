package schema

import "github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"

// sequence follows the elements in a group. After the first error it reports no other of the group, as Xerces.
type sequence struct {
	group      *Part
	generation verdict.Generation
	at         int // of the part that came last; -1 before the first
	count      int // how often it came one after the other
	broken     bool
	lacking    *Part // what had to come before the element that broke the order; nil if that is not the reason
}

// next takes the next element. It returns its part, nil if the group has none of that name, and HMRC's number for what is wrong
// with its place, or 0.
func (s *sequence) next(local, space string) (part *Part, number int) {
	if space == "" {
		part = s.group.Find(local)
	}
	if s.broken || part != nil && s.follows(part) {
		return part, 0
	}
	s.broken = true
	switch {
	case s.isFull():
		return part, numberOther
	case s.at == len(s.group.Parts)-1 && s.group.Parts[s.at].most == 1:
		return part, numberExtra
	default:
		return part, numberInvalid
	}
}

// follows reports whether a part may come now, and moves to it if so.
func (s *sequence) follows(part *Part) bool {
	if s.at >= 0 && s.group.Parts[s.at] == part {
		if part.most != unbounded && s.count >= part.most {
			return false
		}
		s.count++
		return true
	}
	for i := s.at + 1; i < len(s.group.Parts); i++ {
		if s.group.Parts[i] == part {
			s.at, s.count = i, 1
			return true
		}
		if s.group.Parts[i].IsNeeded(s.generation) {
			s.lacking = s.group.Parts[i]
			return false
		}
	}
	return false
}

// isFull reports whether a list with a limit has reached it: Xerces then reports the limit, whatever comes.
func (s *sequence) isFull() bool {
	return s.at >= 0 && s.group.Parts[s.at].most > 1 && s.count >= s.group.Parts[s.at].most
}

// missing returns the first part that must still come, or nil.
func (s *sequence) missing() *Part {
	if s.broken {
		return nil
	}
	for _, p := range s.group.Parts[s.at+1:] {
		if p.IsNeeded(s.generation) {
			return p
		}
	}
	return nil
}
