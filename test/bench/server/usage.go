package server

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc's processor times: 1/100 s on every Linux that Go knows.
const tick = 10 * time.Millisecond

// Processor is the processor time that the server has used so far.
func (p *Process) Processor() (time.Duration, error) {
	text, err := os.ReadFile(p.proc("stat"))
	if err != nil {
		return 0, err
	}
	_, behindName, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(behindName)
	const user, system = 11, 12
	var total time.Duration
	for _, i := range []int{user, system} {
		ticks, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("server: processor time: %w", err)
		}
		total += time.Duration(ticks) * tick
	}
	return total, nil
}

// Resident is the server's current memory, in bytes.
func (p *Process) Resident() (int64, error) { return p.memory("VmRSS:") }

// Peak is the server's highest memory, in bytes.
func (p *Process) Peak() (int64, error) { return p.memory("VmHWM:") }

func (p *Process) memory(name string) (int64, error) {
	text, err := os.ReadFile(p.proc("status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("server: /proc does not have %s", name)
}

func (p *Process) proc(file string) string {
	return fmt.Sprintf("/proc/%d/%s", p.command.Process.Pid, file)
}
