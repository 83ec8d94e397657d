package program

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// JumpVariable names the file by which a test sets the clock of a program that is built
// with the tag jumpingclock. The program of users does not know it.
const JumpVariable = "TIDEWAITER_JUMPING_CLOCK"

var jumping = sync.OnceValues(func() (string, error) { return Build("jumping", "-tags", "jumpingclock") })

// Jumping makes the program one whose clock Jump sets. Its clock is right at first.
func (p *Program) Jumping(t testing.TB) {
	t.Helper()
	file, err := jumping()
	if err != nil {
		t.Fatal(err)
	}
	p.File = file
	p.Settings[JumpVariable] = filepath.Join(p.Data(), "clock")
	p.Jump(t, 0)
}

// Jump sets the clock of the program to so much ahead of the time, or behind it where that is negative.
func (p Program) Jump(t testing.TB, by time.Duration) {
	t.Helper()
	file := p.Settings[JumpVariable]
	if err := os.WriteFile(file+".new", []byte(by.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}
