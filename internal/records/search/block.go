package search

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"time"
)

// Limits of a block, which is read and written as a whole.
const (
	blockEntries = 512
	blockWords   = 64 << 10 // of all entries together
)

// Block is a stored part of the index: its packed entries and the range of their creation times.
type Block struct {
	Number         int64 // from 1, oldest first
	Oldest, Newest time.Time
	Packed         []byte
}

// format is the version of the block format.
const format = 1

const idBytes = 16

// pack encodes entries as columns, with every text stored once.
func pack(number int64, entries []Entry) Block {
	slices.SortFunc(entries, func(a, b Entry) int { return compareAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) })
	states, directions, clients, words := dictionary{}, dictionary{}, dictionary{}, dictionary{}
	out := binary.AppendUvarint([]byte{format}, uint64(len(entries)))
	for i := range entries {
		out = append(out, rawID(entries[i].ID)...)
	}
	var rest []byte
	for i := range entries {
		e := &entries[i]
		rest = binary.BigEndian.AppendUint64(rest, uint64(e.CreatedAt.UnixMilli()))
		rest = binary.BigEndian.AppendUint32(rest, e.shipment)
		rest = binary.AppendUvarint(rest, states.number(e.Status))
		rest = binary.AppendUvarint(rest, directions.number(e.Direction))
		rest = binary.AppendUvarint(rest, clients.number(e.ClientID))
		rest = binary.AppendUvarint(rest, uint64(len(e.Words)))
		for _, word := range e.Words {
			rest = binary.AppendUvarint(rest, words.number(word))
		}
	}
	for _, d := range []*dictionary{&states, &directions, &clients, &words} {
		out = d.append(out)
	}
	b := Block{Number: number, Packed: append(out, rest...)}
	if len(entries) > 0 {
		b.Oldest, b.Newest = entries[0].CreatedAt, entries[len(entries)-1].CreatedAt
	}
	return b
}

// dictionary numbers texts in the order of their first use.
type dictionary struct {
	numbers map[string]uint64
	texts   []string
}

func (d *dictionary) number(text string) uint64 {
	n, ok := d.numbers[text]
	if !ok {
		if d.numbers == nil {
			d.numbers = map[string]uint64{}
		}
		n = uint64(len(d.texts))
		d.numbers[text], d.texts = n, append(d.texts, text)
	}
	return n
}

func (d *dictionary) append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(d.texts)))
	for _, text := range d.texts {
		out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
	}
	return out
}

// digest returns a hash of a shipment ID. If two shipments collide, the declarations of both are read
// again.
func digest(id string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return h.Sum32()
}

func rawID(id string) []byte {
	raw, _ := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	return append(raw, make([]byte, idBytes)...)[:idBytes]
}

func textID(raw []byte) string {
	text := hex.EncodeToString(raw)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

var errCorrupt = errors.New("search: corrupt block")
