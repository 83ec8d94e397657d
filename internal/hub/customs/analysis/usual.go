package analysis

import (
	"math/big"
	"strings"
)

// valueRange is a usual range of a figure. Either limit may be nil.
type valueRange struct{ least, most *big.Rat }

func spanOf(least, most string) valueRange { return valueRange{ratOf(least), ratOf(most)} }

func ratOf(text string) *big.Rat {
	if text == "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("analysis: " + text + " is not a number")
	}
	return r
}

func (s valueRange) below(r *big.Rat) bool { return s.least != nil && r.Cmp(s.least) < 0 }
func (s valueRange) above(r *big.Rat) bool { return s.most != nil && r.Cmp(s.most) > 0 }
func (s valueRange) holds(r *big.Rat) bool { return !s.below(r) && !s.above(r) }

// String returns the range in words, such as “0.03 to 1” or “at least 2”.
func (s valueRange) String() string {
	switch {
	case s.least == nil && s.most == nil:
		return "anything"
	case s.most == nil:
		return "at least " + short(s.least)
	case s.least == nil:
		return "at most " + short(s.most)
	}
	return short(s.least) + " to " + short(s.most)
}

// short formats a number with the significant digits only.
func short(r *big.Rat) string {
	places := 2
	for limit := big.NewRat(1, 10); places < 6 && r.Sign() > 0 && r.Cmp(limit) < 0; places++ {
		limit.Mul(limit, big.NewRat(1, 10))
	}
	text := r.FloatString(places)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// prices are usual customs values in pounds per kilogram by chapter, heading or code: "code least most", a dash for no
// limit. They are wide, so that a value outside is more likely an error in decimal point, unit or currency than a
// bargain. The longest prefix applies.
var prices = readPrices(`
	01 0.3 - 0101 - - 0106 - - 02 0.5 120 03 0.3 200 0301 - - 0305 0.5 400 04 0.15 80 0407 0.3 60 0409 0.8 150 05 0.02 - 06 0.2 400 07 0.05 60 070956 5 6000 0712 0.4 400
	08 0.1 90 0801 0.3 40 09 0.3 150 0905 3 1500 091020 100 30000 10 0.05 12 11 0.08 40 12 0.05 500 1209 0.1 - 1211 0.3 5000 13 0.3 - 14 0.03 80
	15 0.2 120 16 0.6 200 1604 0.6 9000 17 0.2 60 18 0.4 120 19 0.25 80 20 0.2 120 21 0.2 600 22 0.02 300 2201 0.01 8 2202 0.05 30 2203 0.15 25 2204 0.25 20000
	2205 0.3 100 2206 0.2 60 2207 0.15 60 2208 0.4 20000 2209 0.1 80 23 0.02 60 24 0.5 1500
	25 0.003 60 26 0.005 200 27 0.02 60 2716 - - 28 0.03 - 29 0.1 - 30 0.3 - 31 0.03 60 32 0.15 2000 33 0.3 20000 3305 0.4 400 3306 0.4 400 34 0.15 300 35 0.2 -
	36 0.3 3000 37 0.3 5000 38 0.05 - 39 0.15 1500 3901 0.2 60 3902 0.2 60 3903 0.2 80 3915 0.02 20 3923 0.3 400 3924 0.4 400 3926 0.4 3000
	40 0.2 1500 4001 0.3 20 4004 0.01 5 4011 0.6 150 41 0.1 600 42 0.8 20000 43 1 -
	44 0.02 150 4401 0.02 6 4407 0.08 60 4412 0.15 60 45 0.2 300 46 0.3 300 47 0.02 12 48 0.15 300 49 0.15 - 50 0.5 3000 51 0.2 900 52 0.2 400 53 0.1 400
	54 0.3 500 55 0.2 300 56 0.2 500 57 0.3 5000 58 0.5 1500 59 0.3 1000 60 0.8 500 61 1.5 6000 62 1.5 8000 63 0.4 1500 6309 0.05 60 6310 0.02 20
	64 1.2 6000 65 1 6000 66 0.6 2000 67 0.5 20000 68 0.01 1500 6801 0.01 20 6802 0.05 200 6810 0.01 100 69 0.05 3000 6904 0.01 20 6905 0.02 20 6907 0.06 80 70 0.03 5000 7001 0.005 20 7010 0.1 60
	71 - - 7106 50 5000 7108 15000 250000 7113 15 - 7117 0.8 20000
	72 0.04 120 7204 0.02 30 7207 0.1 15 7208 0.15 20 7209 0.2 20 7210 0.2 25 7213 0.15 15 7214 0.15 15 73 0.2 1200 7308 0.3 200 7318 0.3 800 7323 0.5 500
	74 1 1500 7404 0.4 60 75 2 3000 7503 1 60 76 0.5 1500 7602 0.1 20 7601 0.7 20 78 0.4 300 79 0.6 300 80 4 600 81 0.3 - 82 0.5 8000 83 0.4 5000
	84 0.4 - 8413 0.5 8000 8415 1 600 8418 0.8 500 8422 1 3000 8443 0.8 15000 8450 0.8 200 8471 3 40000 8473 0.5 - 8481 0.5 8000 8482 0.6 5000
	85 0.4 - 8501 0.8 5000 8504 0.5 20000 8506 0.5 3000 8507 0.5 3000 8516 0.5 1500 8517 2 60000 8528 1 5000 8539 0.5 5000 8544 0.8 8000
	86 0.2 3000 87 0.3 5000 8701 0.4 500 8702 0.5 300 8703 0.2 5000 8704 0.4 300 8708 0.3 5000 8711 0.8 3000 8712 0.8 6000 88 1 - 89 0.05 2000 90 0.4 -
	91 2 - 92 0.5 - 93 1 60000 94 0.2 3000 9401 0.3 3000 9403 0.2 2000 9404 0.4 1500 9405 0.4 3000 95 0.3 8000 9503 0.5 3000 9504 1 8000 96 0.2 8000 97 - - 98 - - 99 - -`)

func readPrices(text string) map[string]valueRange {
	words := strings.Fields(strings.ReplaceAll(text, "\n", " "))
	all := make(map[string]valueRange, len(words)/3)
	for ; len(words) > 0; words = words[3:] {
		all[words[0]] = spanOf(strings.Trim(words[1], "-"), strings.Trim(words[2], "-"))
	}
	return all
}

// priceOf returns the usual price per kilogram of a code, and the prefix that it applies to.
func priceOf(code string) (beginning string, usual valueRange) {
	for n := min(len(code), 8); n >= 2; n-- {
		if s, ok := prices[code[:n]]; ok {
			return code[:n], s
		}
	}
	return code, valueRange{}
}

// piece is the usual mass in kilograms and price in pounds of one piece.
type piece struct {
	codes, what string
	mass, price valueRange
}

var pieces = []piece{
	{"6109", "T-shirts and vests", spanOf("0.02", "1.5"), spanOf("0.2", "1500")},
	{"6110", "jerseys and pullovers", spanOf("0.04", "4"), spanOf("0.4", "5000")},
	{"6105 6106 6205 6206", "shirts and blouses", spanOf("0.03", "2"), spanOf("0.3", "3000")},
	{"6203 6204 6103 6104", "suits, jackets, dresses and trousers", spanOf("0.03", "6"), spanOf("0.3", "10000")},
	{"6401 6402 6403 6404 6405", "pairs of shoes", spanOf("0.04", "8"), spanOf("0.3", "6000")},
	{"847130", "portable computers", spanOf("0.1", "15"), spanOf("5", "20000")},
	{"851713 851714", "mobile telephones", spanOf("0.03", "2"), spanOf("2", "6000")},
	{"852872", "television sets", spanOf("0.5", "300"), spanOf("8", "100000")},
	{"8703", "cars", spanOf("150", "8000"), spanOf("50", "10000000")},
	{"8702 8704", "buses and lorries", spanOf("200", "100000"), spanOf("100", "10000000")},
	{"8711", "motorcycles and electric bicycles", spanOf("5", "1000"), spanOf("20", "500000")},
	{"8712", "bicycles", spanOf("2", "150"), spanOf("5", "30000")},
	{"9101 9102", "watches", spanOf("0.003", "2"), spanOf("0.2", "")},
	{"401110 401120", "tyres", spanOf("2", "200"), spanOf("2", "5000")},
	{"8802", "aircraft", spanOf("50", ""), spanOf("1000", "")},
	{"8418", "refrigerators and freezers", spanOf("1", "5000"), spanOf("5", "200000")},
	{"8450", "washing machines", spanOf("1", "2000"), spanOf("5", "200000")},
}

// counted are the units of DE 6/2 that count pieces as used here.
const counted = "NAR NPR"

// pieceOf returns the usual values of one piece and the number of pieces; nil if the item does not count them.
func pieceOf(i *item) (piece, *big.Rat) {
	if i.units == nil || i.units.Sign() <= 0 || i.known && i.line.Unit != "" && !isOneOf(i.line.Unit, counted) {
		return piece{}, nil
	}
	for _, p := range pieces {
		if hasPrefixOf(i.CommodityCode, p.codes) && !hasPrefixOf(i.CommodityCode, "841891 841899 845090") {
			return p, i.units.Rat()
		}
	}
	return piece{}, nil
}
