// Package raw reads the publisher's raw tables, which are the tables of its database: each row is one version of a thing, and names
// other things by the number of one of their versions. Together they are the measures of a tariff, with the thresholds that the
// reports lack.
package raw

import (
	"path/filepath"
	"slices"
	"strings"
)

// version is the column with the number of a row, which is that of one version of a thing. Every raw table has it.
const version = "trackedmodel_ptr_id"

// layout is a raw table with the columns that are read. A table whose file does not say its name is recognised by those of mark.
type layout struct {
	name    string
	columns []string // behind the version
	mark    []string
	need    bool // measures cannot be read without it
}

// layouts are the tables that are read.
var layouts = []layout{
	{measures, []string{
		"sid", "measure_type_id", "geographical_area_id", "goods_nomenclature_id", "validity_start", "validity_end", "additional_code_id",
		"dead_additional_code", "order_number_id", "dead_order_number", "reduction", "generating_regulation_id",
	}, []string{"measure_type_id", "goods_nomenclature_id", "generating_regulation_id"}, true},
	{components, []string{
		"component_measure_id", "duty_expression_id", "duty_amount", "monetary_unit_id", "component_measurement_id",
	}, []string{"component_measure_id"}, true},
	{conditions, []string{
		"dependent_measure_id", "sid", "condition_code_id", "component_sequence_number", "duty_amount", "monetary_unit_id",
		"condition_measurement_id", "action_id", "required_certificate_id",
	}, []string{"dependent_measure_id"}, true},
	{conditionComponents, []string{
		"condition_id", "duty_expression_id", "duty_amount", "monetary_unit_id", "component_measurement_id",
	}, []string{"condition_id", "duty_expression_id"}, true},
	{exclusions, []string{"modified_measure_id", "excluded_geographical_area_id"}, []string{"modified_measure_id"}, true},
	{notes, []string{"footnoted_measure_id", "associated_footnote_id"}, []string{"footnoted_measure_id"}, false},
	{commodities, []string{"item_id", "suffix"}, []string{"item_id", "statistical"}, true},
	{areas, []string{"area_id"}, []string{"area_id", "area_code"}, true},
	{memberships, []string{"geo_group_id", "member_id", "validity_start", "validity_end"}, []string{"geo_group_id"}, false},
	{areaTexts, []string{"described_geographicalarea_id", "description"}, []string{"described_geographicalarea_id"}, false},
	{types, []string{"sid", "description"}, []string{"trade_movement_code"}, true},
	{expressions, []string{"sid"}, []string{"prefix", "duty_amount_applicability_code"}, true},
	{conditionCodes, []string{"code"}, []string{"accepts_certificate"}, true},
	{actions, []string{"code"}, []string{"requires_duty"}, true},
	{certificates, []string{"sid", "certificate_type_id"}, []string{"certificate_type_id"}, true},
	{certificateTypes, []string{"sid"}, nil, true},
	{additional, []string{"code", "type_id"}, []string{"type_id", "code"}, true},
	{additionalTypes, []string{"sid"}, []string{"sid", "application_code"}, true},
	{definitions, []string{
		"sid", "order_number_id", "initial_volume", "measurement_unit_id", "quota_critical", "validity_start", "validity_end",
	}, []string{"initial_volume"}, false}, // before measurements, whose columns it has too
	{blockings, []string{"sid", "quota_definition_id", "validity_start", "validity_end"}, []string{"blocking_period_type"}, false},
	{suspensions, []string{"sid", "quota_definition_id", "validity_start", "validity_end"}, []string{"quota_definition_id"}, false},
	{measurements, []string{"measurement_unit_id", "measurement_unit_qualifier_id"}, []string{
		"measurement_unit_id", "measurement_unit_qualifier_id",
	}, true},
	{units, []string{"code"}, nil, true},
	{qualifiers, []string{"code"}, nil, true},
	{currencies, []string{"code"}, nil, true},
	{orders, []string{"order_number"}, []string{"order_number", "mechanism"}, true},
	{regulations, []string{"regulation_id", "url", "effective_end_date", "validity_end"}, []string{"regulation_id", "role_type"}, true},
	{footnotes, []string{"footnote_id", "footnote_type_id"}, []string{"footnote_id", "footnote_type_id"}, false},
	{footnoteTypes, []string{"footnote_type_id"}, []string{"footnote_type_id", "application_code"}, false},
}

// Names of the tables, as the publisher names them.
const (
	measures            = "measures"
	components          = "measure-components"
	conditions          = "measure-conditions"
	conditionComponents = "measure-condition-components"
	exclusions          = "measure-excluded-geo-areas"
	notes               = "measure-footnotes"
	commodities         = "commodities"
	areas               = "geo-areas"
	memberships         = "geo-area-memberships"
	areaTexts           = "geo-area-descriptions"
	types               = "measure-types"
	expressions         = "measure-duty-expressions"
	conditionCodes      = "measure-condition-codes"
	actions             = "measure-actions"
	certificates        = "certificates"
	certificateTypes    = "certificate-types"
	additional          = "additional-codes"
	additionalTypes     = "additional-code-types"
	measurements        = "measure-measurements"
	units               = "measure-measurements-units"
	qualifiers          = "measure-measurement-qualifiers"
	currencies          = "measure-monetary-units"
	orders              = "quota-order-numbers"
	regulations         = "regulations"
	definitions         = "quota-definitions"
	blockings           = "quota-blockings"
	suspensions         = "quota-suspensions"
	footnotes           = "footnotes"
	footnoteTypes       = "footnote-types"
)

// unread are the raw tables that are passed over.
var unread = []string{
	"commodity-descriptions", "commodity-indents", "commodity-indent-nodes", "commodity-footnotes", "commodity-origins", "commodity-successors",
	"measure-type-series", "measure-additional-code-types", "additional-code-descriptions", "footnote-descriptions",
	"certificate-descriptions",
	"quota-origins", "quota-origin-exclusions", "quota-associations", "regulation-groups", "regulation-amendments", "regulation-replacements", "regulation-suspensions",
}

// Is reports whether a header is that of a raw table.
func Is(header []string) bool { return slices.Contains(header, version) }

// Columns returns the name of a raw table and the columns that are read, the version first; false if its file does not say which
// one it is and its columns do not either. A table that is passed over has no columns.
func Columns(file string, header []string) (name string, columns []string, ok bool) {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	if slices.Contains(unread, base) {
		return base, nil, true
	}
	at := slices.IndexFunc(layouts, func(l layout) bool { return l.name == base })
	if at < 0 {
		at = slices.IndexFunc(layouts, func(l layout) bool { return l.mark != nil && hasAll(header, l.mark) })
	}
	if at < 0 {
		return "", nil, false
	}
	return layouts[at].name, append([]string{version}, layouts[at].columns...), true
}

func hasAll(header, columns []string) bool {
	return !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(header, c) })
}
