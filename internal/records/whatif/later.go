package whatif

// addLater adds UK CBAM to the changed case of a line.
func (c *computer) addLater(r *result, l *Line, a *answer) {
	if !c.settings.Change.CBAM || c.later == nil {
		return
	}
	charge, facts := c.later(l, &a.ResponseLine)
	if charge == nil {
		return
	}
	if charge.Amount != nil && largest.Cmp(*charge.Amount) < 0 {
		charge.Amount = nil
	}
	r.Row.Later, r.Row.FactsNeeded = append(r.Row.Later, *charge), append(r.Row.FactsNeeded, facts...)
	text := "UK CBAM of " + pounds(charge.Amount) + " is due by return, if the importer reaches the threshold."
	r.Row.Reasons = append(r.Row.Reasons, Reason{reasonCBAM, text})
	if r.Changed != nil {
		r.Changed.Later = charge.Amount
	}
}
