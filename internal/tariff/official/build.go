package official

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// tables are the rows of an edition.
type tables map[Kind][][]string

// build makes the tariff of an edition. A table that the edition lacks is taken from the own
// tariff as a whole; for a code that is missing in an imported table, nothing is taken.
func build(e Edition, t tables) (*tariff.Snapshot, error) {
	own := *tariff.EmbeddedSnapshot()
	s := &own
	s.Version, s.ImportedAt = e.Version, e.ImportedAt
	if n, ok := e.Table(Nomenclature); ok {
		s.AsOf, s.Source = n.AsOf, n.Source
		if err := buildCodes(s, e, t); err != nil {
			return nil, err
		}
	}
	for _, k := range []Kind{SearchReferences, ParcelReferences, Intercepts} {
		s.References = append(s.References, coded(s, t[k])...)
	}
	s.Labelled = coded(s, t[Labelled])
	return s, nil
}

func buildCodes(s *tariff.Snapshot, e Edition, t tables) (err error) {
	if s.Tree, err = buildTree(t[Nomenclature]); err != nil {
		return err
	}
	duties, err := buildDuties(e, t)
	if err != nil {
		return err
	}
	vat, err := buildVAT(e, t)
	if err != nil {
		return err
	}
	units, hints := map[string]string{}, map[string]string{}
	for _, row := range t[Units] {
		units[row[0]] = row[1]
	}
	for _, row := range t[VATHints] {
		hints[row[0]] = row[1]
	}
	_, hasUnits := e.Table(Units)
	s.VATHints = map[string]string{}
	var all []tariff.Commodity
	for i := range s.Tree.Len() {
		n := s.Tree.At(i)
		if !n.Declarable {
			continue
		}
		c := tariff.Commodity{Code: n.Code, Description: n.Description, Unit: units[n.Code], Duties: inherited(s.Tree, i, duties), VAT: inherited(s.Tree, i, vat)}
		own, known := tariff.Embedded().Find(n.Code)
		if _, imported := e.Table(VAT); !imported {
			c.VAT = defaultVAT(own, known)
		}
		if known && !hasUnits {
			c.Unit = own.Unit
		}
		if text := hint(inheritedText(s.Tree, i, hints)); text != "" {
			s.VATHints[n.Code] = text
		}
		all = append(all, c)
	}
	duty, _ := e.Table(Duties)
	s.Tariff, err = tariff.NewDated(all, max(e.AsOf, duty.AsOf))
	return err
}

// buildTree makes the nomenclature, and adds the everyday words of the own one to its lines.
func buildTree(rows [][]string) (*nomenclature.Tree, error) {
	own := tariff.EmbeddedTree()
	nodes := make([]nomenclature.Node, len(rows))
	for i, row := range rows {
		indent, err := strconv.Atoi(row[2])
		if err != nil {
			return nil, fmt.Errorf("official: nomenclature: code %s: %w", row[0], err)
		}
		nodes[i] = nomenclature.Node{
			Code: row[0], Suffix: row[1], Indent: indent, Description: row[3], Declarable: row[4] == bit(true), From: row[5], To: row[6],
		}
		if at, ok := own.Find(row[0]); ok && row[1] == nomenclature.Line {
			nodes[i].Terms = slices.Concat([]string{own.At(at).Description}, own.At(at).Terms)
		}
	}
	return nomenclature.New(nodes)
}

// buildDuties returns the duties by code: the imported ones, or the own ones.
func buildDuties(e Edition, t tables) (map[string][]tariff.Rate, error) {
	table, imported := e.Table(Duties)
	duties := map[string][]tariff.Rate{}
	if !imported {
		for _, l := range tariff.Embedded().Lines() {
			duties[l.Code] = []tariff.Rate{{Duty: l.Duty, AsOf: l.AsOf}}
		}
		return duties, nil
	}
	parsed := map[string]tariff.Expression{}
	for _, row := range t[Duties] {
		duty, known := parsed[row[1]]
		if !known {
			var err error
			if duty, err = tariff.ParsePublished(row[1]); err != nil {
				return nil, fmt.Errorf("official: duties: code %s: %w", row[0], err)
			}
			parsed[row[1]] = duty
		}
		duties[row[0]] = append(duties[row[0]], tariff.Rate{Duty: duty, Span: spanOf(row), AsOf: table.AsOf})
	}
	return duties, nil
}

func buildVAT(e Edition, t tables) (map[string][]tariff.VATRate, error) {
	table, _ := e.Table(VAT)
	rates := map[string][]tariff.VATRate{}
	for _, row := range t[VAT] {
		rate, err := strconv.Atoi(row[1])
		if err != nil {
			return nil, fmt.Errorf("official: VAT: code %s: %w", row[0], err)
		}
		rates[row[0]] = append(rates[row[0]], tariff.VATRate{Rate: rate, Span: spanOf(row), AsOf: table.AsOf, Basis: tariff.Published})
	}
	return rates, nil
}

func spanOf(row []string) tariff.Span {
	return tariff.Span{Additional: row[2], From: row[3], To: row[4]}
}

// defaultVAT is the VAT if no VAT measures are imported: the embedded table's rate for exactly this
// code, or the standard rate.
func defaultVAT(own tariff.Line, known bool) []tariff.VATRate {
	if known {
		return []tariff.VATRate{{Rate: own.VATRate, AsOf: own.VATAsOf, Basis: tariff.Curated}}
	}
	return []tariff.VATRate{{Rate: tariff.StandardVAT, Basis: tariff.Assumed}}
}

// inherited returns the measures of a line or of its nearest ancestor with measures: a measure
// applies to all codes below its own.
func inherited[M any](t *nomenclature.Tree, i int, measures map[string][]M) []M {
	for ok := true; ok; i, ok = t.Parent(i) {
		if n := t.At(i); n.Suffix == nomenclature.Line {
			if found := measures[n.Code]; found != nil {
				return found
			}
		}
	}
	return nil
}

func inheritedText(t *nomenclature.Tree, i int, byCode map[string]string) string {
	for ok := true; ok; i, ok = t.Parent(i) {
		if text := byCode[t.At(i).Code]; text != "" {
			return text
		}
	}
	return ""
}

// coded returns texts with their codes. A code of ten digits that is not declarable is that of
// a line further up, filled with zeros.
func coded(s *tariff.Snapshot, rows [][]string) []nomenclature.Text {
	all := make([]nomenclature.Text, len(rows))
	for i, row := range rows {
		all[i] = nomenclature.Text{Text: row[0], Code: row[1]}
		if at, ok := s.Tree.Find(row[1]); len(row[1]) == codeDigits && (!ok || !s.Tree.At(at).Declarable) {
			all[i].Code = significant(row[1])
		}
	}
	return all
}
