package search

import "time"

// opened is a block as a question reads it: the texts, and a place in the columns.
type opened struct {
	count                              int
	ids                                string
	states, directions, clients, words []string
	columns                            cursor
}

// cursor reads what pack has written; it is broken for good by what it cannot read.
type cursor struct {
	left   string
	broken bool
}

func (c *cursor) take(n int) string {
	if c.broken || n < 0 || n > len(c.left) {
		c.broken = true
		return ""
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

func (c *cursor) texts() []string {
	count := c.number()
	if c.broken || count > len(c.left) {
		c.broken = true
		return nil
	}
	all := make([]string, count)
	for i := range all {
		all[i] = c.take(c.number())
	}
	return all
}

func open(packed []byte) (o opened, err error) {
	c := cursor{left: string(packed)}
	if version := c.take(1); c.broken || version[0] != format {
		return o, errBroken
	}
	o.count = c.number()
	o.ids = c.take(o.count * idBytes)
	o.states, o.directions, o.clients, o.words = c.texts(), c.texts(), c.texts(), c.texts()
	if o.columns = c; c.broken {
		return o, errBroken
	}
	return o, nil
}

// row is one entry with its texts as numbers of the block.
type row struct {
	at                       int
	createdAt                time.Time
	shipment                 uint32
	state, direction, client int
	words                    []int // good until the next row is read
}

// each calls fn for every entry, oldest first.
func (o *opened) each(fn func(*row)) error {
	c, r := o.columns, row{}
	for r.at = 0; r.at < o.count; r.at++ {
		fixed := c.take(12)
		if c.broken {
			return errBroken
		}
		r.createdAt = time.UnixMilli(int64(big(fixed[:8]))).UTC()
		r.shipment = uint32(big(fixed[8:]))
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
func big(bytes string) (n uint64) {
	for i := range len(bytes) {
		n = n<<8 | uint64(bytes[i])
	}
	return n
}

// holds tells whether the block has all texts that a row names.
func (o *opened) holds(r *row) bool {
	for _, word := range r.words {
		if word >= len(o.words) {
			return false
		}
	}
	return r.state < len(o.states) && r.direction < len(o.directions) && r.client < len(o.clients)
}

func (o *opened) id(r *row) string { return textID(o.ids[r.at*idBytes : (r.at+1)*idBytes]) }

// entries unpacks a block whole, to be changed and packed again.
func (o *opened) entries() (all []Entry, err error) {
	err = o.each(func(r *row) {
		e := Entry{
			ID: o.id(r), CreatedAt: r.createdAt, Status: o.states[r.state], Direction: o.directions[r.direction],
			ClientID: o.clients[r.client], shipment: r.shipment,
		}
		for _, word := range r.words {
			e.Words = append(e.Words, o.words[word])
		}
		all = append(all, e)
	})
	return all, err
}
