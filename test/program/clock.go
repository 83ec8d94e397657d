package program

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// JumpVariable names the file with which a test sets the clock of a program built with the tag jumpingclock.
// Released programs ignore it.
const ClockVariable = "TIDEWAITER_JUMPING_CLOCK"

var adjustable = sync.OnceValues(func() (string, error) { return Build("jumping", "-tags", "jumpingclock") })

// UseAdjustableClock makes the program one whose clock SetClockOffset changes. Its clock is right at first.
func (p *Program) UseAdjustableClock(t testing.TB) {
	t.Helper()
	file, err := adjustable()
	if err != nil {
		t.Fatal(err)
	}
	p.File = file
	p.Settings[ClockVariable] = filepath.Join(p.Data(), "clock")
	p.SetClockOffset(t, 0)
}

// SetClockOffset sets the clock of the program ahead of the time, or behind it if negative.
func (p Program) SetClockOffset(t testing.TB, by time.Duration) {
	t.Helper()
	file := p.Settings[ClockVariable]
	if err := os.WriteFile(file+".new", []byte(by.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}
