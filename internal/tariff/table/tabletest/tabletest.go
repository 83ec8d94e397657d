// Package tabletest writes tables of measures in the shape of the publisher's reports, of any size, for tests and benchmarks.
// The same number of codes gives the same bytes.
package tabletest

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// Whole is the number of codes of a whole tariff; its report has about 1.1 million rows.
const Whole = 16_380

// perLevel is the number of headings of a chapter, and of codes of a heading.
const perLevel = 13

// Code returns the commodity code at a place, counted from 0.
func Code(at int) string {
	heading := at / perLevel
	return fmt.Sprintf("%02d%02d%02d0000", heading/perLevel+1, heading%perLevel+1, at%perLevel+10)
}

// Nomenclature writes the commodities-report of the codes.
func Nomenclature(w io.Writer, codes int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "commodity__sid,commodity__code,commodity__indent,commodity__description,commodity__validity_start")
	for at := range codes {
		code := Code(at)
		if at%(perLevel*perLevel) == 0 {
			fmt.Fprintf(out, "%d,%s00000000,0,CHAPTER %s,1972-01-01\n", 3*at+1, code[:2], code[:2])
		}
		if at%perLevel == 0 {
			fmt.Fprintf(out, "%d,%s000000,0,Heading %s,1972-01-01\n", 3*at+2, code[:4], code[:4])
		}
		fmt.Fprintf(out, "%d,%s,1,Goods of the kind %s,1972-01-01\n", 3*at+3, code, code)
	}
	return out.Flush()
}

// header are the columns of the report.
var header = []string{
	"id", "commodity__sid", "commodity__code", "commodity__indent", "commodity__description", "measure__sid", "measure__type__id",
	"measure__type__description", "measure__additional_code__code", "measure__additional_code__description", "measure__duty_expression",
	"measure__effective_start_date", "measure__effective_end_date", "measure__reduction_indicator", "measure__footnotes", "measure__conditions",
	"measure__geographical_area__sid", "measure__geographical_area__id", "measure__geographical_area__description",
	"measure__excluded_geographical_areas__ids", "measure__excluded_geographical_areas__descriptions", "measure__quota__order_number",
	"measure__regulation__id", "measure__regulation__url",
}

// Report writes measures-on-declarable-commodities for codes, and returns how many rows and measures it has.
func Report(w io.Writer, codes int) (rows, measures int, err error) {
	out := bufio.NewWriterSize(w, 1<<20)
	r := &report{out: csv.NewWriter(out), seen: map[int]bool{}}
	r.write(header)
	for at := range codes {
		r.goods(at)
	}
	r.out.Flush()
	if err := r.out.Error(); err != nil {
		return 0, 0, err
	}
	return r.rows, len(r.seen), out.Flush()
}

type report struct {
	out  *csv.Writer
	rows int
	at   int
	seen map[int]bool // numbers of measures
}

func (r *report) write(cells []string) { _ = r.out.Write(cells) } // the writer keeps the error

// one is a measure on the codes of a level: 1 for the code alone, more for all codes of a heading or chapter.
type one struct {
	kind, level                                                       int
	typ, text, additional, duty, from, to, notes, conditions, area    string
	areaText, excluded, excludedText, order, regulation, reductionInd string
}

func (r *report) put(m one) {
	code := Code(r.at)
	sid := 20_000_000 + 200*(r.at/m.level*m.level) + m.kind
	r.seen[sid] = true
	r.rows++
	if m.from == "" {
		m.from = "2021-01-01"
	}
	if m.area == "" {
		m.area, m.areaText = "1011", "ERGA OMNES"
	}
	if m.regulation == "" {
		m.regulation = "C2100006"
	}
	text := ""
	if m.additional != "" {
		text = "Company or goods of the code " + m.additional
	}
	r.write([]string{
		strconv.Itoa(r.rows), strconv.Itoa(3*r.at + 3), code, "1", "Goods of the kind " + code, strconv.Itoa(sid), m.typ, m.text, m.additional, text, m.duty,
		m.from, orNone(m.to), m.reductionInd, m.notes, m.conditions, "400", m.area, m.areaText, m.excluded, m.excludedText, orNone(m.order), m.regulation,
		"https://www.legislation.gov.uk/uksi/2020/" + m.regulation,
	})
}

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

// Levels of measures.
const (
	onCode    = 1
	onHeading = perLevel
	onChapter = perLevel * perLevel
)

var countries = []string{
	"AL", "AD", "AM", "AU", "BB", "BW", "CA", "CH", "CI", "CL", "CM", "CO", "EG", "FO", "GE", "GH", "IL", "IS", "JO", "JP", "KE", "KR", "LB", "LS", "MA", "MD",
	"MX", "MZ", "NA", "NO", "NZ", "PE", "SG", "TN", "TR", "UA", "VN", "ZA", "ZM", "ZW", "1061", "1062", "2000",
}

