package official

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// tables are the rows of a version.
type tables map[Kind][][]string

// build makes the tariff of a version. A table that the version lacks is the own one's
// as a whole; where it has one, nothing is borrowed for a code that is not in it.
func build(e Edition, t tables) (*tariff.Snapshot, error) {
	own := *tariff.OwnSnapshot()
	s := &own
	s.Version, s.ImportedAt = e.Version, e.ImportedAt
	if n, ok := e.Table(Nomenclature); ok {
		s.AsOf, s.Source = n.AsOf, n.Source
		if err := buildCodes(s, e, t); err != nil {
			return nil, err
		}
	}
	for _, k := range []Kind{SearchReferences, ParcelReferences, Intercepts} {
		s.References = append(s.References, texts(s, t[k])...)
	}
	s.Labelled = texts(s, t[Labelled])
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
		own, known := tariff.Own().Find(n.Code)
		if _, imported := e.Table(VAT); !imported {
			c.VAT = standing(own, known)
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

// buildTree makes the nomenclature, and gives its lines the words that lead to the
// same line of the own one.
func buildTree(rows [][]string) (*nomenclature.Tree, error) {
	own := tariff.OwnTree()
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

// buildDuties gives the duties by code: those that were imported, or the own ones.
func buildDuties(e Edition, t tables) (map[string][]tariff.Rate, error) {
	table, imported := e.Table(Duties)
	duties := map[string][]tariff.Rate{}
	if !imported {
		for _, l := range tariff.Own().Lines() {
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

// standing is the VAT where no measures of it are imported: the own table's rate of
// that very code, or the standard one.
func standing(own tariff.Line, known bool) []tariff.VATRate {
	if known {
		return []tariff.VATRate{{Rate: own.VATRate, AsOf: own.VATAsOf, Basis: tariff.Curated}}
	}
	return []tariff.VATRate{{Rate: tariff.StandardVAT, Basis: tariff.Assumed}}
}

// inherited are the measures of a line, or of the nearest one above it that has any: a
// measure is good for everything below its code.
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

// texts are wordings with their codes. Ten digits that cannot be declared are a line
// further up, written with noughts.
func texts(s *tariff.Snapshot, rows [][]string) []nomenclature.Text {
	all := make([]nomenclature.Text, len(rows))
	for i, row := range rows {
		all[i] = nomenclature.Text{Text: row[0], Code: row[1]}
		if at, ok := s.Tree.Find(row[1]); len(row[1]) == codeDigits && (!ok || !s.Tree.At(at).Declarable) {
			all[i].Code = significant(row[1])
		}
	}
	return all
}
