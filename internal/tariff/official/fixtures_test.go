package official_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// lines is a small nomenclature with the columns of HMRC's table in another order.
const lines = "description,end_line,indent,commodity_code,extra,product_line_suffix,start_date,end_date,sid\n" +
	"KNITTED CLOTHES,0,0,6100000000,x,80,1972-01-01,,1\n" +
	"\"T-shirts, singlets\",0,0,6109000000,x,80,1972-01-01,,2\n" +
	"Of cotton,0,1,6109100000,x,10,1972-01-01,,3\n" +
	"Of fine cotton,0,2,6109100000,x,80,1972-01-01,,4\n" +
	"T-shirts,1,3,6109100010,x,80,1972-01-01,,5\n" +
	"Other,1,3,6109100090,x,80,2022-01-01,,6\n" +
	"Of other textiles,1,1,6109900000,x,80,1972-01-01,2030-12-31,7\n" +
	"Of fur,1,1,6109950000,x,80,1972-01-01,1999-12-31,8\n"

// duties are without the leading zero of codes of chapters 1 to 9.
const duties = "commodity,ukgt_duty_rate,description\n61091000,12.00%,x\n6109900000,0.0%,x\n1012100,0.0%,x\n"

const chief = "ID,MEASURE_TYPE_ID,START_DATE,GOODS_NOM_ITEM_ID,DELETED\n" +
	"1,VTS,2007-10-01 00:00:00,6109000000,0\n2,VTZ,2007-10-01 00:00:00,6109100000,0\n3,VTS,2007-10-01 00:00:00,6109100000,0\n" +
	"4,VTZ,2007-10-01 00:00:00,6109900000,1\n5,CVD,2007-10-01 00:00:00,6109900000,0\n"

const (
	units      = `{"6109100010": {"unit1": "1023", "unit2": "2030", "unit3": "0000"}, "6109900000": {"unit1": "1023", "unit2": "9999", "unit3": "0000"}}`
	references = `{"data": [{"title": "tees", "goods_nomenclature_item_id": "6109100000-10", "productline_suffix": "10", "class": "Subheading"},
		{"title": "knitwear", "goods_nomenclature_item_id": "6100000000", "productline_suffix": "80", "class": "Chapter"},
		{"title": "t-shirt", "goods_nomenclature_item_id": "6109100010", "productline_suffix": "80", "class": "Commodity"}]}`
	parcels    = `{"cotton tee": "6109100010", "vest": "6109000000"}`
	intercepts = "tee:\n  :title: \"tee\"\n  :message: \"Tees are under heading 6109.\"\n\n" +
		"top:\n  :title: \"top\"\n  :message: \"See heading 6109 or subheading 610990.\"\n\n" +
		"wear:\n  :title: \"wear\"\n  :message: \"See heading 6109 or heading 6110.\"\n"
	labelled = `{"query": "blk tee mens", "code": "6109100010", "source": "x"}` + "\n\n" + `{"query": "vests", "code": "6109", "depth": 4}` + "\n"
)

// report and measures are the publisher's live tables.
const report = "id,commodity__sid,commodity__code,commodity__suffix,commodity__description,commodity__validity_start,commodity__validity_end,parent__sid,parent__code,parent__suffix\n" +
	"1,1,6100000000,80,KNITTED CLOTHES,1972-01-01,#NA,#NA,#NA,#NA\n" +
	"2,5,6109100010,80,T-shirts,2024-01-01,#NA,4,6109100000,80\n" +
	"3,9,6109100010,80,T-shirts of old,1972-01-01,2023-12-31,4,6109100000,80\n" +
	"4,2,6109000000,80,\"T-shirts, singlets\",1972-01-01,#NA,1,6100000000,80\n" +
	"5,3,6109100000,10,Of cotton,1972-01-01,#NA,2,6109000000,80\n" +
	"6,4,6109100000,80,Of fine cotton,1972-01-01,#NA,3,6109100000,10\n" +
	"7,6,6109100090,80,Other,1972-01-01,#NA,4,6109100000,80\n" +
	"8,7,6109900000,80,Of other textiles,1972-01-01,#NA,2,6109000000,80\n"

const measures = "id,commodity__sid,commodity__code,commodity__indent,commodity__description,measure__sid,measure__type__id,measure__type__description,measure__additional_code__code,measure__duty_expression,measure__effective_start_date,measure__effective_end_date,measure__geographical_area__id\n" +
	"1,5,6109100010,3,T-shirts,1,103,Third country duty,#NA,12.00 %,2021-01-01,2026-06-30,1011\n" +
	"2,5,6109100010,3,T-shirts,2,103,Third country duty,#NA,8.00 %,2026-07-01,#NA,1011\n" +
	"3,5,6109100010,3,T-shirts,3,142,Tariff preference,#NA,0.00%,2021-01-01,#NA,BD\n" +
	"31,5,6109100010,3,T-shirts,3,103,Third country duty,#NA,1.00 %,2026-08-01,#NA,1013\n" +
	"4,5,6109100010,3,T-shirts,4,305,Value added tax,#NA,20.00%,2021-01-01,#NA,1011\n" +
	"5,5,6109100010,3,T-shirts,5,305,Value added tax,VATZ,0.00%,2021-01-01,#NA,1011\n" +
	"6,6,6109100090,3,Other,6,103,Third country duty,#NA,\"10.00% + 5.00 GBP / 100 kg\",2021-01-01,#NA,1011\n" +
	"7,6,6109100090,3,Other,7,305,Value added tax,#NA,20.00%,2021-01-01,#NA,1011\n" +
	"71,7,6109900000,3,Other,8,103,Third country duty,#NA,NIHIL,2021-01-01,#NA,1011\n" +
	"72,7,6109900000,3,Other,82,103,Third country duty,#NA,,2021-01-01,#NA,1011\n" +
	"8,7,6109900000,3,Other,8,103,Third country duty,#NA,4.00 %,2019-01-01,2020-12-31,1011\n"

func file(name, text string) official.File {
	return official.File{Name: name, Reader: strings.NewReader(text)}
}

// everything is one file of each format.
func everything() []official.File {
	return []official.File{
		file("references", references), file("lines", lines), file("duties", duties), file("chief", chief), file("units", units), file("parcels", parcels),
		file("intercepts", intercepts), file("labelled", labelled),
	}
}

func importing() official.ImportOptions { return official.ImportOptions{Today: today} }

func load(t *testing.T, s official.Store, files ...official.File) official.Report {
	t.Helper()
	r, err := official.Import(ctx, s, files, importing())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// current is the tariff of a service that starts now.
func current(t *testing.T, s official.Store) *tariff.Snapshot {
	t.Helper()
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	return l.Current()
}

// charge is for goods worth £100 on a day, without a unit.
func charge(s *tariff.Snapshot, code, day string) tariff.Charge {
	return s.Tariff.Estimate(tariff.Goods{CommodityCode: code, CustomsValue: quantity.MustMoney("100"), NetMass: quantity.MustMass("10"), On: noon(day)})
}
