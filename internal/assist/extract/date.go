package extract

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// months are the numbers of months by their first letters, in the languages of the documents.
var months = map[string]int{
	"jan": 1, "january": 1, "januar": 1, "janvier": 1, "janv": 1, "enero": 1, "ene": 1, "gennaio": 1, "gen": 1, "januari": 1, "styczen": 1, "stycznia": 1, "janeiro": 1,
	"feb": 2, "february": 2, "februar": 2, "fevrier": 2, "fevr": 2, "fev": 2, "febrero": 2, "febbraio": 2, "februari": 2, "luty": 2, "lutego": 2, "fevereiro": 2,
	"mar": 3, "march": 3, "marz": 3, "maerz": 3, "mars": 3, "marzo": 3, "maart": 3, "mrt": 3, "marzec": 3, "marca": 3, "marco": 3, "mrz": 3,
	"apr": 4, "april": 4, "avril": 4, "avr": 4, "abril": 4, "abr": 4, "aprile": 4, "kwiecien": 4, "kwietnia": 4,
	"may": 5, "mai": 5, "mayo": 5, "maggio": 5, "mag": 5, "mei": 5, "maj": 5, "maja": 5, "maio": 5,
	"jun": 6, "june": 6, "juni": 6, "juin": 6, "junio": 6, "giugno": 6, "giu": 6, "czerwiec": 6, "czerwca": 6, "junho": 6,
	"jul": 7, "july": 7, "juli": 7, "juillet": 7, "juil": 7, "julio": 7, "luglio": 7, "lug": 7, "lipiec": 7, "lipca": 7, "julho": 7,
	"aug": 8, "august": 8, "aout": 8, "agosto": 8, "ago": 8, "augustus": 8, "sierpien": 8, "sierpnia": 8,
	"sep": 9, "sept": 9, "september": 9, "septembre": 9, "septiembre": 9, "settembre": 9, "set": 9, "wrzesien": 9, "wrzesnia": 9, "setembro": 9,
	"oct": 10, "october": 10, "oktober": 10, "okt": 10, "octobre": 10, "octubre": 10, "ottobre": 10, "ott": 10, "pazdziernik": 10, "pazdziernika": 10, "outubro": 10, "out": 10,
	"nov": 11, "november": 11, "novembre": 11, "noviembre": 11, "listopad": 11, "listopada": 11, "novembro": 11,
	"dec": 12, "december": 12, "dezember": 12, "dez": 12, "decembre": 12, "diciembre": 12, "dic": 12, "dicembre": 12, "grudzien": 12, "grudnia": 12, "dezembro": 12,
}

// Formats of dates. Points separate day and month only if the day comes first.
var (
	yearFirst = lazyregexp.New(`\b(20\d\d)[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})(?:\D|$)`)
	compact   = lazyregexp.New(`\b(20\d\d)([01]\d)([0-3]\d)\b`)
	pointed   = lazyregexp.New(`\b(\d{1,2})\. ?(\d{1,2})\. ?(20\d\d|\d\d)\b`)
	slashed   = lazyregexp.New(`\b(\d{1,2})([/-])(\d{1,2})[/-](20\d\d|\d\d)\b`)
	dayMonth  = lazyregexp.New(`\b(\d{1,2})(?:st|nd|rd|th|er|º|°|ª)?[.,]?[ -]?(?:of |de )?([a-z]{3,12})\.?,?[ -]?(?:de )?(20\d\d|\d\d)\b`)
	monthDay  = lazyregexp.New(`\b([a-z]{3,12})\.?[ -](\d{1,2})(?:st|nd|rd|th)?,? ?-?(20\d\d)\b`)
)

// order is whether day or month comes first in ambiguous dates.
type order int

const (
	unknownOrder order = iota
	dayFirst
	monthFirst
)

// dateIn is a date in a text. It is doubtful if day and month may be swapped.
type dateIn struct {
	iso      string
	doubtful bool
	seen     order // the order that this date proves
}

// findDate reads the first date of a text in the given order.
func findDate(text string, o order) (dateIn, bool) {
	text = fold(text)
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		return dateOf(m[1], m[2], m[3])
	}
	if m := pointed.FindStringSubmatch(text); m != nil {
		return dateOf(m[3], m[2], m[1])
	}
	if m := slashed.FindStringSubmatch(text); m != nil {
		return ordered(m[1], m[3], m[4], o)
	}
	if m := dayMonth.FindStringSubmatch(text); m != nil {
		if n := months[m[2]]; n > 0 {
			return dateOf(m[3], strconv.Itoa(n), m[1])
		}
	}
	if m := monthDay.FindStringSubmatch(text); m != nil {
		if n := months[m[1]]; n > 0 {
			return dateOf(m[3], strconv.Itoa(n), m[2])
		}
	}
	if m := compact.FindStringSubmatch(text); m != nil {
		return dateOf(m[1], m[2], m[3])
	}
	return dateIn{}, false
}

func ordered(first, second, year string, o order) (dateIn, bool) {
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(second)
	switch {
	case a > 12:
		d, ok := dateOf(year, second, first)
		d.seen = dayFirst
		return d, ok
	case b > 12:
		d, ok := dateOf(year, first, second)
		d.seen = monthFirst
		return d, ok
	case o == monthFirst:
		first, second = second, first
	}
	d, ok := dateOf(year, second, first)
	d.doubtful = a != b
	return d, ok
}

func dateOf(year, month, day string) (dateIn, bool) {
	if len(year) == 2 {
		year = "20" + year
	}
	iso := fmt.Sprintf("%s-%s-%s", year, twoDigits(month), twoDigits(day))
	if _, err := time.Parse(time.DateOnly, iso); err != nil {
		return dateIn{}, false
	}
	return dateIn{iso: iso}, true
}

// onlyDate reports whether a text is a date and little else.
func onlyDate(text string) bool {
	_, ok := findDate(text, dayFirst)
	return ok && len(strings.TrimSpace(text)) <= len("30. september 2026")
}

func twoDigits(n string) string {
	if len(n) == 1 {
		return "0" + n
	}
	return n
}
