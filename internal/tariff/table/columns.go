package table

// Must and May are the columns of the publisher's reports of measures that are read. A row given to a Builder has the cells of
// both, in this order; a column that a table lacks is empty.
var (
	Must = []string{
		"commodity__code", "measure__type__id", "measure__duty_expression", "measure__geographical_area__id",
		"measure__effective_start_date", "measure__effective_end_date",
	}
	May = []string{
		"measure__additional_code__code", "measure__sid", "measure__reduction_indicator", "measure__footnotes", "measure__conditions",
		"measure__excluded_geographical_areas__ids", "measure__quota__order_number", "measure__regulation__id", "measure__regulation__url",
		"measure__type__description", "measure__additional_code__description", "measure__geographical_area__description",
	}
)

// Places of the cells.
const (
	cellCode = iota
	cellType
	cellDuty
	cellArea
	cellFrom
	cellTo
	cellAdditional
	cellSID
	cellReduction
	cellFootnotes
	cellConditions
	cellExcluded
	cellOrder
	cellAct
	cellURL
	cellTypeText
	cellAdditionalText
	cellAreaText
)
