package xlsxio_test

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/document/xlsxio"
)

// A workbook is read back as it was written, formulas and markup as plain text, and the same table gives the same bytes.
func TestWriteAndRead(t *testing.T) {
	table := [][]xlsxio.Cell{
		{{Text: "reference"}, {Text: "value"}},
		{{Text: "=1+1"}, {Text: "1850.25", Number: true}},
		{{Text: "<b> & \"Tea\""}, {}},
	}
	var first, second bytes.Buffer
	if err := xlsxio.Write(&first, table); err != nil {
		t.Fatal(err)
	}
	if err := xlsxio.Write(&second, table); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the second workbook differs: %v", err)
	}
	var read [][]string
	err := source.Table(context.Background(), first.Bytes(), func(_ int, cells []string) error {
		read = append(read, cells)
		return nil
	})
	want := [][]string{{"reference", "value"}, {"=1+1", "1850.25"}, {`<b> & "Tea"`}}
	for i := range read {
		for len(read[i]) > len(want[i]) && read[i][len(read[i])-1] == "" {
			read[i] = read[i][:len(read[i])-1]
		}
	}
	if err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("%q, %v", read, err)
	}
}
