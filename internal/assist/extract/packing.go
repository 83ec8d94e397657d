package extract

func (r *reading) readPackingList(d *TradeDocument) {
	d.Seller, d.Buyer = r.sides()
	r.assignLooseNumbers(d.Seller, d.Buyer)
	r.guessOrder(d.Seller)
	d.PackingListNumber = firstOf(r.candidates("packingListNumber"), r.identifier)
	d.PackingListDate = r.dateOf("packingListDate", "packingListNumber")
	d.InvoiceReference = firstOf(r.candidates("invoiceReference"), r.identifier)
	d.PurchaseOrderNumber = firstOf(r.candidates("purchaseOrderNumber"), r.identifier)
	d.Marks = firstOf(r.candidates("marks"), r.phraseOf)
	r.readShared(d)
	if d.LineItems = r.lineItems(); d.LineItems == nil {
		d.LineItems = r.goodsInSentences()
		r.countPackages(d, d.LineItems)
	}
	d.Containers = r.containers()
	r.readIncoterm(d)
}
