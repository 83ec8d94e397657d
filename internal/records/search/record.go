package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// has reports whether the index contains a kind.
func (d *update) has(kind string) bool {
	if d.kinds == nil {
		return kind == customs.DeclarationKind
	}
	return slices.ContainsFunc(d.kinds, func(t *filing.Type) bool { return t.Kind == kind })
}

// eachAfter calls fn for the next batch of existing records.
func (d *update) eachAfter(fn func(filing.Filing) error) error {
	if d.kinds == nil {
		return d.tx.EachFilingAfter(customs.DeclarationKind, d.head.IndexedTo, batchSize, fn)
	}
	return d.tx.EachRecordAfter(d.head.IndexedTo.ID, batchSize, fn)
}

// entryOf converts a stored record. The index over all records has the words of all its texts, and the kind as the
// direction.
func (d *update) entryOf(f *filing.Filing) (Entry, error) {
	if d.kinds == nil {
		return entryOf(f)
	}
	var texts []string
	eachText(f, func(_ *jsontext.Decoder, value string) { texts = append(texts, value, compact(value)) })
	return Entry{ID: f.ID, CreatedAt: f.CreatedAt, Status: string(f.Status), Direction: f.Kind, Words: wordsOf(maxWords, texts...)}, nil
}

// text is a text of a record with the path of its member, such as containers[0].
type text struct{ path, value string }

// textsOf returns the texts of a record: what the service added, then the input.
func textsOf(f *filing.Filing) (all []text) {
	eachText(f, func(d *jsontext.Decoder, value string) {
		all = append(all, text{filing.FieldPath(d.StackPointer()), value})
	})
	return all
}

// eachText calls fn for each text of a record, with the decoder that has just read it.
func eachText(f *filing.Filing, fn func(d *jsontext.Decoder, value string)) {
	for _, object := range []json.RawMessage{f.Added, f.Body} {
		d := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		for {
			token, err := d.ReadToken()
			if err != nil { // io.EOF, or a value that the store would not have written
				break
			}
			kind, n := d.StackIndex(d.StackDepth())
			if kind == '{' && n%2 == 1 && d.StackDepth() == 1 && token.Kind() == '"' && !filing.IsIndexed(token.String()) {
				_ = d.SkipValue() // its values are in the input too
				continue
			}
			if token.Kind() != '"' || kind != '[' && n%2 == 1 {
				continue
			}
			if value := token.String(); value != "" {
				fn(d, value)
			}
		}
	}
}

// compact returns the letters and digits of a short reference that has separators, in upper case; otherwise "". References are
// found however they are grouped.
func compact(value string) string {
	if isUUID(value) {
		return ""
	}
	if len(value) > maxWordBytes || !strings.ContainsAny(value, "0123456789") || !strings.ContainsFunc(value, isSeparator) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if isSeparator(r) {
			return -1
		}
		return r
	}, strings.ToUpper(value))
}

// maxExact is the number of records with the same reference that come first.
const maxExact = 20

// FoundRecord is a record with the text that matches, such as "containers[0]: MSKU1234565".
type FoundRecord struct {
	filing.Filing
	Matched string
}

// FoundPage is a page of records that were found.
type FoundPage struct {
	Reach
	Records []FoundRecord
	Next    *filing.Position // nil on the last page
}

// FindRecords returns a page of records of all kinds whose texts contain the words of a query, or begin with them: those whose
// reference is the query first, then the newest. A query without letters and digits finds only references.
func (s *Service) FindRecords(ctx context.Context, org tenant.ID, q Query) (page FoundPage, err error) {
	err = s.view(ctx, org, func(tx Tx, reach Reach) (err error) {
		page = FoundPage{Reach: reach}
		page.Records, page.Next, err = s.findRecords(ctx, tx, q)
		return err
	})
	return page, err
}

// FindAny returns the newest records of all kinds that have one of some references or contain the words of one of some texts, in no order.
// The number of statements does not depend on that of the texts.
func (s *Service) FindAny(ctx context.Context, org tenant.ID, texts []string, limit int) (all []filing.Filing, reach Reach, err error) {
	err = s.view(ctx, org, func(tx Tx, reached Reach) error {
		reach = reached
		ids, err := s.exact(tx, s.Kinds, limit, texts...)
		if err != nil {
			return err
		}
		found, err := withWords(ctx, tx, Query{Limit: limit}, texts...)
		if err != nil {
			return err
		}
		for _, r := range found {
			if !slices.Contains(ids, r.id) {
				ids = append(ids, r.id)
			}
		}
		slices.Sort(ids)
		slices.Reverse(ids) // IDs rise with time
		all, err = tx.RecordsByID(ids[:min(limit, len(ids))])
		return err
	})
	return all, reach, err
}

