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
		body := func() (string, error) { return noticeBody(tx, c, &n) }
		for i := range all {
			accepted := Subscribes(all[i].Events, c.Event.Type)
			if accepted && all[i].Accepts != nil {
				if accepted, err = all[i].Accepts(c, body); err != nil {
					return n, err
				}
			}
			if accepted {
				n.Deliveries = append(n.Deliveries, filing.Delivery{ID: newID(), EndpointID: all[i].EndpointID})
			}
		}
		if len(n.Deliveries) == 0 {
			return filing.Notification{}, nil
		}
		_, err = body()
		return n, err
	}
}

// noticeBody builds the ID and the body of a notification once.
func noticeBody(tx filing.NotifyTx, c *filing.Change, n *filing.Notification) (string, error) {
	if n.Body != "" {
		return n.Body, nil
	}
	e := c.Event
	var err error
	if e.OccurredAt, err = tx.NextEventTime(); err != nil {
		return "", err
	}
	notice := NewNotice(tx.Org(), tx.Mode(), &e, c.Filing.AppendJSON(nil))
	n.ID, n.Body = notice.ID, notice.Body
	return n.Body, nil
}
