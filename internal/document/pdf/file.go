package pdf

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
)

// Limits of a file. Files are untrusted.
const (
	// maxInflated is the limit for all streams together after decompression.
	maxInflated = 96 << 20
	maxObjects  = 200_000
	// maxParsed is the number of objects that are created, including nested ones.
	maxParsed   = 2_000_000
	maxSections = 64 // of the cross-reference table
)

// file finds the objects of a document.
type file struct {
	ctx       context.Context
	data      []byte
	places    map[int]place
	trailer   dict
	objects   map[int]any // already read
	reading   map[int]bool
	packs     map[int]map[int]any // objects of object streams
	budget    int                 // bytes that may still be decompressed
	room      int                 // objects that may still be created
	exhausted bool
}

// place is the position of an object: an offset, or an object stream.
type place struct {
	offset int
	pack   int
}

// open finds the objects: by the tables of the file or, if these are damaged, by searching.
func open(ctx context.Context, data []byte) *file {
	f := &file{
		ctx: ctx, data: data, places: map[int]place{}, trailer: dict{}, objects: map[int]any{}, reading: map[int]bool{},
		packs: map[int]map[int]any{}, budget: maxInflated, room: maxParsed,
	}
	f.readTables()
	if f.pagesRoot() == nil {
		f.search()
	}
	return f
}

func (f *file) lexer(data []byte, at int) *lexer { return &lexer{data: data, at: at, room: &f.room} }

func (f *file) catalogue() dict {
	root, _ := f.resolve(f.trailer["Root"]).(dict)
	return root
}

func (f *file) pagesRoot() dict {
	pages, _ := f.resolve(f.catalogue()["Pages"]).(dict)
	return pages
}

// encrypted reports whether the document needs a key.
func (f *file) encrypted() bool { return f.resolve(f.trailer["Encrypt"]) != nil }

var startMark = []byte("startxref")

// readTables follows the chain of cross-reference tables, the newest first.
func (f *file) readTables() {
	at := bytes.LastIndex(f.data, startMark)
	if at < 0 {
		return
	}
	l := f.lexer(f.data, at+len(startMark))
	offset, seen := toInt(l.next()), map[int]bool{}
	for len(seen) < maxSections && offset > 0 && offset < len(f.data) && !seen[offset] {
		seen[offset] = true
		offset = f.readSection(offset)
	}
}

// readSection reads one cross-reference table or stream, and returns the offset of the
// previous one.
func (f *file) readSection(offset int) (before int) {
	l := f.lexer(f.data, offset)
	if l.next() == word("xref") {
		return f.readTable(l)
	}
	s, ok := f.objectAt(offset, -1).(stream)
	if !ok || nameOf(s.dict["Type"]) != "XRef" {
		return 0
	}
	f.readCrossStream(s)
	f.adopt(s.dict)
	return toInt(s.dict["Prev"])
}

// adopt takes entries of a trailer that no newer trailer had.
func (f *file) adopt(trailer dict) {
	for _, key := range []name{"Root", "Encrypt"} {
		if _, known := f.trailer[key]; !known && trailer[key] != nil {
			f.trailer[key] = trailer[key]
		}
	}
}

func (f *file) readTable(l *lexer) (before int) {
	for {
		first, ok := l.next().(float64)
		if !ok {
			break // the word trailer
		}
		count := toInt(l.next())
		for i := range min(count, maxObjects) {
			offset, isOffset := l.next().(float64)
			l.next()
			kind, isWord := l.next().(word)
			if !isOffset || !isWord {
				return 0
			}
			if kind == "n" {
				f.put(int(first)+i, place{offset: toInt(offset)})
			}
		}
	}
	trailer, _ := l.next().(dict)
	f.adopt(trailer)
	if hybrid := toInt(trailer["XRefStm"]); hybrid > 0 && hybrid < len(f.data) {
		if s, ok := f.objectAt(hybrid, -1).(stream); ok {
			f.readCrossStream(s)
		}
	}
	return toInt(trailer["Prev"])
}

func (f *file) put(number int, p place) {
	if _, known := f.places[number]; !known && number >= 0 && len(f.places) < maxObjects {
		f.places[number] = p
	}
}

// readCrossStream reads rows of three numbers with the widths of W.
func (f *file) readCrossStream(s stream) {
	widths, _ := s.dict["W"].(array)
	if len(widths) != 3 {
		return
	}
	var w [3]int
	for i, v := range widths {
		if w[i] = toInt(v); w[i] < 0 || w[i] > 8 {
			return
		}
	}
	index, _ := s.dict["Index"].(array)
	if index == nil {
		index = array{0.0, s.dict["Size"]}
	}
	data, row := f.applyFilters(s), w[0]+w[1]+w[2]
	for i := 0; i+1 < len(index); i += 2 {
		first, count := toInt(index[i]), toInt(index[i+1])
		for n := 0; n < count && row > 0 && len(data) >= row; n++ {
			f.putRow(first+n, w, data[:row])
			data = data[row:]
		}
	}
}

func (f *file) putRow(number int, w [3]int, row []byte) {
	field := func(from, width int) (n int) {
		for _, b := range row[from : from+width] {
			n = n<<8 | int(b)
		}
		return n
	}
	kind := 1
	if w[0] > 0 {
		kind = field(0, w[0])
	}
	switch kind {
	case 1:
		f.put(number, place{offset: field(w[0], w[1])})
	case 2:
		f.put(number, place{pack: field(w[0], w[1])})
	}
}

var objectMark = regexp.MustCompile(`(?:^|[\s>])(\d{1,9})[ \t]+\d{1,5}[ \t]+obj\b`)

// search finds the objects of a file with damaged tables.
func (f *file) search() {
	f.places, f.objects = map[int]place{}, map[int]any{}
	for _, at := range objectMark.FindAllSubmatchIndex(f.data, maxObjects) {
		n, err := strconv.Atoi(string(f.data[at[2]:at[3]]))
		if err == nil {
			f.places[n] = place{offset: at[2]} // the last one counts
		}
	}
	for rest := f.data; ; {
		at := bytes.Index(rest, []byte("trailer"))
		if at < 0 {
			break
		}
		rest = rest[at+len("trailer"):]
		trailer, _ := f.lexer(rest, 0).next().(dict)
		f.adopt(trailer)
	}
	f.searchStreams()
}

// searchStreams looks for object streams among the objects found, and for the catalogue if no
// trailer names it.
func (f *file) searchStreams() {
	for _, n := range sorted(f.places) {
		switch v := f.resolve(ref{number: n}).(type) {
		case stream:
			switch nameOf(v.dict["Type"]) {
			case "XRef":
				f.adopt(v.dict)
			case "ObjStm":
				for _, inner := range sorted(f.unpack(n)) {
					f.put(inner, place{pack: n})
				}
			}
		case dict:
			if nameOf(v["Type"]) == "Catalog" && f.catalogue() == nil {
				f.trailer["Root"] = ref{number: n}
			}
		}
		if f.ctx.Err() != nil {
			return
		}
	}
}
