package difference

// TariffChange says what an imported tariff changes for a product.
type TariffChange struct {
	From      int64        `json:"from" doc:"The edition before" example:"2"`
	To        int64        `json:"to" doc:"The imported edition; GET /api/tariff/editions/diff lists all of its changes" example:"3"`
	ChangedAt string       `json:"changedAt" format:"date-time" doc:"When the change was noted"`
	Measures  int          `json:"measures" doc:"Measures that change for the product" example:"1"`
	Changes   []ChangeBody `json:"changes" nullable:"false" maxItems:"5" doc:"The first of them"`
}
