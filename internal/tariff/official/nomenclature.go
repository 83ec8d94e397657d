package official

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Columns of the goods nomenclature of HMRC.
var nomenclatureColumns = []string{"commodity_code", "product_line_suffix", "start_date", "end_date", "indent", "end_line", "description"}

// Columns of the publisher's commodities-report. An edition has either the indents or the
// parents of its lines.
var (
	reportColumns    = []string{"commodity__code", "commodity__description", "commodity__validity_start", "commodity__sid"}
	reportMayColumns = []string{"commodity__suffix", "commodity__indent", "commodity__validity_end", "parent__sid"}
)

var (
	errIndent      = errors.New("the indent must be a number from 0 to 20")
	errSuffix      = errors.New("the suffix must be two digits")
	errEndLine     = errors.New("end_line must be 0 or 1")
	errDescription = fmt.Errorf("the description must have 1 to %d characters", maxDescription)
	errPlace       = errors.New("has neither an indent nor an existing parent")
)

const (
	maxIndent      = 20
	maxDescription = 4000
)

// newNomenclature reads the rows of HMRC's table.
func newNomenclature(r reading) tableReader {
	return &hierarchy{today: r.today, read: nomenclatureLine}
}

// newReport reads the rows of the publisher's table.
func newReport(r reading) tableReader { return &hierarchy{today: r.today, read: reportLine} }

func nomenclatureLine(cells []string) (l line, err error) {
	if l.From, l.To, err = period(cells[2], cells[3]); err != nil {
		return l, err
	}
	l.Code, l.Suffix, l.Description = cells[0], cells[1], cells[6]
	if l.Indent, err = indent(cells[4]); err != nil {
		return l, err
	}
	switch cells[5] {
	case "1", "0":
		l.statesDeclarable, l.Declarable = true, cells[5] == "1" && l.Suffix == nomenclature.Line
	default:
		return l, errEndLine
	}
	return l, l.check()
}

func reportLine(cells []string) (l line, err error) {
	if l.From, l.To, err = period(cells[2], cells[6]); err != nil {
		return l, err
	}
	l.Code, l.Description, l.sid, l.parent = cells[0], cells[1], cells[3], cells[7]
	l.Suffix, l.unsuffixed = cells[4], cells[4] == ""
	if l.unsuffixed {
		l.Suffix = nomenclature.Line
	}
	if l.placed = cells[5] == ""; !l.placed {
		if l.Indent, err = indent(cells[5]); err != nil {
			return l, err
		}
	}
	return l, l.check()
}

func indent(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxIndent {
		return 0, fmt.Errorf("%q: %w", text, errIndent)
	}
	return n, nil
}

// line is a row of a nomenclature.
type line struct {
	nomenclature.Node
	row              int
	statesDeclarable bool   // the row says whether it is declarable
	placed           bool   // its depth follows from its parent instead of an indent
	unsuffixed       bool   // its suffix follows from the lines with the same code
	sid, parent      string // in the publisher's table
}

func (l line) check() error {
	if err := checkCode(l.Code); err != nil {
		return err
	}
	if len(l.Suffix) != 2 || !isDigits(l.Suffix) {
		return fmt.Errorf("%q: %w", l.Suffix, errSuffix)
	}
	if l.Description == "" && !strings.HasSuffix(l.Code, "00") || len(l.Description) > maxDescription {
		return errDescription
	}
	return nil
}
