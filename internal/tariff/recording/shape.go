package recording

import "encoding/json"

// The following types are the members of an answer that are read, with related objects in their places.

type commodity struct {
	Code       string        `json:"goods_nomenclature_item_id"`
	Suffix     string        `json:"producline_suffix"`
	Indent     int           `json:"number_indents"`
	Text       string        `json:"description"`
	Declarable *bool         `json:"declarable"`
	Meursing   bool          `json:"meursing_code"`
	Chapter    line          `json:"chapter"`
	Heading    line          `json:"heading"`
	Ancestors  []line        `json:"ancestors"`
	Import     []jsonMeasure `json:"import_measures"`
	Export     []jsonMeasure `json:"export_measures"`
}

type line struct {
	Code   string `json:"goods_nomenclature_item_id"`
	Suffix string `json:"producline_suffix"`
	Indent int    `json:"number_indents"`
	Text   string `json:"description"`
}

type jsonMeasure struct {
	ID        json.RawMessage `json:"id"` // a number, or text in some answers
	From      string          `json:"effective_start_date"`
	To        *string         `json:"effective_end_date"`
	Reduction *int            `json:"reduction_indicator"`
	Type      struct {
		ID     string `json:"id"`
		Text   string `json:"description"`
		Series string `json:"measure_type_series_id"`
	} `json:"measure_type"`
	Acts       []jsonAct       `json:"legal_acts"`
	Conditions []jsonCondition `json:"measure_conditions"`
	Components []jsonComponent `json:"measure_components"`
	Area       area            `json:"geographical_area"`
	Excluded   []area          `json:"excluded_countries"`
	Footnotes  []struct {
		Code string `json:"code"`
		Text string `json:"description"`
	} `json:"footnotes"`
	Order      *jsonOrder `json:"order_number"`
	Additional *struct {
		Code string `json:"code"`
		Text string `json:"description"`
	} `json:"additional_code"`
	Goods *struct {
		Code string `json:"goods_nomenclature_item_id"`
	} `json:"goods_nomenclature"`
}

type area struct {
	ID       string `json:"id"`
	Text     string `json:"description"`
	Children []area `json:"children_geographical_areas"`
}

type jsonAct struct {
	ID   string  `json:"id"`
	Code string  `json:"regulation_code"`
	Text *string `json:"description"`
	URL  string  `json:"regulation_url"`
}

type jsonComponent struct {
	Expression string       `json:"duty_expression_id"`
	Amount     *json.Number `json:"duty_amount"`
	Currency   *string      `json:"monetary_unit_code"`
	Unit       *string      `json:"measurement_unit_code"`
	Qualifier  *string      `json:"measurement_unit_qualifier_code"`
}

type jsonCondition struct {
	Code       string          `json:"condition_code"`
	Document   *string         `json:"document_code"`
	Text       *string         `json:"certificate_description"`
	Action     *string         `json:"action_code"`
	Amount     *json.Number    `json:"condition_duty_amount"`
	Currency   *string         `json:"condition_monetary_unit_code"`
	Unit       *string         `json:"condition_measurement_unit_code"`
	Qualifier  *string         `json:"condition_measurement_unit_qualifier_code"`
	Components []jsonComponent `json:"measure_condition_components"`
}

type jsonOrder struct {
	Number     string      `json:"number"`
	Definition *Definition `json:"definition"`
}

// Definition is the period of a quota in answers of the tariff service.
type Definition struct {
	From          string  `json:"validity_start_date"`
	To            *string `json:"validity_end_date"`
	Initial       *string `json:"initial_volume"`
	Balance       *string `json:"balance"`
	Status        *string `json:"status"`
	Unit          *string `json:"measurement_unit"`
	Allocated     *string `json:"last_allocation_date"`
	SuspendedFrom *string `json:"suspension_period_start_date"`
	SuspendedTo   *string `json:"suspension_period_end_date"`
	BlockedFrom   *string `json:"blocking_period_start_date"`
	BlockedTo     *string `json:"blocking_period_end_date"`
}