func (r *report) goods(at int) {
	r.at = at
	r.put(one{kind: 1, level: onCode, typ: "103", text: "Third country duty", duty: duty(at)})
	r.put(one{kind: 2, level: onCode, typ: "305", text: "Value added tax", duty: "20.00%"})
	if at%10 == 0 {
		r.put(one{kind: 3, level: onCode, typ: "305", text: "Value added tax", additional: "VATZ", duty: "0.00%"})
	}
	if at%3 == 0 {
		r.put(one{kind: 4, level: onCode, typ: "109", text: "Supplementary unit", duty: "p/st"})
	}
	r.preferences()
	r.quotas()
	r.controls()
	if at%5 == 0 {
		r.put(one{kind: 120, level: onCode, typ: "115", text: "Autonomous suspension under authorised use", duty: "0.00%", conditions: "condition:B,certificate:N990,action:27|condition:B,action:07"})
	}
	if at%20 == 0 {
		r.remedies()
	}
	if at%500 == 7 {
		r.put(one{kind: 121, level: onCode, typ: "306", text: "Excises", additional: "X520", duty: "0.5295 GBP / l"})
	}
}

// duty is a duty of one of the forms of the tariff.
func duty(at int) string {
	switch at % 29 {
	case 3:
		return fmt.Sprintf("%d.80%% + %d.60 GBP / 100 kg", at%12, at%170)
	case 7:
		return fmt.Sprintf("%d.00 GBP / 1,000 items", at%90+1)
	case 11:
		return fmt.Sprintf("%d.00%% MIN 13.00 GBP / 100 kg MAX %d.00 GBP / 100 kg", at%14, at%9+15)
	}
	return fmt.Sprintf("%d.00%%", at%24)
}

func (r *report) preferences() {
	for n, area := range countries {
		m := one{
			kind: 10 + n, level: onHeading, typ: "142", text: "Tariff preference", area: area, areaText: "Area " + area, duty: fmt.Sprintf("%d.00%%", (r.at/perLevel+n)%7/5*3),
			notes: "CD500|TN" + strconv.Itoa(100+n), conditions: "condition:Q,certificate:U1" + strconv.Itoa(10+n) + ",action:27|condition:Q,action:07", regulation: "P20143" + strconv.Itoa(10+n),
		}
		if n%4 == 0 {
			m.level = onCode
		}
		if len(area) > 2 {
			m.excluded, m.excludedText = "KE|GH", "Kenya|Ghana"
		}
		r.put(m)
		if n < 8 {
			m.kind, m.from, m.to, m.duty = 60+n, "2021-01-01", "2021-12-31", "4.00%"
			r.put(m)
		}
	}
}

func (r *report) quotas() {
	for n := range 4 {
		r.put(one{
			kind: 80 + n, level: onHeading, typ: "143", text: "Preferential tariff quota", area: countries[n], areaText: "Area " + countries[n], duty: "0.00%",
			order: fmt.Sprintf("05%04d", (r.at/perLevel*4+n)%9999), conditions: "condition:Q,certificate:U110,action:27|condition:Q,action:07", notes: "CD356",
		})
	}
}

func (r *report) controls() {
	for n, typ := range []string{"410", "465", "728", "750", "755", "760", "762", "PHC"} {
		conditions := "condition:B,certificate:N853,action:29|condition:B,certificate:Y0" + strconv.Itoa(58+n) + ",action:29|condition:B,action:09"
		if n == 0 {
			conditions += "|condition:E,certificate:N853,action:29|condition:E,action:29|condition:E,action:09"
		}
		r.put(one{kind: 90 + n, level: onChapter, typ: typ, text: "Control " + typ, conditions: conditions, excluded: "1013", excludedText: "European Union", notes: "CD624|CD595"})
	}
}

func (r *report) remedies() {
	for n := range 30 {
		code := fmt.Sprintf("C%03d", n+100)
		if n == 29 {
			code = "C999"
		}
		r.put(one{
			kind: 130 + n, level: onHeading, typ: "552", text: "Definitive anti-dumping duty", additional: code, area: "CN", areaText: "China",
			duty: fmt.Sprintf("%d.%d0%%", n+5, n%10), conditions: "condition:A,certificate:D008,action:01,duty:" + strconv.Itoa(n) + ".00%|condition:A,action:01,duty:60.00 GBP / 1,000 kg",
			regulation: "A2100010", notes: "TM861",
		})
	}
	r.put(one{kind: 170, level: onCode, typ: "696", text: "Additional duties (safeguard)", area: "CN", areaText: "China", duty: "25.00%", regulation: "A2100011"})
}
