package email_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tidewaiter/tidewaiter/internal/document/email"
)

// eml is a message with a text, a logo in it, an invoice and a forwarded message with a packing list.
func eml() string {
	pdf := base64.StdEncoding.EncodeToString([]byte("%PDF-1.7 invoice"))
	return strings.ReplaceAll(`From: sales@example.com
To: desk@example.com
Subject: =?utf-8?q?Documents?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

--outer
Content-Type: multipart/related; boundary="inner"

--inner
Content-Type: text/html

<p>Please find attached</p>
--inner
Content-Type: image/png; name="logo.png"
Content-ID: <logo>
Content-Disposition: inline
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--inner--
--outer
Content-Type: application/pdf
Content-Disposition: attachment; filename*=utf-8''R%C3%A9chnung%2047.pdf
Content-Transfer-Encoding: base64

`+pdf+`
--outer
Content-Type: message/rfc822

From: packer@example.com
Content-Type: multipart/mixed; boundary="third"

--third
Content-Type: text/csv; name="=?utf-8?b?cGFja2luZyBsaXN0LmNzdg==?="
Content-Disposition: attachment
Content-Transfer-Encoding: quoted-printable

Goods;kg
Caf=C3=A9;12
--third--
--outer--
`, "\n", "\r\n")
}

func shown(m email.Message) string {
	var all []string
	for _, f := range m.Files {
		all = append(all, f.Name+"="+strings.ReplaceAll(string(f.Content), "\r\n", "|"))
	}
	return strings.Join(all, "\n")
}

// The files of a message come out whole, with their names; a logo in the text does not.
func TestFilesOfMessage(t *testing.T) {
	m, err := email.Read([]byte(eml()))
	want := "Réchnung 47.pdf=%PDF-1.7 invoice\npacking list.csv=Goods;kg|Café;12"
	if err != nil || shown(m) != want || m.More {
		t.Errorf("got %q, %v, more %v; want %q", shown(m), err, m.More, want)
	}
}

// A message of Outlook gives its attachments, long names first, in both spellings of text.
func TestFilesOfOutlookMessage(t *testing.T) {
	long := strings.Repeat("%PDF-1.7 long ", 600) // more than the 4,096 bytes below which a stream is stored in another way
	m, err := email.Read(compoundFile(
		folder{"__attach_version1.0_#00000000", []stream{{"__substg1.0_37010102", long}, {"__substg1.0_3707001F", wide("Invoice é.pdf")}, {"__substg1.0_3704001F", wide("INVOIC~1.PDF")}}},
		folder{"__attach_version1.0_#00000001", []stream{{"__substg1.0_37010102", "\x89PNG logo"}, {"__substg1.0_3707001E", "logo.png"}, {"__substg1.0_3712001F", wide("logo")}}},
		folder{"__attach_version1.0_#00000002", []stream{{"__substg1.0_37010102", "a;b"}, {"__substg1.0_3704001E", "LIST.CSV"}}},
		folder{"__recip_version1.0_#00000000", []stream{{"__substg1.0_37010102", "no attachment"}}},
	))
	if want := "Invoice é.pdf=" + long + "\nLIST.CSV=a;b"; err != nil || shown(m) != want {
		t.Errorf("got %.200q, %v", shown(m), err)
	}
}

// A message cannot make the service read without end, and says what it left out.
func TestLimits(t *testing.T) {
	parts := strings.Repeat("--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF-\r\n", email.MaxFiles+1)
	m, err := email.Read([]byte("Content-Type: multipart/mixed; boundary=b\r\n\r\n" + parts + "--b--\r\n"))
	if err != nil || len(m.Files) != email.MaxFiles || !m.More {
		t.Errorf("%d files, more %v, %v", len(m.Files), m.More, err)
	}
	nested := "Content-Disposition: attachment; filename=deep.pdf\r\n\r\n%PDF-"
	for range 20 {
		nested = "Content-Type: message/rfc822\r\n\r\n" + nested
	}
	if m, err = email.Read([]byte(nested)); err != nil || len(m.Files) != 0 || !m.More {
		t.Errorf("nested: %d files, more %v, %v", len(m.Files), m.More, err)
	}
	for _, damaged := range []string{"", "no header at all", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut"} {
		if _, err := email.Read([]byte(damaged)); err == nil {
			t.Errorf("%q is read", damaged)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(eml()))
	f.Add(compoundFile(folder{"__attach_version1.0_#00000000", []stream{{"__substg1.0_37010102", "a;b"}, {"__substg1.0_3704001E", "LIST.CSV"}}}))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := email.Read(content)
		if err != nil && len(m.Files) > 0 || len(m.Files) > email.MaxFiles {
			t.Errorf("%d files, %v", len(m.Files), err)
		}
	})
}

