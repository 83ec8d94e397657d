package pdf

import (
	"bytes"
	"maps"
	"slices"
)

func sorted[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

// maxChain is the limit of a chain of references.
const maxChain = 16

// resolve follows references to the object; a cycle gives null.
func (f *file) resolve(v any) any {
	for range maxChain {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.object(r.number)
	}
	return nil
}

// object reads an object by its number, once. An object that needs itself to be read is null.
func (f *file) object(number int) any {
	if v, ok := f.objects[number]; ok {
		return v
	}
	p, ok := f.places[number]
	if !ok || f.reading[number] || f.ctx.Err() != nil {
		return nil
	}
	f.reading[number] = true
	defer delete(f.reading, number)
	var v any
	if p.pack > 0 {
		v = f.unpack(p.pack)[number]
	} else {
		v = f.objectAt(p.offset, number)
	}
	f.objects[number] = v
	return v
}

// objectAt reads "N G obj …" at an offset; a negative number accepts any N.
func (f *file) objectAt(offset, want int) any {
	if offset < 0 || offset >= len(f.data) {
		return nil
	}
	l := f.lexer(f.data, offset)
	number, ok := l.next().(float64)
	if !ok || want >= 0 && int(number) != want {
		return nil
	}
	l.next()
	if l.next() != word("obj") {
		return nil
	}
	v := l.next()
	d, ok := v.(dict)
	if !ok {
		return f.maybeReference(l, v)
	}
	if l.next() == word("stream") {
		return stream{dict: d, raw: f.body(l.at, d)}
	}
	return d
}

// maybeReference reads an object that may be a reference.
func (f *file) maybeReference(l *lexer, v any) any {
	if n, ok := v.(float64); ok {
		if generation, ok := l.next().(float64); ok && l.next() == word("R") {
			return ref{toInt(n), toInt(generation)}
		}
	}
	return v
}

// body returns the data of a stream: as long as its dictionary says or, if that is wrong, up
// to endstream.
func (f *file) body(at int, d dict) []byte {
	if at < len(f.data) && f.data[at] == '\r' {
		at++
	}
	if at < len(f.data) && f.data[at] == '\n' {
		at++
	}
	at = min(at, len(f.data))
	if length, ok := f.resolve(d["Length"]).(float64); ok && length >= 0 && int(length) <= len(f.data)-at {
		stop := at + int(length)
		l := f.lexer(f.data, stop)
		if l.next() == word("endstream") {
			return f.data[at:stop]
		}
	}
	rest := f.data[at:]
	if stop := bytes.Index(rest, []byte("endstream")); stop >= 0 {
		rest = rest[:stop]
	}
	return rest
}

// unpack reads the objects of an object stream (ISO 32000-1, 7.5.7), once.
func (f *file) unpack(number int) map[int]any {
	if known, ok := f.packs[number]; ok {
		return known
	}
	f.packs[number] = nil // a stream that contains itself is empty
	p := f.places[number]
	if p.pack > 0 {
		return nil
	}
	s, ok := f.objectAt(p.offset, number).(stream)
	if !ok || nameOf(s.dict["Type"]) != "ObjStm" {
		return nil
	}
	data, first := f.applyFilters(s), toInt(f.resolve(s.dict["First"]))
	objects := map[int]any{}
	head := f.lexer(data, 0)
	for range min(max(0, toInt(f.resolve(s.dict["N"]))), maxObjects) {
		n, isNumber := head.next().(float64)
		offset := toInt(head.next())
		if !isNumber || offset < 0 || first+offset >= len(data) || first < 0 {
			break
		}
		objects[int(n)] = f.lexer(data, first+offset).next()
	}
	f.packs[number] = objects
	return objects
}
