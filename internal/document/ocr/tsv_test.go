package ocr

import (
	"strings"
	"testing"
)

// Words come with their places and the height of their line; stains and other rows are left out.
func TestTable(t *testing.T) {
	words := wordsOf(strings.Join([]string{
		"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
		"4\t1\t1\t1\t1\t0\t10\t20\t300\t30\t-1\t",
		"5\t1\t1\t1\t1\t1\t10\t22\t90\t20\t96.4\tInvoice",
		"5\t1\t1\t1\t1\t2\t110\t22\t4\t4\t7.1\t'",
		"5\t1\t1",
	}, "\n"))
	want := Word{Text: "Invoice", Left: 10, Top: 22, Right: 100, Bottom: 42, LineHeight: 30, Sure: 96}
	if len(words) != 1 || words[0] != want {
		t.Errorf("%+v", words)
	}
}
