package official_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// rawTables are the raw tables of an entry price with an additional duty. Of the measure 20001, of its condition 7 and of the
// component of the measure 20002 there are two versions: the newest counts.
func rawTables() map[string]string {
	return map[string]string{
		"measures": "trackedmodel_ptr_id,sid,measure_type_id,geographical_area_id,goods_nomenclature_id,additional_code_id,dead_additional_code,order_number_id," +
			"dead_order_number,reduction,generating_regulation_id,validity_start,validity_end\n" +
			"1001,20001,11,21,31,,,,,,91,2021-01-01,\n1002,20001,12,21,31,,,,,,91,2021-01-01,2030-12-31\n1003,20002,13,22,32,41,,,,,92,2021-01-01,\n" +
			"1004,20003,12,21,31,,,61,,2,92,2021-01-01,\n",
		"measure-components": "trackedmodel_ptr_id,component_measure_id,duty_expression_id,duty_amount,monetary_unit_id,component_measurement_id\n" +
			"1,1003,51,7.000,,\n2,1003,52,5.500,71,81\n3,1003,51,8.000,,\n4,1004,53,,,\n",
		"measure-conditions": "trackedmodel_ptr_id,sid,dependent_measure_id,condition_code_id,component_sequence_number,duty_amount,monetary_unit_id,condition_measurement_id,action_id,required_certificate_id\n" +
			"501,8,1002,1,2,,,,1,\n502,7,1001,1,1,50.0,72,82,1,\n503,7,1001,1,1,52.600,72,82,1,\n504,9,1002,2,1,,,,2,3\n505,10,1002,2,2,,,,3,\n",
		"measure-condition-components": "trackedmodel_ptr_id,condition_id,duty_expression_id,duty_amount,monetary_unit_id,component_measurement_id\n" +
			"1,502,51,0.000,,\n2,501,51,29.800,72,82\n",
		"measure-excluded-geo-areas":     "trackedmodel_ptr_id,modified_measure_id,excluded_geographical_area_id\n1,1001,23\n2,1002,24\n3,1002,23\n",
		"measure-footnotes":              "trackedmodel_ptr_id,footnoted_measure_id,associated_footnote_id\n1,1002,1\n",
		"footnotes":                      "trackedmodel_ptr_id,footnote_id,footnote_type_id\n1,701,5\n",
		"footnote-types":                 "trackedmodel_ptr_id,footnote_type_id,application_code,description\n5,TN,1,x\n",
		"commodities":                    "trackedmodel_ptr_id,sid,item_id,suffix,statistical\n31,1,0702000007,80,f\n32,2,0702000000,80,f\n",
		"geo-areas":                      "trackedmodel_ptr_id,sid,area_id,area_code\n21,1,2020,1\n22,2,1011,1\n23,3,NO,0\n24,4,CH,0\n25,5,BD,0\n26,1,2020,1\n",
		"geo-area-memberships":           "trackedmodel_ptr_id,geo_group_id,member_id,validity_start,validity_end\n1,21,25,2021-01-01,\n2,26,23,2021-01-01,\n3,21,24,2021-01-01,\n4,26,24,2021-01-01,2025-12-31\n",
		"geo-area-descriptions":          "trackedmodel_ptr_id,described_geographicalarea_id,description,sid,validity_start\n1,26,Some countries,1,2021-01-01\n",
		"measure-types":                  "trackedmodel_ptr_id,sid,trade_movement_code,description\n11,103,0,x\n12,142,0,Tariff preference\n13,552,0,Anti-dumping\n",
		"measure-duty-expressions":       "trackedmodel_ptr_id,sid,prefix,duty_amount_applicability_code\n51,1,,1\n52,4,+,1\n53,37,NIHIL,0\n",
		"measure-condition-codes":        "trackedmodel_ptr_id,code,description,accepts_certificate\n1,V,x,f\n2,B,x,t\n",
		"measure-actions":                "trackedmodel_ptr_id,code,description,requires_duty\n1,1,x,t\n2,27,x,f\n3,7,x,f\n",
		"certificates":                   "trackedmodel_ptr_id,sid,certificate_type_id\n3,088,4\n",
		"certificate-types":              "trackedmodel_ptr_id,sid,description\n4,U,x\n",
		"additional-codes":               "trackedmodel_ptr_id,sid,type_id,code\n41,1,42,999\n",
		"additional-code-types":          "trackedmodel_ptr_id,sid,description,application_code\n42,C,x,3\n",
		"measure-measurements":           "trackedmodel_ptr_id,measurement_unit_id,measurement_unit_qualifier_id\n81,83,84\n82,85,\n",
		"measure-measurements-units":     "trackedmodel_ptr_id,code,description,abbreviation\n83,TNE,x,x\n85,DTN,x,x\n",
		"measure-measurement-qualifiers": "trackedmodel_ptr_id,code,description,abbreviation\n84,I,x,x\n",
		"measure-monetary-units":         "trackedmodel_ptr_id,code,description\n71,GBP,x\n72,EUR,x\n",
		"quota-order-numbers":            "trackedmodel_ptr_id,sid,order_number,mechanism\n61,1,050001,0\n",
		"regulations":                    "trackedmodel_ptr_id,role_type,regulation_id,url,effective_end_date,validity_end\n91,1,P2000001,https://x.example,,\n92,1,A2000002,,,\n93,1,A2000002,,2028-06-30,\n",
		"quota-definitions": "trackedmodel_ptr_id,sid,order_number_id,volume,initial_volume,monetary_unit_id,measurement_unit_id,measurement_unit_qualifier_id,quota_critical,validity_start,validity_end\n" +
			"1,1,61,9,100.000,,83,,0,2026-01-01,2026-12-31\n2,1,61,9,200.000,,83,,1,2026-01-01,2026-12-31\n",
		"quota-blockings":   "trackedmodel_ptr_id,sid,quota_definition_id,blocking_period_type,description,validity_start,validity_end\n1,1,1,1,x,2026-03-01,2026-03-31\n",
		"quota-suspensions": "trackedmodel_ptr_id,sid,quota_definition_id,description,validity_start,validity_end\n1,1,2,x,2026-05-01,\n",
	}
}

