package simulator_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Only a reference that begins with SIM- and the letters of an outcome steers; the second place is a delay, the third
// grants a cancellation.
func TestReferences(t *testing.T) {
	for reference, want := range map[string]simulator.Steering{
		"SIM-BCDS12056-1":   {Outcome: "B", Code: "CDS12056"},
		"sim-p-1":           {Outcome: "P"},
		"SIM-G9S-1":         {Outcome: "G", Delay: 9 * time.Second, HasDelay: true, GrantCancellation: true},
		"SIM-GXS":           {Outcome: "G", GrantCancellation: true},
		"SIM-TAX_LIABILITY": {Outcome: "TAX_LIABILITY"},
		"SIM-B":             {Outcome: "B"},
	} {
		want.Source = reference
		if got, ok := simulator.FromReferences("", reference); !ok || got != want {
			t.Errorf("%s is %+v, %v", reference, got, ok)
		}
	}
	for _, reference := range []string{"", "BDX/26/1133", "BL-2026-17", "DN44", "SIM-", "SIM-1", "SIM", "SIMP", "XSIM-P"} {
		if got, ok := simulator.FromReferences(reference); ok {
			t.Errorf("%q steers: %+v", reference, got)
		}
	}
}

// The header takes letters and words, and nothing that only resembles them.
func TestHeaders(t *testing.T) {
	for header, want := range map[string]simulator.Steering{
		"BCDS12056": {Outcome: "B", Code: "CDS12056"}, "reject CDS12056": {Outcome: "B", Code: "CDS12056"}, "Reject": {Outcome: "B"},
		"accept": {Outcome: "G"}, "clear": {Outcome: "C"}, "silent": {Outcome: "P"}, "REMINDER": {Outcome: "REMINDER"},
		"g0s": {Outcome: "G", HasDelay: true, GrantCancellation: true}, "P-1": {Outcome: "P"},
	} {
		want.Source = header
		if got, ok := simulator.FromHeader(header); !ok || got != want {
			t.Errorf("%s is %+v, %v", header, got, ok)
		}
	}
	for _, header := range []string{"", "A", "BCDS1205", "BCDS120567", "clear CDS12056", "SIM-P-1", "CLEARED", "reject 12056", "deny"} {
		if got, ok := simulator.FromHeader(header); ok {
			t.Errorf("%q steers: %+v", header, got)
		}
	}
}
