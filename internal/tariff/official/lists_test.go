package official_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

const (
	areaList = `[{"id": "2005", "description": "GSP", "members": ["BD", "KE"]}, {"id": "BD", "description": "Bangladesh", "members": []}]`

	answeredAreas = `{"data": [{"id": "1013", "type": "geographical_area", "attributes": {"description": "European Union"},
		"relationships": {"children_geographical_areas": {"data": [{"id": "FR", "type": "geographical_area"}, {"id": "EU", "type": "geographical_area"}]}}}]}`

	quotaTable = "quota_definition__sid,quota__order_number,quota__measurement_unit,quota_definition__validity_start_date,quota_definition__validity_end_date," +
		"quota_definition__suspension_periods,quota_definition__blocking_periods,quota_definition__status,quota_definition__last_allocation_date," +
		"quota_definition__initial_volume,quota_definition__balance\n" +
		"1,50006,Kilogram (kg),01/01/2026,31/12/2026,#NA,#NA,Critical,28/10/2026,\"2,022,900\",1000\n" +
		"2,50007,Kilogram (kg),01/01/2026,31/12/2026,2026-05-01;2026-06-01|2026-05-01;2026-06-01,#NA,Open,#NA,2022900,2022900\n" +
		"3,50006,Kilogram (kg),01/01/2027,31/12/2027,#NA,#NA,Future,#NA,2022900,#NA\n"

	answeredQuotas = `{"data": [{"id": "1", "type": "definition", "attributes": {"quota_order_number_id": "050088", "initial_volume": "138000.0", "balance": "0.0",
		"validity_start_date": "2026-01-01T00:00:00.000Z", "validity_end_date": "2026-12-31T23:59:59.000Z", "status": "Open", "measurement_unit": "Litre (l)",
		"last_allocation_date": "2026-07-10T00:00:00Z", "suspension_period_start_date": null, "suspension_period_end_date": null}}]}`

	seasonTable = "geographical_area_id,goods_nomenclature_item_id,measure_type_id,from,to,duty\nNO,6109100010,142,01/11,14/05,6.00%\n"
	meursing    = `{"duties": [{"geographical_area_id": "1011", "measure_type_id": "674", "additional_code_id": "476", "duty_amount": 117.11, "reduction_indicator": 1}]}`
	spvCodes    = `{"spvs": {"2.120.1": {"label": "Melons", "commodities": ["0807190050"]}}}`
	spvValues   = `{"data": [{"id": "1.200.1", "type": "simplified_procedural_code_measure", "attributes": {"validity_start_date": "2026-09-16", "validity_end_date": "2026-09-29",
		"duty_amount": 724.55, "goods_nomenclature_item_ids": "0709200010, 0709200090"}}, {"id": "2.70.4", "type": "simplified_procedural_code_measure", "attributes": {"duty_amount": null}}]}`
	unitList   = `{"ASVX": {"measurement_unit_code": "ASV", "measurement_unit_qualifier_code": "X", "abbreviation": "% vol/hl"}}`
	codesOfMix = `{"key_476": {"milk_fat": "0 - 1.49", "milk_protein": "0 - 2.49", "starch": "0 - 4.99", "sucrose": "0 - 4.99"}}`
)

// lists are one reference list of each form.
func lists() []official.File {
	return []official.File{
		file("areas", areaList), file("quotas", quotaTable), file("quotas page 2", answeredQuotas), file("seasons", seasonTable), file("meursing", meursing),
		file("spv codes", spvCodes), file("spv values", spvValues), file("units", unitList), file("mixes", codesOfMix),
	}
}

