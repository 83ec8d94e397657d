package search

import "time"

// opened is a block as a question reads it: the texts, and a place in the columns.
// It keeps no copy, so it is good as long as what was packed is.
type opened struct {
	count                       int
	ids                         []byte
	states, directions, clients texts
	rest                        []byte // the words and the columns
	words                       texts
	columns                     cursor
}

// cursor reads what pack has written; it is broken for good by what it cannot read.
type cursor struct {
	left   []byte
	broken bool
}

func (c *cursor) take(n int) []byte {
	if c.broken || n < 0 || n > len(c.left) {
		c.broken = true
		return nil
	}
	taken := c.left[:n]
	c.left = c.left[n:]
	return taken
}

// number reads seven bits a byte, the lowest first.
func (c *cursor) number() (n int) {
	for at, shift := 0, 0; at < len(c.left) && shift < 21; at, shift = at+1, shift+7 {
		b := c.left[at]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			c.left = c.left[at+1:]
			return n
		}
	}
	c.broken = true
	return 0
}

// texts are those of a dictionary, as they are packed.
type texts struct {
	count  int
	packed []byte
}

func (c *cursor) texts() texts {
	t := texts{count: c.number(), packed: c.left}
	if c.broken || t.count > len(c.left) {
		c.broken = true
		return texts{}
	}
	for range t.count {
		c.take(c.number())
	}
	t.packed = t.packed[:len(t.packed)-len(c.left)]
	return t
}

// which tells of every text whether it will do.
func (t texts) which(will func([]byte) bool) (all []bool, any bool) {
	all = make([]bool, t.count)
	c := cursor{left: t.packed}
	for i := range all {
		all[i] = will(c.take(c.number()))
		any = any || all[i]
	}
	return all, any
}

// strings are the texts to be kept.
func (t texts) strings() []string {
	all := make([]string, t.count)
	c := cursor{left: t.packed}
	for i := range all {
		all[i] = string(c.take(c.number()))
	}
	return all
}

// open reads a block but for its words and columns, of which most questions have no need.
func open(packed []byte) (o opened, err error) {
	c := cursor{left: packed}
	if version := c.take(1); c.broken || version[0] != format {
		return o, errBroken
	}
	o.count = c.number()
	o.ids = c.take(o.count * idBytes)
	o.states, o.directions, o.clients = c.texts(), c.texts(), c.texts()
	if o.rest = c.left; c.broken {
		return o, errBroken
	}
	return o, nil
}

// unfold reads on to the columns.
func (o *opened) unfold() error {
	c := cursor{left: o.rest}
	o.words = c.texts()
	if o.columns = c; c.broken {
		return errBroken
	}
	return nil
}

// row is one entry with its texts as numbers of the block.
type row struct {
	at                       int
	createdAt                time.Time
	shipment                 uint32
	state, direction, client int
	words                    []int // good until the next row is read
}

// each calls fn for every entry of an unfolded block, oldest first.
func (o *opened) each(fn func(*row)) error {
	c, r := o.columns, row{}
	for r.at = 0; r.at < o.count; r.at++ {
		fixed := c.take(12)
		if c.broken {
			return errBroken
		}
		r.createdAt = time.UnixMilli(int64(big(fixed[:8]))).UTC() // #nosec G115 -- as it was written
		r.shipment = uint32(big(fixed[8:]))                       // #nosec G115 -- four bytes
		r.state, r.direction, r.client = c.number(), c.number(), c.number()
		r.words = r.words[:0]
		for range c.number() {
			r.words = append(r.words, c.number())
		}
		if c.broken || !o.holds(&r) {
			return errBroken
		}
		fn(&r)
	}
	return nil
}

// big is a number whose bytes stand the highest first.
func big(bytes []byte) (n uint64) {
	for i := range len(bytes) {
		n = n<<8 | uint64(bytes[i])
	}
	return n
}

// holds tells whether the block has all texts that a row names.
func (o *opened) holds(r *row) bool {
	for _, word := range r.words {
		if word >= o.words.count {
			return false
		}
	}
	return r.state < o.states.count && r.direction < o.directions.count && r.client < o.clients.count
}

func (o *opened) id(r *row) string { return textID(o.ids[r.at*idBytes : (r.at+1)*idBytes]) }

// entries unpacks a block whole, to be changed and packed again.
func (o *opened) entries() (all []Entry, err error) {
	if err := o.unfold(); err != nil {
		return nil, err
	}
	states, directions, clients, words := o.states.strings(), o.directions.strings(), o.clients.strings(), o.words.strings()
	err = o.each(func(r *row) {
		e := Entry{
			ID: o.id(r), CreatedAt: r.createdAt, Status: states[r.state], Direction: directions[r.direction],
			ClientID: clients[r.client], shipment: r.shipment,
		}
		for _, word := range r.words {
			e.Words = append(e.Words, words[word])
		}
		all = append(all, e)
	})
	return all, err
}
