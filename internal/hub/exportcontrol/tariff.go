package exportcontrol

import (
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// codeSign is the evidence of a commodity code.
type codeSign struct {
	entry  string
	weight float64
	codes  string // prefixes
}

// codeSigns uses the Harmonised System 2022. The longest prefix counts.
var codeSigns = []codeSign{
	{"ML2", strong, "930110 930120"}, {"ML1", strong, "930190 9302 930520"}, {"ML1", likely, "930320 930330 930510 930591 930599"}, {"ML1", possible, "930310"},
	{"ML1", strong, "9301"}, {"ML1", likely, "9305"}, {"ML1", possible, "9303"}, {"ML3", likely, "9306"}, {"ML3", strong, "930621 930629 930630"}, {"ML4", strong, "930690"}, {"ML6", strong, "8710"}, {"ML8", strong, "3601 3602"}, {"1A007", likely, "3603"},
	{"ML4", hint, "360490"}, {"ML9", strong, "890610"}, {"PL5001", possible, "9304"},
	{"0A001", strong, "840110 840130 840140"}, {"0B001", strong, "840120"}, {"0C001", strong, "284410 284430"}, {"0C002", strong, "284420 284450"}, {"1C235", likely, "284441"},
	{"1C350", strong, "281212 281213 281214 281215 281216 281217 283711 281111 293070 292215 293141"}, {"1C350", likely, "293142 293143 293144 293145 293146 293147 293149 292213 292216 283719 282611"},
	{"1C450", strong, "281211 281112"}, {"1C351", hint, "300249"},
	{"2B001", possible, "845710"}, {"3B001", possible, "848620 848640"}, {"9A004", likely, "880260"}, {"9A012", possible, "880622 880623 880624 880629 880692 880693 880694 880699"},
	{"6A008", hint, "852610"}, {"7A003", hint, "901420"}, {"ML5", hint, "901310"},
	{"Annex B", likely, "030192 160431"}, {"Annex B", possible, "050800"}, {"Annex A", likely, "050710 970521"},
	{"Live animals", strong, "0101 0102 0103 0104 0105 0106"}, {"Meat", strong, "02 1601 1602 1603"}, {"Fish and shellfish", strong, "03 1604 1605"}, {"Dairy and eggs", strong, "0401 0402 0403 0404 0405 0406 0407 0408"},
	{"Honey and bee products", strong, "0409 0410"}, {"Genetic material", strong, "051110"}, {"Hides, wool and by-products", strong, "0502 0504 0505 0506 0511 1501 1502 1506 4101 4102 4103 4301 510111 510119 5102"},
	{"Pet food and feed", strong, "2301 230910"}, {"Hides, wool and by-products", possible, "3503 300212 3502"},
	{"Object of cultural interest", possible, "970510 970121 970122 970129 970310 970210 9706"},
	{"Controlled drug", possible, "293911 293919 293921 300340 300341 300342 300349"}, {"Drug precursor", strong, "291524 293941 293942 293944"},
}

// highPriority is the common high priority list of the UK, EU, US and Japan, as at 2025: goods for Russian weapons.
const highPriority = `854231 854232 854233 854239 851762 852691 853221 853224 854800 847150 850440 851769 852589 852910 852990 853669 853690
	854110 854121 854129 854130 854149 854151 854159 854160 848210 848220 848230 848250 880730 901310 901380 901420 901480 847180 848610 848620
	848640 853400 854320 902750 903020 903032 903039 903082 845710 845811 845891 845961 846693`

var highPriorityCodes = strings.Fields(highPriority)

// HighPriority reports whether a commodity code is on the common high priority list.
func HighPriority(code ident.CommodityCode) bool {
	return len(code) >= 6 && slices.Contains(highPriorityCodes, string(code[:6]))
}

// signsByPrefix are the signs by the beginnings of their codes.
var signsByPrefix = sync.OnceValue(func() map[string]codeSign {
	all := map[string]codeSign{}
	for _, s := range codeSigns {
		for prefix := range strings.FieldsSeq(s.codes) {
			if _, known := all[prefix]; !known {
				all[prefix] = s
			}
		}
	}
	return all
})

// longest returns the sign with the longest prefix of a code.
func longest(code ident.CommodityCode) (sign codeSign, ok bool) {
	signs := signsByPrefix()
	for end := len(code); end > 0 && !ok; end-- {
		sign, ok = signs[string(code[:end])]
	}
	return sign, ok
}

// sanctionedSectors lists the chapters that the measures against Belarus and Iran mostly cover: chemicals, rubber, metals, machines,
// electronics, vehicles and instruments.
var sanctionedSectors = strings.Fields("25 26 27 28 29 31 36 38 39 40 44 68 70 71 72 73 74 75 76 78 79 80 81 82 83 84 85 86 87 88 89 90 93")

// chaptersWithoutArms lists chapters of food, cosmetics, textiles and so on, in which words for arms are usually harmless. Vests and
// helmets are not included.
var chaptersWithoutArms = strings.Fields("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 33 34 41 42 43 46 50 51 52 53 57 58 60 61 63 64 66 67 92 94 96")

// civilChapters lists chapters without any arms, and civilHeadings such headings of the chapters that also have arms. Metals, plastics,
// chemicals and textiles of which arms and armour are made are not among them.
var (
	civilChapters = strings.Fields("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 30 32 33 34 35 37 41 42 43 44 45 46 47 48 49 50 51 52 53 57 58 60 61 64 66 67 68 69 70 71 82 83 86 91 92 94 95 96")
	civilHeadings = strings.Fields(`3605 3808 3809 3816 3820 6201 6202 6203 6204 6205 6206 6207 6208 6209 6212 6213 6214 6215 6216 6217 6301 6302 6303 6304 6504 6505
		8413 8414 8415 8416 8418 8420 8421 8422 8423 8424 8427 8432 8433 8434 8435 8436 8437 8438 8439 8440 8441 8442 8443 8444 8445 8446 8447 8448 8449 8450 8451 8452 8453 8465 8467 8470 8472 8476 8478 8481 8482 8483
		8506 8507 8508 8509 8510 8511 8512 8513 8516 8518 8519 8521 8523 8527 8528 8531 8532 8533 8535 8536 8539 8544 8545 8546 8547 8703 8711 8712 8713 8714 8715 8903 9001 9003 9004 9007 9008 9010 9011 9018 9019 9021 9025 9028`)
)

// chaptersWithoutSpecies lists chapters without endangered species.
var chaptersWithoutSpecies = strings.Fields("07 08 10 11 17 18 19 20 22 23 24 25 26 27 28 29 31 32 33 34 35 36 37 38 39 45 47 48 49 50 52 53 54 55 56 57 58 59 60 61 62 63 65 66 68 69 70 72 73 74 75 76 78 79 80 81 84 85 86 87 88 89 90 93 95")

// chaptersWithoutWood lists chapters of goods that are never of wood: paints, cosmetics, soap, leather, textiles and clothing.
var chaptersWithoutWood = strings.Fields("32 33 34 41 42 43 50 51 52 53 54 55 56 57 58 59 60 61 62 63 65")

// everydayChapters lists chapters of everyday goods, which these measures do not cover.
var everydayChapters = strings.Fields("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 30 33 34 42 46 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 69 91 92 94 95 96")
