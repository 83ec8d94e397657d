package extract

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// unnamed is the key of a column whose header is unknown, by its position.
func unnamed(i int) key { return key(fmt.Sprintf("?%d", i)) }

func (k key) isUnnamed() bool { return strings.HasPrefix(string(k), "?") }

// nameColumns gives unknown columns, and further ones of the same name, keys of their own.
func nameColumns(columns []column) {
	seen := map[key]bool{}
	for i := range columns {
		if c := &columns[i]; c.key == "" || seen[c.key] {
			c.again = c.key != ""
			c.key = unnamed(i)
		}
		seen[columns[i].key] = true
	}
}

// share of lines that must agree before the content of a column says what it is: all but one in five.
const agreeing = 5

// recognise finds out by their content what unknown columns are: quantity, price and amount, of which two make the
// third, and the description.
func (r *reading) recognise(t *table) {
	r.multiply(t)
	if t.has("description") || t.has("container") {
		return
	}
	best, longest := key(""), 0
	for _, c := range t.columns {
		if !c.key.isUnnamed() || c.label != "" || c.again {
			continue
		}
		if n := t.letters(c.key); n > longest {
			best, longest = c.key, n
		}
	}
	for _, k := range []key{"line", "sku"} { // "Item" may be a number or the name of the goods
		if best == "" && t.has(k) && t.letters(k) >= wordy*len(t.items) {
			best = k
		}
	}
	if best != "" {
		t.rename(best, "description")
	}
}

// wordy is the number of letters that descriptions have on average at least.
const wordy = 6

func (t *table) has(k key) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.key == k })
}

// letters is the number of letters in a column, or none if too few of its cells are words.
func (t *table) letters(k key) int {
	filled, sum := 0, 0
	for _, i := range t.items {
		n := countLetters(i.text(k))
		if n >= shortestPart {
			filled++
		}
		sum += n
	}
	if filled*agreeing < len(t.items)*(agreeing-1) {
		return 0
	}
	return sum
}

// rename gives a column another key, in all items.
func (t *table) rename(from, to key) {
	for n := range t.columns {
		if t.columns[n].key == from {
			t.columns[n].key = to
		}
	}
	for _, i := range t.items {
		i.rename(from, to)
	}
	if t.sums != nil {
		t.sums.rename(from, to)
	}
}

func (i *item) rename(from, to key) {
	if cells, ok := i.cells[from]; ok {
		i.cells[to], i.heads[to] = cells, i.heads[from]
		delete(i.cells, from)
		delete(i.heads, from)
	} else if head := i.heads[from]; head != nil {
		i.heads[to] = head
		delete(i.heads, from)
	}
}

// factors are the columns of quantity, price and amount.
type factors [3]key

var multiplied = factors{"quantity", "unitPrice", "amount"}

// multiply finds the columns whose product holds on nearly all lines, if those that the headers name do not have one.
func (r *reading) multiply(t *table) {
	numbers, less := map[key][]*big.Rat{}, map[key][]*big.Rat{}
	var columns []key
	for _, c := range t.columns {
		if c.label != "" || !c.key.isUnnamed() && !slices.Contains(multiplied[:], c.key) && c.key != "line" && c.key != "packages" {
			continue
		}
		if v := r.numbersOf(t, c.key); v != nil {
			numbers[c.key], less[c.key] = v, t.reduced(v)
			columns = append(columns, c.key)
		}
	}
	best, kept := factors{}, -1
	for _, q := range columns {
		for _, p := range columns {
			for _, a := range columns {
				f := factors{q, p, a}
				if q == p || p == a || q == a || !product(numbers[q], numbers[p], numbers[a]) && !product(numbers[q], less[p], numbers[a]) {
					continue
				}
				if n := f.named(numbers); n > kept {
					best, kept = f, n
				}
			}
		}
	}
	if kept < 0 {
		return
	}
	t.assignFactors(best)
}

// discount matches a percentage alone in a cell, such as that of a discount.
var discount = lazyregexp.New(`^[-–−]? ?(\d{1,2}(?:[.,]\d{1,2})?) ?%$`)

// reduced returns prices after the discount of their lines.
func (t *table) reduced(prices []*big.Rat) []*big.Rat {
	less := slices.Clone(prices)
	for n, i := range t.items {
		for _, c := range t.columns {
			if less[n] == nil || c.key == "tax" && !c.head.means("discount") {
				continue
			}
			m := discount.FindStringSubmatch(i.text(c.key))
			if m == nil {
				continue
			}
			percent, _ := new(big.Rat).SetString(strings.Replace(m[1], ",", ".", 1))
			left := percent.Sub(big.NewRat(1, 1), percent.Quo(percent, big.NewRat(100, 1)))
			less[n] = new(big.Rat).Mul(less[n], left)
		}
	}
	return less
}

