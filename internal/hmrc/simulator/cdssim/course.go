package cdssim

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// course is the outcome of a declaration: function codes in order, each with the NameCode of its status if it has one,
// as in "01 13/67 13/4 09".
type course string

// Courses without steering.
const (
	imported                  course = "01 13/67 13/4 09"
	exported                  course = "01 09"
	simple                    course = "01 09" // an import whose duty is for the supplementary declaration
	rejected                  course = "03"
	granted                   course = "11/39"
	denied                    course = "11/41"
	cancelledAfterAcceptance  course = "10" // cancellation of an accepted declaration
	cancelledBeforeAcceptance course = "03" // cancellation of one that is not accepted yet: a rejection without errors
)

// stage is one message of a course.
type stage struct{ code, status string }

func (c course) stages() []stage {
	var all []stage
	for _, field := range strings.Fields(string(c)) {
		code, status, _ := strings.Cut(field, "/")
		if code == "16" {
			status = "A1"
		}
		all = append(all, stage{code: code, status: status})
	}
	return all
}

// courseOf returns the normal course of a declaration without errors.
func courseOf(d *wco.Declaration) course {
	switch {
	case isExport(d.TypeCode):
		return prelodged(d, exported)
	case !taxed(d.TypeCode):
		return prelodged(d, simple)
	}
	return prelodged(d, imported)
}

// steeredCourse returns the selected course, adapted to the declaration.
func steeredCourse(d *wco.Declaration, s simulator.Steering) course {
	c := outcomes[s.Outcome]
	if !taxed(d.TypeCode) {
		c = c.without("13", "14", "15")
	}
	if !isExport(d.TypeCode) {
		c = c.without("16")
	}
	return prelodged(d, c)
}

func (c course) without(codes ...string) course {
	kept := slices.DeleteFunc(strings.Fields(string(c)), func(field string) bool {
		code, _, _ := strings.Cut(field, "/")
		return slices.Contains(codes, code)
	})
	return course(strings.Join(kept, " "))
}

// prelodged adds the registration of a declaration whose goods have not arrived (DE 1/2): D, E and F of the simplified
// ones, K of the C21s.
func prelodged(d *wco.Declaration, c course) course {
	early := len(d.TypeCode) == 3 && strings.Contains("DEFK", d.TypeCode[2:])
	if early && strings.HasPrefix(string(c), "01") {
		return "02 " + c
	}
	return c
}

// taxed reports whether a declaration is an import with duty that is due now: standard and supplementary ones.
func taxed(typeCode string) bool {
	return isImport(typeCode) && strings.Contains("ADYZ", typeCode[2:])
}

// has reports whether a course contains a message with a function code.
func (c course) has(code string) bool {
	return slices.ContainsFunc(c.stages(), func(s stage) bool { return s.code == code })
}