func wide(text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

type stream struct{ name, content string }

type folder struct {
	name    string
	streams []stream
}

const (
	sector, small, cutoff = 512, 64, 4096
	endOfChain, free      = 0xFFFFFFFE, 0xFFFFFFFF
)

// compoundFile writes folders with streams as MS-CFB has them.
func compoundFile(folders ...folder) []byte {
	type entry struct {
		name                      string
		kind                      byte
		right, child, start, size uint32
	}
	entries := []entry{{name: "Root Entry", kind: 5, right: free, child: free, start: endOfChain}}
	var mini, body []byte
	var miniFAT, fat []uint32
	chain := func(table []uint32, count int) (uint32, []uint32) {
		start := uint32(len(table))
		for n := range count {
			next := start + uint32(n) + 1
			if n == count-1 {
				next = endOfChain
			}
			table = append(table, next)
		}
		return start, table
	}
	pad := func(b []byte, to int) []byte { return append(b, make([]byte, (to-len(b)%to)%to)...) }
	big := func(content []byte) uint32 {
		start, table := chain(fat, (len(content)+sector-1)/sector)
		fat, body = table, pad(append(body, content...), sector)
		return start
	}
	before := -1
	for _, f := range folders {
		at := len(entries)
		entries = append(entries, entry{name: f.name, kind: 1, right: free, child: free})
		if before < 0 {
			entries[0].child = uint32(at)
		} else {
			entries[before].right = uint32(at)
		}
		before = at
		for n, s := range f.streams {
			e := entry{name: s.name, kind: 2, right: free, child: free, size: uint32(len(s.content))}
			if len(s.content) < cutoff {
				e.start, miniFAT = chain(miniFAT, (len(s.content)+small-1)/small)
				mini = pad(append(mini, s.content...), small)
			} else {
				e.start = big([]byte(s.content))
			}
			if n == 0 {
				entries[at].child = uint32(len(entries))
			} else {
				entries[len(entries)-1].right = uint32(len(entries))
			}
			entries = append(entries, e)
		}
	}
	entries[0].size, entries[0].start = uint32(len(mini)), big(mini)
	var table []byte
	for _, n := range miniFAT {
		table = binary.LittleEndian.AppendUint32(table, n)
	}
	for len(table)%sector != 0 {
		table = binary.LittleEndian.AppendUint32(table, free)
	}
	miniAt := big(table)
	var directory []byte
	for _, e := range entries {
		var d [128]byte
		copy(d[:], wide(e.name))
		binary.LittleEndian.PutUint16(d[64:], uint16(2*len(e.name)+2))
		d[66], d[67] = e.kind, 1
		for at, n := range map[int]uint32{68: free, 72: e.right, 76: e.child, 116: e.start, 120: e.size} {
			binary.LittleEndian.PutUint32(d[at:], n)
		}
		directory = append(directory, d[:]...)
	}
	directoryAt := big(directory)
	fatAt := uint32(len(fat))
	fat = append(fat, 0xFFFFFFFD)
	if len(fat) > sector/4 {
		panic(fmt.Sprint("one sector of the table is not enough: ", len(fat)))
	}
	for len(fat) < sector/4 {
		fat = append(fat, free)
	}
	for _, n := range fat {
		body = binary.LittleEndian.AppendUint32(body, n)
	}
	head := bytes.Repeat([]byte{0xFF}, sector)
	copy(head, make([]byte, 76))
	copy(head, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	for at, n := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(head[at:], n)
	}
	for at, n := range map[int]uint32{44: 1, 48: directoryAt, 56: cutoff, 60: miniAt, 64: 1, 68: endOfChain, 72: 0, 76: fatAt} {
		binary.LittleEndian.PutUint32(head[at:], n)
	}
	return append(head, body...)
}
