package documents

import (
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// workbook makes a sheet of a table: numbers as numbers, dates as dates.
func workbook(text string) ([]byte, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	book := excelize.NewFile()
	date, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		return nil, err
	}
	for y, row := range rows {
		for x, text := range row {
			at, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				return nil, err
			}
			if err := put(book, at, text, date); err != nil {
				return nil, err
			}
		}
	}
	out, err := book.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func put(book *excelize.File, at, text string, date int) error {
	const sheet = "Sheet1"
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		if err := book.SetCellValue(sheet, at, day); err != nil {
			return err
		}
		return book.SetCellStyle(sheet, at, at, date)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && len(text) < 9 {
		return book.SetCellValue(sheet, at, n)
	}
	return book.SetCellValue(sheet, at, text)
}
