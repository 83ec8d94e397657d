package webhook

import "github.com/tidewaiter/tidewaiter/internal/filing"

// NotifyOf returns the function that builds the notifications of changes. Deliveries get
// their IDs from newID.
func NotifyOf(newID func() string) filing.Notify {
	return func(tx filing.NotifyTx, c *filing.Change) (n filing.Notification, err error) {
		all, err := tx.Subscribers()
		if err != nil {
			return n, err
		}
		for i := range all {
			if Subscribes(all[i].Events, c.Event.Type) {
				n.Deliveries = append(n.Deliveries, filing.Delivery{ID: newID(), EndpointID: all[i].EndpointID})
			}
		}
		if len(n.Deliveries) == 0 {
			return n, nil
		}
		e := c.Event
		if e.OccurredAt, err = tx.NextEventTime(); err != nil {
			return n, err
		}
		notice := NewNotice(tx.Org(), &e, c.Filing.AppendJSON(nil))
		n.ID, n.Body = notice.ID, notice.Body
		return n, nil
	}
}
