package cdssim

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// course is the outcome of a declaration: function codes in order, each with the NameCode of its status if it has one,
// as in "01 13/67 13/4 09".
type course string

// Courses without steering.
const (
	imported                  course = "01 13/67 13/4 09"
	exported                  course = "01 09"
	simple                    course = "01 09" // an import whose duty is for another declaration
	registered                course = "02"    // until the goods are presented
	rejected                  course = "03"
	granted                   course = "11/39"
	denied                    course = "11/41"
	amendmentGranted          course = "02 11/39"
	amendmentDenied           course = "02 11/41"
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

// courseOf returns the normal course of a declaration without errors. Goods of a pre-lodged one arrive by themselves only if
// arrives is set; otherwise it waits for their presentation.
func courseOf(d *wco.Declaration, arrives bool) course {
	c := imported
	switch {
	case dataset.IsExport(d):
		c = exported
	case !taxed(d):
		c = simple
	}
	if isPrelodged(d) && !arrives {
		return registered
	}
	return prelodged(d, c)
}

// steeredCourse returns the selected course, adapted to the declaration.
func steeredCourse(d *wco.Declaration, s simulator.Steering) course {
	c := outcomes[s.Outcome]
	if !taxed(d) {
		c = c.without("13", "14", "15")
	}
	if !dataset.IsExport(d) {
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
	if isPrelodged(d) && strings.HasPrefix(string(c), "01") {
		return "02 " + c
	}
	return c
}

func isPrelodged(d *wco.Declaration) bool {
	_, additional := dataset.Type(d)
	return additional != "" && strings.Contains("DEFK", additional)
}

// untaxed are the data sets of imports whose duty is not due at entry.
var untaxed = []dataset.Set{dataset.H2, dataset.I1, dataset.C21I, dataset.C21IEIDR, dataset.FSD}

// taxed reports whether a declaration is an import with duty that is due now.
func taxed(d *wco.Declaration) bool {
	set, known := dataset.Of(d)
	return known && !set.Exports() && !slices.Contains(untaxed, set)
}

// has reports whether a course contains a message with a function code.
func (c course) has(code string) bool {
	return slices.ContainsFunc(c.stages(), func(s stage) bool { return s.code == code })
}
