package goods

import (
	"fmt"
	"strconv"
	"strings"
)

// lastHeading of each chapter of the Harmonised System 2022, from 01 to 97; 0 for
// the empty chapter 77.
var lastHeading = [...]int{
	6, 10, 9, 10, 11, 4, 14, 14, 10, 8, // 01 to 10
	9, 14, 2, 4, 22, 5, 4, 6, 5, 9,
	6, 9, 9, 4, 30, 21, 16, 53, 42, 6,
	5, 15, 7, 7, 7, 6, 7, 27, 26, 17,
	15, 6, 4, 21, 4, 2, 7, 23, 11, 7,
	13, 12, 11, 8, 16, 9, 5, 11, 11, 6,
	17, 17, 10, 6, 7, 3, 4, 15, 14, 20,
	18, 29, 26, 19, 8, 16, 0, 6, 7, 7,
	13, 15, 11, 87, 49, 9, 16, 7, 8, 33,
	14, 9, 7, 6, 8, 20, 6, // 91 to 97
}

// gaps lists headings that were deleted in or before the 2022 edition.
const gaps = `0503 0509 1402 1403 1519 2527 2838 2848 2851 4108 4109 4110 4111 4204 4815 5304 6503 6908
	7012 7414 7416 7417 7803 7805 7906 8004 8005 8006 8107 8469 8520 8803 9009 9203 9204 9501 9502`

// headings holds, by number, whether a heading exists.
var headings = func() (all [100 * 100]bool) {
	for i, last := range lastHeading {
		for heading := 1; heading <= last; heading++ {
			all[(i+1)*100+heading] = !strings.Contains(gaps, fmt.Sprintf("%02d%02d", i+1, heading))
		}
	}
	return all
}()

// HeadingExists reports whether the Harmonised System 2022 has a heading of four digits.
func HeadingExists(heading string) bool {
	number, err := strconv.ParseUint(heading, 10, 16)
	return err == nil && len(heading) == 4 && headings[number]
}
