package connection

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// plan returns what an action on a movement sends.
func plan(f *filing.Filing, by lifecycle.Action, _ []exchange.Message) (exchange.Step, error) {
	switch by {
	case lifecycle.Submit:
		return exchange.Step{Order: exchange.First, Purpose: string(by)}, nil
	case lifecycle.Cancel:
		return planCancellation(f)
	case lifecycle.MarkAccepted, lifecycle.MarkRejected, hub.MarkDispatched, hub.MarkDelivered:
		return exchange.Step{}, apierr.New(apierr.InvalidState, "HMRC's messages decide this; it cannot be marked by hand.")
	}
	if o, known := hub.OperationOf(by); known {
		if !o.IsPossible(f.Status) {
			return exchange.Step{}, o.NotPossible("movement", f.Status)
		}
		return exchange.Step{Order: exchange.Only, Purpose: string(by)}, nil
	}
	return exchange.Step{}, nil
}

// planCancellation sends the cancellation of an accepted movement. One that HMRC has not answered cannot be cancelled yet, because it has no ARC.
func planCancellation(f *filing.Filing) (exchange.Step, error) {
	switch f.Status {
	case lifecycle.Accepted:
		return exchange.Step{Order: exchange.Only, Purpose: string(lifecycle.Cancel)}, nil
	case lifecycle.Submitted:
		return exchange.Step{}, apierr.New(apierr.InvalidState, "HMRC has not answered this movement yet. It can be cancelled once it has an ARC.")
	}
	return exchange.Step{}, nil
}
