package charge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// universalWaiver is CDS's document code that waives any licence.
const universalWaiver = "999L"

// Demand is a measure that asks for a document, of which the item declares none.
type Demand struct {
	Type      string // of the measure
	Title     string // of that type, in the tariff's words; empty if it has none
	SID       int64
	Law       string   // legal act, in short; empty if the tariff names none
	Documents []string // each of which satisfies the demand, or a part of it
	Refuses   bool     // the goods cannot be declared without
}

// Demands returns the documents that controls ask for and that the item does not declare, by measure. A control that its conditions
// do not decide, such as by a quantity that is not known, is left out.
func (t *Tariff) Demands(g *Goods, a *Assessment) (all []Demand) {
	if a.Line == nil || g.Has(universalWaiver) {
		return nil
	}
	for _, c := range a.Line.Controls {
		d := Demand{Type: c.TypeID, Title: t.title(c.TypeID), SID: c.SID, Law: lawOf(c.LegalAct)}
		asks := false
		for _, s := range c.Conditions {
			if s.State == duty.Unmet && s.Document != nil && *s.Document != universalWaiver && !slices.Contains(d.Documents, *s.Document) {
				d.Documents = append(d.Documents, *s.Document)
			}
			decides := s.State == duty.Met && s.Document == nil
			asks = asks || decides && measure.Refuses(s.Action)
			d.Refuses = d.Refuses || decides && s.Action == measure.ActionRefused
		}
		if c.Status == duty.NotSatisfied && asks && len(d.Documents) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// Prohibitions returns why the goods are refused, besides what Demands says: a measure forbids them, or a duty demands a document.
func (t *Tariff) Prohibitions(g *Goods, a *Assessment) (all []string) {
	if a.Line == nil {
		return nil
	}
	demands := t.Demands(g, a)
	for _, p := range a.Line.Problems {
		said := func(d Demand) bool { return d.Refuses && strings.Contains(p.Message, strconv.FormatInt(d.SID, 10)) }
		waived := len(p.Codes) > 0 && g.Has(universalWaiver)
		if p.Code == refusal && !waived && !slices.ContainsFunc(demands, said) {
			all = append(all, p.Message)
		}
	}
	return all
}

// title is what the tariff calls a type of measure.
func (t *Tariff) title(typ string) string {
	for _, of := range []duty.Tariff{t.Editions.UK, t.Editions.XI} {
		if of != nil && of.Details().Types[typ] != "" {
			return of.Details().Types[typ]
		}
	}
	return ""
}

func lawOf(act *duty.LegalAct) string {
	if act == nil {
		return ""
	}
	return act.Code
}

// Law is the legal act behind the charge, in short; empty if the tariff names none.
func (c *Charge) Law() string {
	if c.Line == nil {
		return ""
	}
	return lawOf(c.Line.LegalAct)
}

// Needs are the documents that the declared option needs and that are not declared; proof is whether it needs a proof of origin of any
// kind.
func (a *Assessment) Needs() (documents []string, proof bool) {
	if a.Option == nil {
		return nil, false
	}
	return needs(a.Option)
}

// needs are the documents of which an option needs one or more.
func needs(o *duty.Option) (documents []string, proof bool) {
	for _, f := range o.FactsNeeded {
		if code, ok := documentOf(f.Field); ok {
			documents = append(documents, code)
		}
		proof = proof || strings.HasSuffix(f.Field, ".facts.proofOfOrigin")
	}
	return documents, proof
}

// documentOf is the document that a missing fact asks for.
func documentOf(field string) (code string, ok bool) {
	_, rest, found := strings.Cut(field, ".facts.documents[")
	return strings.TrimSuffix(rest, "]"), found
}

// IsProof reports whether a document proves a preferential origin.
func IsProof(code string) bool {
	return slices.ContainsFunc(proofs, func(p string) bool { return strings.HasPrefix(code, p) })
}

// OpenCodes are the additional codes among which the item must choose, and VAT rates among which it may; nil for none.
func (a *Assessment) OpenCodes() (additional, vat []string) {
	if a.Option == nil {
		return nil, nil
	}
	for _, f := range a.Option.FactsNeeded {
		switch {
		case strings.HasSuffix(f.Field, ".additionalCodes"):
			additional = f.Values
		case strings.HasSuffix(f.Field, ".vatChoice"):
			vat = f.Values
		}
	}
	return additional, vat
}

// Contradictions are what the item declares and the tariff does not have for its code.
func (a *Assessment) Contradictions() (all []duty.Notice) {
	if a.Line == nil {
		return nil
	}
	for _, p := range a.Line.Problems {
		if p.Code == "FACT_CONTRADICTS" {
			all = append(all, p)
		}
	}
	return all
}
