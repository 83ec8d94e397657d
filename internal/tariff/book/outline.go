package book

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// Outline makes a book that lacks the measures of its recordings: With adds those of the codes that are asked for. Its table needs
// no measures either. Everything else is that of the whole book.
func Outline(c Contents) (*Book, error) {
	b, err := New(c)
	for _, all := range b.recordings {
		for i, r := range all {
			all[i] = &recording.Recording{Name: r.Name, Code: r.Code, Lines: r.Lines[len(r.Lines)-1:], Meursing: r.Meursing}
		}
	}
	return b, err
}

// With returns the book with whole recordings in place of the same ones without measures, and with a table that has the measures of
// the codes that are asked for; nil if the book has none.
func (b *Book) With(recordings []*recording.Recording, t *Measures) *Book {
	with := *b
	with.table = t
	with.read = map[string][]*recording.Recording{}
	for _, r := range recordings {
		all, ok := with.read[r.Code]
		if !ok {
			all = slices.Clone(b.recordings[r.Code])
		}
		if at := slices.IndexFunc(all, func(o *recording.Recording) bool { return o.Name == r.Name }); at >= 0 {
			all[at] = r
		}
		with.read[r.Code] = all
	}
	return &with
}

// recorded returns the recordings of a code, the newest first.
func (b *Book) recorded(code string) []*recording.Recording {
	if all, ok := b.read[code]; ok {
		return all
	}
	return b.recordings[code]
}
