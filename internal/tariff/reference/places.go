package reference

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// places are the packed codes of UN/LOCODE: unsorted while a file is read, sorted after
// unpack.
type places struct {
	read  map[uint32]bool
	codes []uint32
	last  time.Time
}

func (*places) columns() []string {
	return []string{"UnLocodeExtendedCode", "RDEntryStatus_activeFrom"}
}

func (p *places) take(cells []string) error {
	code, err := ident.ParseUNLOCODE(cells[0])
	if err != nil || string(code) != cells[0] {
		return fmt.Errorf("%q is no UN/LOCODE", cells[0])
	}
	day, err := dated(cells[1])
	if err != nil {
		return err
	}
	n := packed(cells[0])
	if p.read[n] {
		return fmt.Errorf("%s occurs twice in the list", code)
	}
	if p.read == nil {
		p.read = map[uint32]bool{}
	}
	p.read[n], p.last = true, later(p.last, day)
	return nil
}

// packed returns a code of five letters and digits as a number with the same order.
func packed(code string) (n uint32) {
	for i := range len(code) {
		digit := uint32(code[i] - '0')
		if code[i] >= 'A' {
			digit = uint32(code[i]-'A') + 10
		}
		n = n*36 + digit
	}
	return n
}

func unpacked(n uint32) string {
	var code [5]byte
	for i := len(code) - 1; i >= 0; i-- {
		code[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n%36]
		n /= 36
	}
	return string(code[:])
}

func (p *places) newest() time.Time { return p.last }
func (p *places) rows() int         { return len(p.read) }

func (p *places) pack(write func(string) error) error {
	for _, code := range slices.Sorted(maps.Keys(p.read)) {
		if err := write(unpacked(code)); err != nil {
			return err
		}
	}
	return nil
}

func (p *places) unpack(line string) error {
	code := packed(line)
	if n := len(p.codes); len(line) != 5 || n > 0 && p.codes[n-1] >= code {
		return fmt.Errorf("reference: places: %q", line)
	}
	p.codes = append(p.codes, code)
	return nil
}

func (p *places) has(code string) bool {
	parsed, err := ident.ParseUNLOCODE(code)
	if err != nil {
		return false
	}
	_, listed := slices.BinarySearch(p.codes, packed(string(parsed)))
	return listed
}
