package extract

import (
	"slices"
	"strings"
)

// Confidence by the position of a value: after a colon, after a label without one, in the next
// cell, or under the label.
const (
	behindColon Confidence = 97
	beside      Confidence = 95
	beneath     Confidence = 92
	behindLabel Confidence = 88
)

// candidate is a text that may be the value of a label.
type candidate struct {
	text  string
	cell  *cell
	label *cell
	sure  Confidence
	plain bool
}

// candidates returns the texts that labels of a key point to, by confidence and then by their
// order in the document.
func (r *reading) candidates(keys ...key) (found []candidate) {
	for _, row := range r.rows {
		for i, c := range row.cells {
			if slices.Contains(keys, c.label) && !c.taken {
				found = append(found, r.pointed(c, i)...)
			}
		}
	}
	for _, c := range r.repeated {
		if slices.Contains(keys, c.key) {
			found = append(found, c.value)
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return int(b.sure - a.sure) })
	return found
}

// yoursFirst puts the candidates first whose label says that the number is the buyer's.
func yoursFirst(all []candidate) []candidate {
	slices.SortStableFunc(all, func(a, b candidate) int { return b.yours() - a.yours() })
	return all
}

// yours is 1 if the label of a candidate says "your", else 0.
func (c candidate) yours() int {
	if c.label != nil && c.label.names("your") {
		return 1
	}
	return 0
}

func (r *reading) pointed(c *cell, i int) (found []candidate) {
	found = r.pointedAt(c, i)
	if c.named == 1 && c.words[0].plain == "no" {
		for n := range found {
			found[n].sure = found[n].sure.times(bareNumber)
		}
	}
	return found
}

// bareNumber is the factor for a number whose label names no quantity.
const bareNumber Confidence = 75

func (r *reading) pointedAt(c *cell, i int) (found []candidate) {
	if c.rest != "" {
		if c.colon {
			return []candidate{{c.rest, c, c, behindColon, c.Plain}}
		}
		return []candidate{{dashed.ReplaceAllString(c.rest, ""), c, c, behindLabel, c.Plain}} // "COO - TR"
	}
	under := r.under(c)
	var next *cell
	if i+1 < len(c.row.cells) && c.row.cells[i+1].label == "" {
		next = c.row.cells[i+1]
	}
	sideways, down := beside, beneath
	if next != nil && under != nil && !c.colon && aligned(c, under) && !c.Plain {
		sideways, down = beneath, beside
	}
	if next != nil {
		found = append(found, candidate{next.Text, next, c, sideways, next.Plain})
	}
	if under != nil {
		found = append(found, candidate{under.Text, under, c, down, under.Plain})
	}
	return found
}

// alignment is the largest distance between the left ends of cells that are under each other.
const alignment = 45

func aligned(a, b *cell) bool { return max(a.Left-b.Left, b.Left-a.Left) <= alignment }

// lookDown is the number of lines below its label in which a value may be.
const lookDown = 2

// under returns the cell without a label below a cell, or nil. A cell with a label ends the
// search.
func (r *reading) under(c *cell) *cell {
	for n := 1; n <= lookDown && c.row.index+n < len(r.rows); n++ {
		below := r.rows[c.row.index+n]
		if below.page != c.row.page {
			return nil
		}
		var best *cell
		for _, d := range below.cells {
			if (c.Overlap(d.Cell) > 0 || aligned(c, d)) && (best == nil || c.Overlap(d.Cell) > c.Overlap(best.Cell)) {
				best = d
			}
		}
		switch {
		case best == nil:
			continue
		case best.label != "" && best.label != "line" && (best.rest == "" || best.colon || best.named > 1) || best.taken:
			return nil // a text that begins with a label is no value
		}
		return best
	}
	return nil
}

// field makes a field of a candidate.
func field[T any](v T, c candidate, sure Confidence) *Field[T] {
	place := c.cell.place()
	if c.label != nil && c.label != c.cell {
		place.Text = strings.TrimSuffix(c.label.Text, ":") + ": " + c.cell.Text
	}
	sure = c.sure.times(sure)
	if c.cell.Sure > 0 { // in a picture
		sure = sure.times(Confidence(c.cell.Sure))
	}
	return &Field[T]{Value: v, Confidence: sure, Found: place}
}

// firstOf returns the value of the candidate with the highest confidence that read accepts.
func firstOf[T any](all []candidate, read func(candidate) (T, Confidence, bool)) *Field[T] {
	for _, c := range all {
		if v, sure, ok := read(c); ok {
			return field(v, c, sure)
		}
	}
	return nil
}
