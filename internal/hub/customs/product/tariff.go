package product

import "github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"

// NoteTariff notes that the tariff has changed for a product.
const NoteTariff lifecycle.Action = "note-tariff-change"

// TariffChanged is the type of the event of a product whose measures have changed.
const TariffChanged = "tariff.measure.changed"

var productLifecycle = lifecycle.Archivable.With(lifecycle.Edge{
	From: []lifecycle.State{lifecycle.Active}, Action: NoteTariff, Guard: lifecycle.System, Event: "changed", Type: TariffChanged,
	About: "An imported tariff changes measures on a product",
})
