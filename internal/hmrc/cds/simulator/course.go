package simulator

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// course is what becomes of a declaration: function codes in order, each with the
// NameCode of its status where it has one, as in "01 13/67 13/4 09".
type course string

// The courses that nobody has asked for.
const (
	imported  course = "01 13/67 13/4 09"
	exported  course = "01 09"
	simple    course = "01 09" // an import whose duty is for the supplementary declaration
	rejected  course = "03"
	granted   course = "11/39"
	denied    course = "11/41"
	undone    course = "10" // what a granted request makes of an accepted declaration
	withdrawn course = "03" // and of one not yet accepted: a rejection without an error
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

// courseOf is the ordinary course of a declaration without faults.
func courseOf(d *wco.Declaration) course {
	switch {
	case isExport(d.TypeCode):
		return prelodged(d, exported)
	case !taxed(d.TypeCode):
		return prelodged(d, simple)
	}
	return prelodged(d, imported)
}

// steeredCourse is the outcome that was asked for, as far as it suits the declaration.
func steeredCourse(d *wco.Declaration, s steering) course {
	c := course(outcomes[s.outcome])
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

// prelodged puts the registration in front that a declaration gets whose goods have
// not come (DE 1/2): D, E and F of the simplified ones, K of the C21s.
func prelodged(d *wco.Declaration, c course) course {
	early := len(d.TypeCode) == 3 && strings.Contains("DEFK", d.TypeCode[2:])
	if early && strings.HasPrefix(string(c), "01") {
		return "02 " + c
	}
	return c
}

// taxed tells imports that owe duty now, standard and supplementary ones, from
// exports and from those whose duty comes later or never.
func taxed(typeCode string) bool {
	return isImport(typeCode) && strings.Contains("ADYZ", typeCode[2:])
}

// has tells whether a message with a function code is part of the course.
func (c course) has(code string) bool {
	return slices.ContainsFunc(c.stages(), func(s stage) bool { return s.code == code })
}