func rawFiles(tables map[string]string) (files []official.File) {
	for name, text := range tables {
		files = append(files, file("folder/"+name+".csv", text))
	}
	slices.SortFunc(files, func(a, b official.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// The raw tables become measures together, with thresholds. Of each thing the newest version counts; a measure ends with its
// regulation; groups have the members of the day.
func TestRawTables(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	r := load(t, s, append(rawFiles(rawTables()), file("lines", "description,end_line,indent,commodity_code,product_line_suffix,start_date,end_date\n"+
		"VEGETABLES,0,0,0700000000,80,1972-01-01,\nTomatoes,0,0,0702000000,80,1972-01-01,\nCherry tomatoes,1,1,0702000007,80,1972-01-01,\n"))...)
	if held, ok := r.Table(official.RawMeasures); !ok || held.Rows != 3 || held.AsOf != "2021-01-01" {
		t.Errorf("%+v", held)
	}
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	uk := l.Editions().UK
	on, _ := measure.ParseDay("2026-11-21")
	var got []string
	for _, m := range uk.Goods("0702000007", "BD", on).Import {
		got = append(got, fmt.Sprint(m.SID, " ", m.Type, " ", m.Area, " ", m.Excluded, " ", m.To, " ", m.Additional, m.Order, " ", m.Reduction, " ", measure.Text(m.Components), " ",
			table.WriteConditions(m.Conditions), " ", m.Acts, m.Footnotes))
	}
	want := []string{
		"20001 142 2020 [CH NO] 2030-12-31  0  condition:B,certificate:U088,action:27|condition:B,action:07|" +
			"condition:V,threshold:52.60 EUR DTN,action:01,duty:0.00 %|condition:V,action:01,duty:29.80 EUR / 100 kg [P2000001] [TN701]",
		"20002 552 1011 [] 2028-06-30 C999 0 8.00 % + 5.50 GBP / 1000 kg/biodiesel  [A2000002] []",
		"20003 142 2020 [] 2028-06-30 050001 2 NIHIL  [A2000002] []",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if members, _ := uk.Areas().Countries("2020"); !slices.Equal(members, []string{"BD", "NO"}) || uk.Details().Areas["2020"] != "Some countries" {
		t.Errorf("members: %v, named %q", members, uk.Details().Areas["2020"])
	}
}

// The definitions of quotas in the raw tables have their periods, and the times in which they are blocked or suspended, without
// balances. A list with balances comes before them, whichever is imported first.
func TestRawQuotas(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	statuses := func() (all []string) {
		var l official.Library
		if err := l.Refresh(ctx, s); err != nil {
			t.Fatal(err)
		}
		for _, day := range []string{"2026-02-01", "2026-03-31", "2026-04-30", "2026-12-31", "2027-01-01"} {
			on, _ := measure.ParseDay(day)
			q, held := l.Editions().UK.Quota("050001", on)
			text := fmt.Sprint(held, " ", q.Status, " ", q.Balance != nil)
			if q.Initial != nil {
				text += " " + q.Initial.RatString() + " " + q.Unit
			}
			all = append(all, text)
		}
		return all
	}
	load(t, s, rawFiles(rawTables())...)
	want := []string{
		"true CRITICAL false 200 TNE", "true BLOCKED false 200 TNE", "true CRITICAL false 200 TNE", "true SUSPENDED false 200 TNE", "false  false",
	}
	if got := statuses(); !slices.Equal(got, want) {
		t.Errorf("definitions: %q", got)
	}
	const balances = "quota__order_number,quota_definition__validity_start_date,quota_definition__validity_end_date,quota_definition__status," +
		"quota_definition__initial_volume,quota_definition__balance,quota__measurement_unit\n50001,2026-01-01,2026-12-31,Open,200,150,Tonne (tonne)\n"
	load(t, s, file("quotas", balances))
	listed := statuses()
	if listed[1] != "true OPEN true 200 TNE" {
		t.Errorf("balances: %q", listed)
	}
	tables := rawTables()
	tables["measure-types"] += "14,305,0,x\n"
	load(t, s, rawFiles(tables)...)
	if got := statuses(); !slices.Equal(got, listed) {
		t.Errorf("the list is replaced: %q", got)
	}
}

// Raw tables are refused if one that is needed is missing, if a row names something that is not there, or if a cell has another
// form.
func TestRawTablesAreRefused(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for name, change := range map[string]func(tables map[string]string){
		"also needed are measure-components": func(all map[string]string) { delete(all, "measure-components") },
		"99 is not in measure-types": func(all map[string]string) {
			all["measures"] = strings.Replace(all["measures"], ",20002,13,", ",20002,99,", 1)
		},
		"is no day": func(all map[string]string) {
			all["measures"] = strings.Replace(all["measures"], "2021-01-01", "2021", 1)
		},
		"is not a number": func(all map[string]string) {
			all["measure-components"] = strings.Replace(all["measure-components"], "5.500", "x", 1)
		},
		"99 is not in quota-order-numbers": func(all map[string]string) {
			all["quota-definitions"] = strings.Replace(all["quota-definitions"], "2,1,61,", "2,1,99,", 1)
		},
		"99 is not in quota-definitions": func(all map[string]string) {
			all["quota-blockings"] = strings.Replace(all["quota-blockings"], "1,1,1,1", "1,1,99,1", 1)
		},
		"initial_volume": func(all map[string]string) {
			all["quota-definitions"] = strings.Replace(all["quota-definitions"], "200.000", "many", 1)
		},
		"component_sequence_number": func(all map[string]string) {
			all["measure-conditions"] = strings.Replace(all["measure-conditions"], ",1,2,", ",1,second,", 1)
		},
	} {
		all := rawTables()
		change(all)
		_, err := official.Import(ctx, s, rawFiles(all), importing())
		var faulty *importerr.Error
		if !errors.As(err, &faulty) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if stamp, err := s.TariffStamp(ctx); err != nil || stamp.Version != 0 {
		t.Errorf("%+v %v", stamp, err)
	}
}
