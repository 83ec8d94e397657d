package rates

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// columns are the columns of HMRC's CSV that are read. Over the years their titles had other capitals and spaces.
var columns = []string{"currencycode", "currencyunitsper£1", "startdate", "enddate"}

var (
	errAccounts = errors.New("has average or spot rates, which are for accounts and not for customs values")
	errRagged   = errors.New("has a row with another number of cells, so that it may be cut short")
)

// readCSV reads HMRC's CSV, with a row for each country. Rows without a heading, of currency, days and rate, are read too.
func readCSV(c *collector, content []byte) error {
	rows := csv.NewReader(bytes.NewReader(content))
	rows.FieldsPerRecord = -1
	heading, err := rows.Read()
	if err != nil {
		return err
	}
	at := positions(heading)
	row, width := 1, len(heading)
	if at == nil {
		if len(heading) != 4 || len(strings.TrimSpace(heading[0])) != 3 {
			if strings.Contains(normalise(strings.Join(heading, "")), "sterlingvalue") {
				return errAccounts
			}
			return errUnknown
		}
		at = []int{0, 3, 1, 2}
		c.addRow(row, heading, at)
	}
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		row, _ = rows.FieldPos(0)
		switch {
		case strings.Join(record, "") == "":
		case len(record) != width:
			return errRagged
		default:
			c.addRow(row, record, at)
		}
	}
}

func (c *collector) addRow(row int, record []string, at []int) {
	from, to, err := parsePeriod(record[at[2]], record[at[3]])
	if err != nil {
		c.fail(row, "%v", err)
		return
	}
	c.add(row, "", record[at[0]], record[at[1]], from, to)
}

// positions returns where the columns are; nil if one is missing.
func positions(heading []string) []int {
	at := make([]int, len(columns))
	for n, column := range columns {
		at[n] = -1
		for k, title := range heading {
			if normalise(title) == column {
				at[n] = k
			}
		}
		if at[n] < 0 {
			return nil
		}
	}
	return at
}

func normalise(title string) string { return strings.ToLower(strings.ReplaceAll(title, " ", "")) }

// readXML reads HMRC's XML of a month. It has no document type and no entities of its own, so none are read.
func readXML(c *collector, content []byte) error {
	var list struct {
		XMLName xml.Name `xml:"exchangeRateMonthList"`
		Period  string   `xml:"Period,attr"`
		Rates   []struct {
			Code string `xml:"currencyCode"`
			Rate string `xml:"rateNew"`
		} `xml:"exchangeRate"`
	}
	reader := xml.NewDecoder(bytes.NewReader(content))
	reader.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // already UTF-8
	if err := reader.Decode(&list); err != nil {
		return err
	}
	from, to, found := strings.Cut(list.Period, " to ")
	if !found {
		return errUnknown
	}
	first, last, err := parsePeriod(from, to)
	if err != nil {
		return err
	}
	for n, r := range list.Rates {
		c.add(n+1, "", r.Code, r.Rate, first, last)
	}
	return nil
}

// readJSON reads an answer of HMRC's tariff service with the rates of a month.
func readJSON(c *collector, content []byte) error {
	var answer struct {
		Data struct {
			Type       string
			Attributes struct{ Type string }
		}
		Included []struct {
			Type       string
			Attributes struct {
				Code string `json:"currency_code"`
				Rate string `json:"rate"`
				From string `json:"validity_start_date"`
				To   string `json:"validity_end_date"`
			}
		}
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return err
	}
	switch kind := answer.Data.Attributes.Type; {
	case answer.Data.Type != "exchange_rate_collection" && answer.Data.Type != "monthly_exchange_rate":
		return errUnknown
	case kind == "average" || kind == "spot":
		return errAccounts
	}
	for n, one := range answer.Included {
		if one.Type != "exchange_rate" {
			continue
		}
		from, to, err := parsePeriod(one.Attributes.From, one.Attributes.To)
		if err != nil {
			c.fail(n+1, "%v", err)
			continue
		}
		c.add(n+1, "", one.Attributes.Code, one.Attributes.Rate, from, to)
	}
	return nil
}

// euroRate is the pounds for one euro in a month.
type euroRate struct {
	Unit string `json:"child_monetary_unit_code"`
	Rate string `json:"exchange_rate"`
	From string `json:"validity_start_date"`
}

// readEuro reads the euro rates of the tariff of Northern Ireland, which apply for a month each.
func readEuro(c *collector, content []byte) error {
	var list []struct {
		euroRate
		Attributes *euroRate `json:"attributes"`
	}
	if err := json.Unmarshal(content, &list); err != nil {
		return err
	}
	for n, one := range list {
		r := one.euroRate
		if one.Attributes != nil {
			r = *one.Attributes
		}
		from, err := parseDay(r.From)
		switch {
		case r.Unit != "GBP":
			c.fail(n+1, "the rate is in %q, not in GBP", r.Unit)
		case err != nil:
			c.fail(n+1, "%v", err)
		case from.Day() != 1:
			c.fail(n+1, "the rate begins on %s, not on the first day of a month", r.From)
		default:
			c.add(n+1, Euro, "EUR", r.Rate, from, from.AddDate(0, 1, -1))
		}
	}
	return nil
}
