package origin

import (
	"math/big"
)

// Base is what a ceiling is a share of.
type Base int8

// The bases.
const (
	ExWorks Base = iota // ex-works price of the product
	FOB                 // free on board price of the product
	Mass                // net mass of the product
)

// Condition is an atom of a compiled rule.
type Condition interface{ condition() }

// Excluding forbids non-originating materials: those that share so many digits with the product (a change of chapter,
// heading or subheading), and those of sets. Materials of May are allowed nevertheless.
type Excluding struct {
	Level int // 2, 4 or 6; 0 for no change
	Sets  []Set
	May   []Set
}

// From demands that the product is made from materials of one of the sets.
type From struct{ Sets []Set }

// Ceiling limits the share that the non-originating materials of some sets have together.
type Ceiling struct {
	Of      []Set // none for all materials
	Percent *big.Rat
	Base    Base
}

// Obtained demands that all materials of a set are wholly obtained.
type Obtained struct{ Of Set }

// Share demands that a share by weight of the materials of a set is originating.
type Share struct {
	Of      Set
	Percent *big.Rat
}

// Outweighed demands that non-originating materials are worth no more than originating ones.
type Outweighed struct{}

// Method is a way to compute the regional value content.
type Method int8

// The methods.
const (
	BuildDown Method = iota // (price - non-originating materials) / price
	BuildUp                 // originating materials / price
)

// Content demands a regional value content.
type Content struct {
	Method  Method
	Percent *big.Rat
	Base    Base
}

// ForGoods restricts a rule to some of the products of its rule set.
type ForGoods struct{ Of Set }

// Process demands that something was done in the country.
type Process struct{ Code string }

// Several demands a number of the processes that the text gives as examples.
type Several struct {
	Count int
	Codes []string
	Code  string // asserts the whole
}

// Unread is a part of a text that is not understood.
type Unread struct{ Text string }

func (Excluding) condition()  {}
func (From) condition()       {}
func (Ceiling) condition()    {}
func (Obtained) condition()   {}
func (Share) condition()      {}
func (Outweighed) condition() {}
func (Content) condition()    {}
func (Process) condition()    {}
func (Several) condition()    {}
func (Unread) condition()     {}
func (ForGoods) condition()   {}

// Node combines conditions.
type Node struct {
	Op    Op
	Nodes []Node
	Leaf  Condition // for Is
}

// Op is how the nodes of a node are combined.
type Op int8

// The operators.
const (
	Is       Op = iota // the leaf
	All                // every node must hold
	Any                // one node must hold
	Readings           // the text can be read in these ways: it holds if all of them do, and fails if all of them do
)

func leaf(c Condition) Node { return Node{Leaf: c} }

func allOf(nodes ...Node) Node { return combined(All, nodes) }

func anyOf(nodes ...Node) Node { return combined(Any, nodes) }

func combined(op Op, nodes []Node) Node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	return Node{Op: op, Nodes: nodes}
}
