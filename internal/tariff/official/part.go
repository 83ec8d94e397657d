package official

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// Part is a piece of an edition that is stored on its own: an edition stores only the pieces that it changes.
type Part struct {
	Name   string
	Packed []byte // nil: the piece ends with the edition
}

// Contents are what an edition adds to the one before: whole tables, and pieces.
type Contents struct {
	Tables map[Kind][]byte
	Parts  []Part
}

// recordingPrefix begins the names of recorded answers: recording/UK/0101210000/2025-02-20, with the country behind it if the
// answer has the measures for one country only.
const recordingPrefix = "recording/"

func recordingName(n recording.Name) string {
	parts := []string{recordingPrefix + n.Service, n.Code, n.Day.String()}
	if n.Country != "" {
		parts = append(parts, n.Country)
	}
	return strings.Join(parts, "/")
}

// parseRecordingName is the reverse of recordingName.
func parseRecordingName(name string) (recording.Name, error) {
	parts := strings.Split(strings.TrimPrefix(name, recordingPrefix), "/")
	const service, code, on, country = 0, 1, 2, 3
	if len(parts) < country || len(parts) > country+1 {
		return recording.Name{}, fmt.Errorf("official: %q does not name a recording", name)
	}
	n := recording.Name{Service: parts[service], Code: parts[code]}
	if len(parts) > country {
		n.Country = parts[country]
	}
	var err error
	n.Day, err = measure.ParseDay(parts[on])
	return n, err
}

// maxRecording is much longer than any answer of the tariff service, in bytes.
const maxRecording = 32 << 20

var (
	errLongRecording = fmt.Errorf("the answer is longer than %d MB", maxRecording>>20)
	errUnnamed       = errors.New("neither its name, such as 0101210000_2025-02-20_uk.json, nor the options say the day and the service of the answer")
)

// readRecording reads a recorded answer of HMRC's tariff service.
func readRecording(file string, document []byte, how ImportOptions) (part, error) {
	name, named := recording.ParseName(filepath.Base(file))
	if !named {
		name = recording.Name{Service: how.Service}
		var err error
		if name.Day, err = measure.ParseDay(how.AsOf); err != nil || how.Service == "" {
			return part{}, errUnnamed
		}
	}
	r, err := recording.Read(name, document)
	if err != nil {
		return part{}, err
	}
	if _, err := measure.NewAreas(r.Groups); err != nil {
		return part{}, err
	}
	name.Code = r.Code
	packed, err := compress(document)
	info := Table{Kind: Recordings, AsOf: name.Day.String(), Source: "answers of the tariff service (HMRC)", File: file, Rows: 1}
	return part{Table: info, pieces: []Part{{recordingName(name), packed}}}, err
}

func compress(document []byte) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	_, err := zip.Write(document)
	err = errors.Join(err, zip.Close())
	return out.Bytes(), err
}

func expand(packed []byte) ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(zip, maxRecording))
}

// joinRecordings adds a recording to others. The same one twice is an error.
func joinRecordings(f *importerr.Error, to *part, p part) {
	if slices.ContainsFunc(to.pieces, func(o Part) bool { return o.Name == p.pieces[0].Name }) {
		of(f, p.File).add(0, fmt.Errorf("is the answer for the same code, service and day as another file: %s", p.pieces[0].Name))
		return
	}
	to.pieces, to.Rows, to.AsOf = append(to.pieces, p.pieces...), to.Rows+1, max(to.AsOf, p.AsOf)
	to.File = fmt.Sprintf("%d files", to.Rows)
}

// carryRecordings adds the recordings that the edition before has and that are not replaced. It returns those that the edition
// before does not have with the same content.
func carryRecordings(table Table, has bool, held []Part, p *part) (adds []Part) {
	if !has {
		return p.pieces
	}
	for _, n := range p.pieces {
		if !slices.ContainsFunc(held, func(h Part) bool { return h.Name == n.Name && bytes.Equal(h.Packed, n.Packed) }) {
			adds = append(adds, n)
		}
	}
	for _, h := range held {
		if !slices.ContainsFunc(p.pieces, func(n Part) bool { return n.Name == h.Name }) {
			p.pieces = append(p.pieces, h)
		}
	}
	if p.AsOf, p.Rows = max(p.AsOf, table.AsOf), len(p.pieces); p.Rows > 1 {
		p.File = fmt.Sprintf("%d files", p.Rows)
	}
	return adds
}