// withWords returns the entries with the words of one of some texts, however references in them are grouped.
func withWords(ctx context.Context, tx Tx, q Query, texts ...string) ([]result, error) {
	var lists [][]term
	for _, text := range texts {
		for _, form := range []string{text, compact(text)} {
			if terms := termsWithoutNames(form); len(terms) > 0 {
				lists = append(lists, terms)
			}
		}
	}
	if len(lists) == 0 {
		return nil, nil
	}
	return readBlocks(ctx, tx, q, lists...)
}

func (s *Service) findRecords(ctx context.Context, tx Tx, q Query) (page []FoundRecord, next *filing.Position, err error) {
	kinds := s.Kinds
	if len(q.Directions) > 0 {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(t *filing.Type) bool { return !slices.Contains(q.Directions, t.Kind) })
	}
	exact, err := s.exact(tx, kinds, maxExact, q.Text)
	if err != nil {
		return nil, nil, err
	}
	found, err := withWords(ctx, tx, q, q.Text)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(found, func(a, b result) int { return compareAge(b.createdAt, b.id, a.createdAt, a.id) })
	found = slices.CompactFunc(found, func(a, b result) bool { return a.id == b.id })
	found = slices.DeleteFunc(found, func(r result) bool { return slices.Contains(exact, r.id) })
	if len(q.Directions) > 1 {
		found = newestOfEach(found, q.Limit)
	} else if len(found) > q.Limit {
		found = found[:q.Limit]
		next = &filing.Position{CreatedAt: found[q.Limit-1].createdAt, ID: found[q.Limit-1].id}
	}
	var ids []string
	if q.After.ID == "" {
		ids = exact
	}
	for _, r := range found {
		ids = append(ids, r.id)
	}
	page, err = shown(tx, ids, q.Text)
	return page, next, err
}

// newestOfEach leaves at most limit results of each kind, which are in order.
func newestOfEach(found []result, limit int) []result {
	counts := map[string]int{}
	return slices.DeleteFunc(found, func(r result) bool {
		counts[r.direction]++
		return counts[r.direction] > limit
	})
}

// exact returns the records of some types with a reference that is one of some texts.
func (s *Service) exact(tx Tx, types []*filing.Type, limit int, texts ...string) (ids []string, err error) {
	var kinds, names []string
	for _, t := range types {
		kinds = append(kinds, t.Kind)
		for _, member := range []string{"lrn", "mrn", "arc", "gmrId", "hmrcReference", "reference"} {
			if t.HasAdded(member) {
				names = append(names, t.KeyOf(member, "").Name)
			}
		}
	}
	var values []string
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if values = append(values, text); strings.ToUpper(text) != text {
			values = append(values, strings.ToUpper(text))
		}
	}
	if ids, err = tx.IDsByReferences(kinds, names, values, limit); err != nil {
		return nil, err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.Reverse(ids) // IDs rise with time
	return ids, nil
}

// termsWithoutNames returns the words of a query, which clients' names do not match.
func termsWithoutNames(query string) (terms []term) {
	for _, word := range wordsOf(maxQueryWords, query) {
		terms = append(terms, term{word: []byte(word)})
	}
	return terms
}

// shown reads records and finds the text of each that matches best.
func shown(tx Tx, ids []string, query string) (page []FoundRecord, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := tx.RecordsByID(ids)
	if err != nil {
		return nil, fmt.Errorf("search: records: %w", err)
	}
	for _, id := range ids {
		at := slices.IndexFunc(all, func(f filing.Filing) bool { return f.ID == id })
		if at >= 0 {
			page = append(page, FoundRecord{all[at], matched(&all[at], query)})
		}
	}
	return page, nil
}

// matched returns the text of a record that has the most words of a query.
func matched(f *filing.Filing, query string) (best string) {
	terms, whole, most := wordsOf(maxQueryWords, query), compact(query), 0
	for _, t := range textsOf(f) {
		words, n := wordsOf(maxWords, t.value, compact(t.value)), 0
		for _, term := range append(terms, whole) {
			if term != "" && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, term) }) {
				n++
			}
		}
		if n > most {
			most, best = n, t.path+": "+t.value
		}
	}
	return best
}
