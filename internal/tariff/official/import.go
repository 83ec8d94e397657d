package official

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/raw"
)

// ImportOptions are the options of an import.
type ImportOptions struct {
	AsOf     string    // day of the tables, if not that of their newest row
	Today    time.Time // in London
	Service  string    // whose tariff recorded answers are of, if their names do not say it: UK or XI
	Complete bool      // refuse incomplete tables, even if their rows are valid
	Replace  bool      // drop what would be carried over

	raw *raw.Set // raw tables of the import
}

// Report is the result of an import.
type Report struct {
	Edition
	Declarable int // codes that can be declared
	Dutiable   int // of them, those with a duty today
	Unplaced   int // measures of codes that are not in the nomenclature
	Warnings   []string
}

// maxFiles is the number of files of one import; each recorded answer is one.
const maxFiles = 5_000

// Import reads files and puts their tables in force, together with the tables of the previous
// edition that they do not replace. If any row is invalid, nothing changes and the error is an
// *importerr.Error. A repeated import of the same content changes nothing.
func Import(ctx context.Context, to Store, files []File, how ImportOptions) (Report, error) {
	if len(files) > maxFiles {
		return Report{}, fmt.Errorf("official: at most %d files can be imported at once", maxFiles)
	}
	was, before, err := inForce(ctx, to)
	if err != nil {
		return Report{}, err
	}
	kept := before
	if how.Replace {
		kept = Edition{}
	}
	parts, err := readAll(files, how, kept)
	if err != nil {
		return Report{}, err
	}
	whole, adds, err := carryOver(ctx, to, before, parts, how.Replace)
	if err != nil {
		return Report{}, err
	}
	if how.Complete {
		if err := checkComplete(whole, before); err != nil {
			return Report{}, err
		}
	}
	r, err := testBuild(whole, how.Today.Format(time.DateOnly))
	if err != nil {
		return Report{}, err
	}
	dropped := len(whole) < len(before.Tables)
	if adds.repeats(before, parts) && !dropped {
		r.Edition = before
		return r, nil
	}
	r.Edition, err = to.PutTariff(ctx, was, r.Edition, adds)
	return r, err
}

func readAll(files []File, how ImportOptions, before Edition) ([]part, error) {
	var wrong importerr.Error
	var parts []part
	today := how.Today.Format(time.DateOnly)
	how.raw = raw.New()
	for _, file := range files {
		if parts = append(parts, readFile(file, how, today, of(&wrong, file.Name))...); wrong.More {
			break
		}
	}
	parts = append(parts, rawParts(how.raw, how, today, &wrong)...)
	parts = join(withBalances(parts, before), &wrong)
	return parts, wrong.OrNil()
}

// inForce returns the edition in force and its stamp; an empty one for the embedded table.
func inForce(ctx context.Context, from Store) (Stamp, Edition, error) {
	was, err := from.TariffStamp(ctx)
	if err != nil || was.Version == 0 {
		return was, Edition{}, err
	}
	e, err := edition(ctx, from, was.Version)
	return was, e, err
}

func edition(ctx context.Context, from Store, version int64) (Edition, error) {
	all, err := from.TariffEditions(ctx)
	if err != nil {
		return Edition{}, err
	}
	at := slices.IndexFunc(all, func(e Edition) bool { return e.Version == version })
	if at < 0 {
		return Edition{}, fmt.Errorf("official: version %d: %w", version, errGone)
	}
	return all[at], nil
}

var errGone = errors.New("is not kept")

// carryOver adds the previous edition's tables that are not replaced, and packs the new ones. What is held with the same content
// is not stored again.
func carryOver(ctx context.Context, from Store, before Edition, parts []part, replace bool) (whole []part, adds Contents, err error) {
	adds.Tables = map[Kind][]byte{}
	held, err := from.TariffParts(ctx, before.Version)
	if err != nil {
		return nil, adds, err
	}
	for i := range parts {
		if err := adds.take(ctx, from, before, held, &parts[i], replace); err != nil {
			return nil, adds, err
		}
	}
	whole = parts
	for _, t := range before.Tables {
		if replace {
			adds.Parts = append(adds.Parts, ended(t.Kind, held, parts)...)
			continue
		}
		if slices.ContainsFunc(parts, func(p part) bool { return p.Kind == t.Kind }) {
			continue
		}
		p := part{Table: t}
		if t.Kind.inPieces() {
			p.pieces = piecesOf(t.Kind, held)
		} else if p.rows, err = rowsOf(ctx, from, t, held); err != nil {
			return nil, adds, err
		}
		whole = append(whole, p)
	}
	slices.SortFunc(whole, func(a, b part) int { return slices.Index(Kinds(), a.Kind) - slices.Index(Kinds(), b.Kind) })
	return whole, adds, nil
}

// take adds what a new table changes of the edition before, of which the pieces are given.
func (c *Contents) take(ctx context.Context, from Store, before Edition, held []Part, p *part, replace bool) error {
	was, has := before.Table(p.Kind)
	p.fresh = true
	var adds []Part
	switch {
	case p.Kind == Recordings && !replace:
		adds = carryRecordings(was, has, piecesOf(p.Kind, held), p)
	case p.Kind.inPieces():
		adds = changedParts(piecesOf(p.Kind, held), p.pieces)
	case slices.Contains(splitKinds, p.Kind):
		pieces, err := split(p.Kind, p.rows)
		if err != nil {
			return err
		}
		adds = changedParts(piecesOf(p.Kind, held), pieces)
	default:
		return c.takeWhole(ctx, from, was, has, p)
	}
	if len(adds) == 0 {
		p.Version = was.Version
	}
	c.Parts = append(c.Parts, adds...)
	return nil
}

