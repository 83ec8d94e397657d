package ocr

import (
	"strconv"
	"strings"
)

// Columns of Tesseract's table.
const (
	levelColumn = iota
	leftColumn  = iota + 5
	topColumn
	widthColumn
	heightColumn
	sureColumn
	textColumn
	columns
)

// Levels of its rows.
const (
	lineLevel = "4"
	wordLevel = "5"
)

// leastSure is the confidence below which a word is a stain.
const leastSure = 20

// wordsOf reads the words of a table.
func wordsOf(table string) (words []Word) {
	lineHeight := 0
	for row := range strings.Lines(table) {
		cells := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(cells) < columns {
			continue
		}
		number := func(column int) int {
			n, _ := strconv.ParseFloat(cells[column], 64)
			return int(min(max(n, 0), 1e6))
		}
		switch cells[levelColumn] {
		case lineLevel:
			lineHeight = number(heightColumn)
		case wordLevel:
			w := Word{
				Text: strings.TrimSpace(cells[textColumn]), Left: number(leftColumn), Top: number(topColumn),
				LineHeight: lineHeight, Sure: min(number(sureColumn), 100),
			}
			w.Right, w.Bottom = w.Left+number(widthColumn), w.Top+number(heightColumn)
			if w.Text != "" && w.Sure >= leastSure {
				words = append(words, w)
			}
		}
	}
	return words
}