// Reference lists are recognised by their content and used by the duty engine: members of areas, periods and balances of quotas,
// seasons, and the Meursing amounts for Northern Ireland. A list replaces that list of its service.
func TestReferenceLists(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	rows := reportHead + "6109100010,1,103,1011,2021-01-01,,12.00%,,,\n6109100010,2,142,2005,2021-01-01,,0.00%,,KE,\n6109100010,4,142,NO,2025-11-01,2026-05-14,6.00%,,,\n"
	load(t, s, file("report", report), file("measures-on-declarable-commodities", rows))
	before := load(t, s, lists()...)
	for kind, want := range map[official.Kind]int{
		official.Areas: 2, official.Quotas: 4, official.Seasons: 1, official.MeursingAmounts: 1, official.SPVCodes: 1, official.SPVValues: 1,
		official.MeasurementUnits: 1, official.MeursingCodes: 1,
	} {
		if table, ok := before.Table(kind); !ok || table.Rows != want {
			t.Errorf("%s: %+v", kind, table)
		}
	}
	if table, _ := before.Table(official.Quotas); table.AsOf != "2026-11-21" {
		t.Errorf("quotas are as of %s", table.AsOf)
	}
	const lacks = "CONTROL EXCISE QUOTA REMEDY SUSPENSION VAT]"
	for origin, want := range map[string]string{
		"BD": "PREFERENCE A00 0.00 incomplete; THIRD_COUNTRY A00 120.00 incomplete; [" + lacks, "KE": "THIRD_COUNTRY A00 120.00 incomplete; [" + lacks,
		"NO": "THIRD_COUNTRY A00 120.00 incomplete; [" + strings.Replace(lacks, "QUOTA", "PREFERENCE QUOTA", 1), // the table does not reach this season
	} {
		if got := told(answer(t, s, "6109100010", origin, "2026-11-21", "")); got != want {
			t.Errorf("from %s: %s", origin, got)
		}
	}
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ order, day, want string }{
		{"050006", "2026-11-21", measure.QuotaCritical}, {"050007", "2026-05-15", measure.QuotaSuspended}, {"050007", "2026-06-02", measure.QuotaOpen},
		{"050088", "2026-11-21", measure.QuotaExhausted}, {"050006", "2027-02-01", measure.QuotaOpen},
	} {
		on, _ := measure.ParseDay(c.day)
		if q, ok := l.Editions().UK.Quota(c.order, on); !ok || q.Status != c.want || c.day > "2027" != (q.Balance == nil) {
			t.Errorf("%s on %s: %+v", c.order, c.day, q)
		}
	}
	load(t, s, file("areas", answeredAreas))
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	groups := l.Editions().UK.Areas().Groups()
	if len(groups["2005"]) != 0 || strings.Join(groups["1013"], " ") != "FR" {
		t.Errorf("%v", groups)
	}
	if again := load(t, s, file("areas", answeredAreas)); again.Version != 3 {
		t.Errorf("the same list again is edition %d", again.Version)
	}
	how := importing()
	how.Service = measure.XI
	if _, err := official.Import(ctx, s, []official.File{file("xi", reportHead+"6109100010,1,103,1011,2021-01-01,,9.00% + EA,,,\n")}, how); err != nil {
		t.Fatal(err)
	}
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	if c, ok := l.Editions().XI.Meursing("674", "7476", 1, "1011"); !ok || c.Amount.Cmp(quantity.MustNumber("117.11").Rat()) != 0 {
		t.Errorf("Meursing: %+v", c)
	}
}

// An entry that is not what HMRC or the publisher writes refuses the whole import, with its file and place; so does an area that
// contains itself.
func TestReferenceListsAreRefused(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for name, text := range map[string]string{
		"area 1":     strings.Replace(areaList, "KE", "Kenya", 1),
		"area 2":     `[{"id": "BD", "description": "Bangladesh", "members": []}]`,
		"area 3":     `[{"id": "2005", "members": ["2006"]}, {"id": "2006", "members": ["2005"]}]`,
		"quota 1":    strings.Replace(quotaTable, "50006", "5006", 1),
		"quota 2":    strings.Replace(quotaTable, "Critical", "Full", 1),
		"quota 3":    strings.Replace(quotaTable, "31/12/2026", "31.12.2026", 1),
		"quota 4":    strings.Replace(quotaTable, ",1000\n", ",much\n", 1),
		"quota 5":    strings.Replace(answeredQuotas, "050088", "", 1),
		"season 1":   strings.Replace(seasonTable, "01/11", "31/11", 1),
		"season 2":   strings.Replace(seasonTable, "6.00%", "six", 1),
		"meursing 1": strings.Replace(meursing, `"674"`, `"103"`, 1),
		"meursing 3": strings.Replace(meursing, "117.11", "1e999999999", 1),
		"meursing 2": strings.Replace(meursing, "117.11", "-1", 1),
		"spv 1":      strings.Replace(spvCodes, "0807190050", "0807", 1),
		"spv 2":      strings.Replace(spvValues, "1.200.1", "x", 1),
		"unit 1":     strings.Replace(unitList, `"ASV"`, `"as"`, 1),
		"mix 1":      strings.Replace(codesOfMix, "key_476", "key_47", 1),
	} {
		_, err := official.Import(ctx, s, []official.File{file(name, text)}, importing())
		var faulty *importerr.Error
		if name == "area 3" {
			if err == nil || !strings.Contains(err.Error(), "contains itself") {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.As(err, &faulty) || len(faulty.Faults) != 1 || faulty.Faults[0].File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if stamp, err := s.TariffStamp(ctx); err != nil || stamp.Version != 0 {
		t.Errorf("%+v %v", stamp, err)
	}
}

// The lists that HMRC and the publisher have published are read.
func TestPublishedLists(t *testing.T) {
	const from = published + "measures/reference/"
	s := storetest.SQLite(t).Open(t)
	var files []official.File
	for name := range map[string]bool{
		"geographical_areas.json": true, "measurement_units.json": true, "meursing_duties.json": true, "meursing_codes.json": true,
		"simplified_procedural_codes.json": true, "seasonal_measures.csv": true, "uk_trqs_2022.csv": true,
	} {
		content, err := os.ReadFile(filepath.Clean(from + name))
		if os.IsNotExist(err) {
			t.Skip("the published lists are not beside the project")
		}
		if err != nil {
			t.Fatal(err)
		}
		if !official.Recognise(content) {
			t.Errorf("%s is not recognised", name)
		}
		files = append(files, file(name, string(content)))
	}
	r := load(t, s, files...)
	for kind, want := range map[official.Kind]int{
		official.Areas: 315, official.MeasurementUnits: 72, official.MeursingAmounts: 13_907, official.MeursingCodes: 504, official.Seasons: 317, official.Quotas: 2_848,
	} {
		if table, ok := r.Table(kind); !ok || table.Rows != want {
			t.Errorf("%s: %+v", kind, table)
		}
	}
}