// takeWhole adds a table that is stored as a whole, unless its content is held.
func (c *Contents) takeWhole(ctx context.Context, from Store, was Table, has bool, p *part) error {
	packed, err := pack(p.rows)
	if err != nil {
		return err
	}
	if has {
		held, err := from.TariffRows(ctx, was.Kind, was.Version)
		if err != nil {
			return err
		}
		if bytes.Equal(held, packed) {
			p.Version = was.Version
			return nil
		}
	}
	c.Tables[p.Kind] = packed
	return nil
}

// repeats reports whether an import adds nothing: every table and recording is held with the same content and day.
func (c *Contents) repeats(before Edition, parts []part) bool {
	return len(c.Parts)+len(c.Tables) == 0 && !slices.ContainsFunc(parts, func(p part) bool {
		held, has := before.Table(p.Kind)
		return !has || held.AsOf != p.AsOf || held.Source != p.Source
	})
}

func fetch(ctx context.Context, from Store, t Table) ([][]string, error) {
	packed, err := from.TariffRows(ctx, t.Kind, t.Version)
	if err != nil {
		return nil, err
	}
	return unpack(t.Kind, packed)
}

var (
	errNoNomenclature = errors.New("has codes, but there is no nomenclature: import one too")
	errNoneFits       = errors.New("has no code that is in the nomenclature")
)

// testBuild builds the edition before it is stored: an unusable one is not imported.
func testBuild(whole []part, today string) (Report, error) {
	r := Report{}
	t := tables{}
	for _, p := range whole {
		r.Tables = append(r.Tables, p.Table)
		t[p.Kind] = p.rows
		r.AsOf = max(r.AsOf, p.AsOf)
	}
	if n, ok := r.Table(Nomenclature); ok {
		r.AsOf = n.AsOf
	}
	s, err := build(r.Edition, t)
	if err != nil {
		return r, err
	}
	var wrong importerr.Error
	for _, p := range whole {
		if err := r.fits(p, s); err != nil {
			of(&wrong, p.File).add(0, fmt.Errorf("the table %s %w", p.Kind, err))
		}
	}
	e, err := (&holdings{Edition: r.Edition, rows: t, parts: whole}).editions(s)
	if err != nil {
		of(&wrong, fileOf(whole)).add(0, err)
		return r, wrong.OrNil()
	}
	r.hold(e)
	r.count(s, today)
	r.warn(e)
	return r, wrong.OrNil()
}

// fileOf names the files that a fault of measures and areas together concerns.
func fileOf(whole []part) string {
	var files []string
	for _, p := range whole {
		if p.Kind.inPieces() {
			files = append(files, p.File)
		}
	}
	return strings.Join(files, ", ")
}

// hold notes what the edition holds for the duty engine.
func (r *Report) hold(e duty.Editions) {
	rows := 0
	for _, t := range r.Tables {
		if slices.Contains(rowKinds, t.Kind) {
			rows += t.Rows
		}
	}
	r.Holds = holdsOf(e, rows)
}

// fits refuses a table whose codes belong to another nomenclature.
func (r *Report) fits(p part, s *tariff.Snapshot) error {
	if !slices.Contains(byCode, p.Kind) {
		return nil
	}
	if _, ok := r.Table(Nomenclature); !ok {
		return errNoNomenclature
	}
	unplaced := 0
	for _, row := range p.rows {
		if _, ok := s.Tree.Find(row[0]); !ok {
			unplaced++
		}
	}
	if unplaced == len(p.rows) {
		return errNoneFits
	}
	if p.Kind == Duties || p.Kind == VAT {
		r.Unplaced += unplaced
	}
	return nil
}

func (r *Report) count(s *tariff.Snapshot, today string) {
	for i := range s.Tree.Len() {
		n := s.Tree.At(i)
		if !n.Declarable {
			continue
		}
		r.Declarable++
		if _, ok := s.Tariff.FindOn(n.Code, today); ok {
			r.Dutiable++
		}
	}
}

// Rollback puts the previously imported edition in force, or the requested one; 0 is the own
// table.
func Rollback(ctx context.Context, on Store, to *int64) (Edition, error) {
	was, now, err := inForce(ctx, on)
	if err != nil {
		return now, err
	}
	if to == nil {
		if to, err = previousVersion(ctx, on, was.Version); err != nil {
			return now, err
		}
	}
	if *to == 0 {
		return Edition{}, on.SwitchTariff(ctx, was, 0)
	}
	if now, err = edition(ctx, on, *to); err != nil {
		return now, err
	}
	return now, on.SwitchTariff(ctx, was, *to)
}

var errNoPreviousVersion = errors.New("official: there is no earlier version to go back to")

// previousVersion returns the newest edition older than one; 0, the embedded table, before the first.
func previousVersion(ctx context.Context, on Store, version int64) (*int64, error) {
	all, err := on.TariffEditions(ctx)
	if err != nil {
		return nil, err
	}
	var none int64
	if version == 0 {
		return nil, errNoPreviousVersion
	}
	for _, e := range all {
		if e.Version < version {
			return &e.Version, nil
		}
	}
	return &none, nil
}
