package search

import "time"

// parsedBlock is a parsed block. It refers to the packed bytes and is valid as long as they are.
type parsedBlock struct {
	count                       int
	ids                         []byte
	states, directions, clients textList
	rest                        []byte // words and columns
	words                       textList
	columns                     decoder
}

// decoder reads what pack has written. After an error broken stays set.
type decoder struct {
	rest   []byte
	broken bool
}

func (c *decoder) next(n int) []byte {
	if c.broken || n < 0 || n > len(c.rest) {
		c.broken = true
		return nil
	}
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

// number reads a little-endian base-128 number of up to three bytes.
func (c *decoder) number() (n int) {
	for at, shift := 0, 0; at < len(c.rest) && shift < 21; at, shift = at+1, shift+7 {
		b := c.rest[at]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			c.rest = c.rest[at+1:]
			return n
		}
	}
	c.broken = true
	return 0
}

// textList are the packed texts of a dictionary.
type textList struct {
	count  int
	packed []byte
}

func (c *decoder) texts() textList {
	t := textList{count: c.number(), packed: c.rest}
	if c.broken || t.count > len(c.rest) {
		c.broken = true
		return textList{}
	}
	for range t.count {
		c.next(c.number())
	}
	t.packed = t.packed[:len(t.packed)-len(c.rest)]
	return t
}

// match reports for every text whether will returns true.
func (t textList) match(will func([]byte) bool) (all []bool, any bool) {
	all = make([]bool, t.count)
	c := decoder{rest: t.packed}
	for i := range all {
		all[i] = will(c.next(c.number()))
		any = any || all[i]
	}
	return all, any
}

// strings returns copies of the texts.
func (t textList) strings() []string {
	all := make([]string, t.count)
	c := decoder{rest: t.packed}
	for i := range all {
		all[i] = string(c.next(c.number()))
	}
	return all
}

// parseBlock parses a block except for its words and columns, which most queries do not need.
func parseBlock(packed []byte) (o parsedBlock, err error) {
	c := decoder{rest: packed}
	if version := c.next(1); c.broken || version[0] != format {
		return o, errCorrupt
	}
	o.count = c.number()
	o.ids = c.next(o.count * idBytes)
	o.states, o.directions, o.clients = c.texts(), c.texts(), c.texts()
	if o.rest = c.rest; c.broken {
		return o, errCorrupt
	}
	return o, nil
}

// parseColumns parses the words and finds the columns.
func (o *parsedBlock) parseColumns() error {
	c := decoder{rest: o.rest}
	o.words = c.texts()
	if o.columns = c; c.broken {
		return errCorrupt
	}
	return nil
}

// row is one entry, with its texts as numbers in the block's dictionaries.
type row struct {
	at                       int
	createdAt                time.Time
	shipment                 uint32
	state, direction, client int
	words                    []int // valid until the next row is read
}

// each calls fn for every entry of an unfolded block, oldest first.
func (o *parsedBlock) each(fn func(*row)) error {
	c, r := o.columns, row{}
	for r.at = 0; r.at < o.count; r.at++ {
		fixed := c.next(12)
		if c.broken {
			return errCorrupt
		}
		r.createdAt = time.UnixMilli(int64(bigEndian(fixed[:8]))).UTC() // #nosec G115 -- as it was written
		r.shipment = uint32(bigEndian(fixed[8:]))                       // #nosec G115 -- four bytes
		r.state, r.direction, r.client = c.number(), c.number(), c.number()
		r.words = r.words[:0]
		for range c.number() {
			r.words = append(r.words, c.number())
		}
		if c.broken || !o.valid(&r) {
			return errCorrupt
		}
		fn(&r)
	}
	return nil
}

// bigEndian decodes a big-endian number.
func bigEndian(bytes []byte) (n uint64) {
	for i := range len(bytes) {
		n = n<<8 | uint64(bytes[i])
	}
	return n
}

// valid reports whether the numbers of a row are in the dictionaries.
func (o *parsedBlock) valid(r *row) bool {
	for _, word := range r.words {
		if word >= o.words.count {
			return false
		}
	}
	return r.state < o.states.count && r.direction < o.directions.count && r.client < o.clients.count
}

func (o *parsedBlock) id(r *row) string { return textID(o.ids[r.at*idBytes : (r.at+1)*idBytes]) }

// entries decodes all entries.
func (o *parsedBlock) entries() (all []Entry, err error) {
	if err := o.parseColumns(); err != nil {
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
