package official

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Columns of HMRC's seasons of preferences.
var seasonColumns = []string{"geographical_area_id", "goods_nomenclature_item_id", "measure_type_id", "from", "to", "duty"}

var errSeason = errors.New("is no day such as 15/05")

// seasons reads the seasons in which measures recur each year.
type seasons struct{ read }

func newSeasons(r reading) tableReader { return &seasons{read{kind: Seasons.of(r.service)}} }

func (s *seasons) take(cells []string, _ int) error {
	if err := checkCode(cells[1]); err != nil {
		return err
	}
	if !isAreaID(cells[0]) || len(cells[2]) != 3 {
		return fmt.Errorf("code %s: the area or the measure type is not one", cells[1])
	}
	from, err := seasonDay(cells[3])
	if err != nil {
		return fmt.Errorf("code %s: %w", cells[1], err)
	}
	to, err := seasonDay(cells[4])
	if err != nil {
		return fmt.Errorf("code %s: %w", cells[1], err)
	}
	if _, err := measure.ParseDuty(cells[5]); err != nil {
		return fmt.Errorf("code %s: %w", cells[1], err)
	}
	if len(s.rows) == maxKept {
		return errManyKept
	}
	s.rows = append(s.rows, []string{clone(cells[0]), clone(cells[1]), clone(cells[2]), strconv.Itoa(from), strconv.Itoa(to), clone(cells[5])})
	return nil
}

func (s *seasons) tables(f *rowErrors) []read {
	if len(s.rows) == 0 {
		f.addIfEmpty()
	}
	return []read{s.read}
}

// seasonDay reads 15/05 as the day of a year, month × 100 + day.
func seasonDay(text string) (int, error) {
	t, err := time.Parse("2006 2/1", "2000 "+text)
	if err != nil {
		return 0, fmt.Errorf("%q %w", text, errSeason)
	}
	return book.DayOfYear(t), nil
}

// seasonsOf are the seasons of the rows of their list.
func seasonsOf(rows [][]string) (all []book.Season, err error) {
	for _, row := range rows {
		from, err := strconv.Atoi(row[3])
		to, failed := strconv.Atoi(row[4])
		if err := errors.Join(err, failed); err != nil {
			return nil, fmt.Errorf("official: season %q: %w", row, err)
		}
		all = append(all, book.Season{Area: row[0], Code: row[1], Type: row[2], From: from, To: to})
	}
	return all, nil
}
