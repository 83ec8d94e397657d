// Package check makes the single checks of doctor, from clocks, disks, files and addresses.
package check

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Outcome is what a check found.
type Outcome string

// The outcomes. A deployment with a single Fail is not healthy.
const (
	OK   Outcome = "ok"
	Warn Outcome = "warn"
	Fail Outcome = "fail"
)

// Result is the result of one check.
type Result struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Finding string  `json:"finding"`
	Remedy  string  `json:"remedy,omitempty"` // what to do; empty for OK
}

// Passed returns a result that needs no action.
func Passed(name, format string, args ...any) Result {
	return Result{Name: name, Outcome: OK, Finding: fmt.Sprintf(format, args...)}
}

// Warning returns a result that should be corrected.
func Warning(name, remedy, format string, args ...any) Result {
	return Result{name, Warn, fmt.Sprintf(format, args...), remedy}
}

// Failed returns a result that must be corrected.
func Failed(name, remedy, format string, args ...any) Result {
	return Result{name, Fail, fmt.Sprintf(format, args...), remedy}
}

// Report is the results of all checks.
type Report struct {
	Healthy bool     `json:"healthy"`
	Checks  []Result `json:"checks"`
}

// NewReport makes a report, which is healthy if no check failed.
func NewReport(results []Result) Report {
	r := Report{Healthy: true, Checks: results}
	for _, c := range results {
		r.Healthy = r.Healthy && c.Outcome != Fail
	}
	return r
}

// Write prints the report as a table.
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
	fmt.Fprintf(table, "\n%s: %d ok, %d warnings, %d failures\n", verdict, counts[OK], counts[Warn], counts[Fail])
	return table.Flush()
}