// named ranks factors: by the columns whose headers say the same, then with a whole quantity.
func (f factors) named(numbers map[key][]*big.Rat) (n int) {
	for i, k := range f {
		switch {
		case k == multiplied[i]:
			n += 10
		case !k.isUnnamed():
			n -= 5
		}
	}
	if !slices.ContainsFunc(numbers[f[0]], func(v *big.Rat) bool { return v != nil && !v.IsInt() }) {
		n += 2
	}
	if f[0] < f[1] {
		n++
	}
	return n
}

func (t *table) assignFactors(f factors) {
	for i, k := range f {
		if k == multiplied[i] {
			continue
		}
		if t.has(multiplied[i]) {
			t.rename(multiplied[i], key("?was "+multiplied[i]))
		}
	}
	for i, k := range f {
		if k == multiplied[i] {
			continue
		}
		if slices.Contains(multiplied[:], k) {
			k = "?was " + k
		}
		t.rename(k, multiplied[i])
	}
}

// numbersOf returns the numbers of a column by line, or nil if a cell of most lines is not a number alone.
func (r *reading) numbersOf(t *table, k key) []*big.Rat {
	found, all := 0, make([]*big.Rat, len(t.items))
	for n, i := range t.items {
		if c, ok := i.candidate(k); ok {
			if v, _, ok := r.quantityOf(c); ok {
				all[n] = v.Rat()
				found++
			} else if v, _, ok := r.amount(c); ok {
				all[n] = v.Rat()
				found++
			}
		}
	}
	if found == 0 || found*agreeing < len(t.items)*(agreeing-1) {
		return nil
	}
	return all
}

// product reports whether two columns multiply to the third on nearly all lines, and on at least one of them not by
// one.
func product(q, p, a []*big.Rat) bool {
	right, all, telling := 0, 0, false
	one := big.NewRat(1, 1)
	for i := range q {
		if q[i] == nil || p[i] == nil || a[i] == nil || a[i].Sign() == 0 {
			continue
		}
		all++
		if equalAside(q[i], p[i], a[i]) {
			right++
			telling = telling || q[i].Cmp(one) != 0 && p[i].Cmp(one) != 0
		}
	}
	return telling && right*3 >= all*2 // a discount may be on some
}

// equalAside reports whether a product is an amount, apart from rounding and from the sign, which credit notes give to one of them.
func equalAside(q, p, a *big.Rat) bool {
	off := new(big.Rat).Mul(q, p)
	off.Sub(off.Abs(off), new(big.Rat).Abs(a))
	return off.Abs(off).Cmp(rounding(q)) <= 0
}

// rounding is how far a product may be off: half a hundredth for each piece, and at least two hundredths.
func rounding(n *big.Rat) *big.Rat {
	within := new(big.Rat).Mul(n, big.NewRat(1, 200))
	within.Abs(within)
	if least := big.NewRat(1, 50); within.Cmp(least) < 0 {
		within = least
	}
	return within
}

// constant is a column with one value on all lines, which is a field of the document.
type constant struct {
	key   key
	value candidate
}

const severalNote = "The table has lines of several invoices; fields in which they differ were left out."

// constants returns the fields of the document in the columns of a table.
func (r *reading) constants(t *table) (found []constant) {
	for n, c := range t.columns {
		if c.label == "" && t.holdsCurrencies(c.key) {
			c.label = "currency"
		}
		if c.label == "" {
			continue
		}
		var first candidate
		same := true
		for _, i := range t.items {
			v, ok := i.candidate(c.key)
			if !ok {
				continue
			}
			if first.cell == nil {
				first = v
			}
			same = same && v.text == first.text
		}
		switch {
		case first.cell == nil:
		case same:
			found = append(found, constant{c.label, first})
		case r.numbersOf(t, c.key) == nil:
			if c.label == "invoiceNumber" || c.label == "packingListNumber" {
				r.note(severalNote)
			}
		default:
			t.columns[n].label = "" // its header is misleading
		}
	}
	return found
}

// holdsCurrencies reports whether a column whose header is unknown has nothing but currencies.
func (t *table) holdsCurrencies(k key) bool {
	if !strings.HasPrefix(string(k), "?") {
		return false
	}
	all := 0
	for _, i := range t.items {
		v, ok := i.candidate(k)
		if ok && !onlyCurrency(v.text) {
			return false
		}
		if ok {
			all++
		}
	}
	return all > 0
}

func countLetters(text string) (n int) {
	for _, r := range text {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f {
			n++
		}
	}
	return n
}

// numberOf reads a cell that is a number alone.
func (r *reading) numberOf(c *cell) (quantity.Number, bool) {
	v, _, ok := r.amount(candidate{text: c.Text, plain: c.Plain})
	return v, ok
}
