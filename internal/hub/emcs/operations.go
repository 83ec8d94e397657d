package emcs

import (
	"reflect"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/followup"
)

// Further messages of a movement.
const (
	Receipt     lifecycle.Action = "receipt"
	Destination lifecycle.Action = "destination"
	Delay       lifecycle.Action = "delay"
	Shortage    lifecycle.Action = "shortage"
	Alert       lifecycle.Action = "alert"
)

// underway are the states of a movement that EMCS has accepted and that has not ended.
var underway = []lifecycle.State{lifecycle.Accepted, InTransit}

// accepted are the states of a movement that EMCS has accepted, also after its end.
var accepted = append(slices.Clone(underway), Delivered)

// operations are the further messages that a party of an accepted movement sends. EMCS decides what they change.
var operations = []filing.Operation{
	{
		Action: Receipt, Title: "Report the receipt", Body: reflect.TypeFor[followup.ReceiptReport](), From: underway,
		About: "Sends the consignee’s report of receipt (IE818). List the items that did not arrive as declared; every other item counts as received",
	},
	{
		Action: Destination, Title: "Change the destination", Body: reflect.TypeFor[followup.DestinationChange](), From: underway,
		About: "Sends the consignor’s change of destination (IE813)",
	},
	{
		Action: Alert, Title: "Warn or reject before arrival", Body: reflect.TypeFor[followup.ArrivalAlert](), From: underway,
		About: "Sends the consignee’s alert or rejection (IE819)",
	},
	{
		Action: Delay, Title: "Explain a delay", Body: reflect.TypeFor[followup.DelayExplanation](), From: accepted,
		About: "Sends an explanation of a delay (IE837)",
	},
	{
		Action: Shortage, Title: "Explain a shortage or excess", Body: reflect.TypeFor[followup.ShortageExplanation](), From: accepted,
		About: "Sends an explanation of a shortage or excess (IE871)",
	},
}

// OperationOf returns the operation with an action.
func OperationOf(by lifecycle.Action) (filing.Operation, bool) {
	i := slices.IndexFunc(operations, func(o filing.Operation) bool { return o.Action == by })
	if i < 0 {
		return filing.Operation{}, false
	}
	return operations[i], true
}
