// Package doctor says how well a deployment is: what was examined, what was found,
// and what to do about it. It knows clocks, disks, files and addresses, and nothing
// of what is filed.
package doctor

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Outcome is how well something is.
type Outcome string

// The outcomes. A deployment with a single Fail is not healthy.
const (
	OK   Outcome = "ok"
	Warn Outcome = "warn"
	Fail Outcome = "fail"
)

// Check is one thing that was examined.
type Check struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Finding string  `json:"finding"`
	Remedy  string  `json:"remedy,omitempty"` // what to do; empty where nothing is to be done
}

// Well says that nothing is to be done.
func Well(name, format string, args ...any) Check {
	return Check{Name: name, Outcome: OK, Finding: fmt.Sprintf(format, args...)}
}

// Worry says what should be mended.
func Worry(name, remedy, format string, args ...any) Check {
	return Check{name, Warn, fmt.Sprintf(format, args...), remedy}
}

// Ill says what must be mended.
func Ill(name, remedy, format string, args ...any) Check {
	return Check{name, Fail, fmt.Sprintf(format, args...), remedy}
}

// Report is everything that was examined.
type Report struct {
	Healthy bool    `json:"healthy"`
	Checks  []Check `json:"checks"`
}

// NewReport judges checks together.
func NewReport(checks []Check) Report {
	r := Report{Healthy: true, Checks: checks}
	for _, c := range checks {
		r.Healthy = r.Healthy && c.Outcome != Fail
	}
	return r
}

// Write prints the report as a table for people.
func (r Report) Write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	counts := map[Outcome]int{}
	for _, c := range r.Checks {
		counts[c.Outcome]++
		fmt.Fprintf(table, "%s\t%s\t%s\n", strings.ToUpper(string(c.Outcome)), c.Name, strings.Join(strings.Fields(c.Finding), " "))
		if c.Remedy != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", c.Remedy)
		}
	}
	verdict := "healthy"
	if !r.Healthy {
		verdict = "NOT HEALTHY"
	}
	fmt.Fprintf(table, "\n%s: %d ok, %d to look at, %d to mend\n", verdict, counts[OK], counts[Warn], counts[Fail])
	return table.Flush()
}
