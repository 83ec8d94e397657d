package life

// Kinds of explanations.
const (
	OpenDelay    = "delay"
	OpenShortage = "shortage"
)

// Open is an explanation that is expected and has not been given.
type Open struct {
	Kind  string `json:"kind,omitempty"`  // OpenDelay or OpenShortage
	About string `json:"about,omitempty"` // of a delay: the role of its IE837, 1 receipt or 2 destination
	Item  int    `json:"item,omitempty"`  // of a shortage
	Until string `json:"until,omitempty"` // of a delay: HMRC's limit
}

// roles are the roles of an IE837 that answers a reminder, by the reminder's type.
var roles = map[string]string{"1": "2", "2": "1", "3": "2"}

// open returns the explanations that are expected: of delays that HMRC reminds of, and of shortages and excesses that the last receipt has. A movement
// that has ended needs no explanation of a delay.
func open(l *Life) []Open {
	if l.State == Cancelled || l.State == Rejected {
		return nil
	}
	var all []Open
	for _, r := range l.Reminders {
		if role := roles[r.Type]; l.State != Delivered && !l.explained(role, r.Sequence) {
			all = append(all, Open{Kind: OpenDelay, About: role, Until: r.Until})
		}
	}
	for _, item := range l.lastItems() {
		if item.Indicator != "" && !l.shortageExplained(item.Item) {
			all = append(all, Open{Kind: OpenShortage, Item: item.Item})
		}
	}
	return all
}

// explained reports whether a reminder of a role was answered: by an explanation, by a receipt, or by a new destination.
func (l *Life) explained(role string, sequence int) bool {
	for _, d := range l.Delays {
		if d.About == role && d.Sequence >= sequence {
			return true
		}
	}
	for _, r := range l.Receipts {
		if role == "1" && r.Sequence >= sequence {
			return true
		}
	}
	return role == "2" && l.Sequence > sequence
}

func (l *Life) lastItems() []ReceivedItem {
	if len(l.Receipts) == 0 {
		return nil
	}
	return l.Receipts[len(l.Receipts)-1].Items
}

func (l *Life) shortageExplained(item int) bool {
	for _, s := range l.Shortages {
		if _, named := s.Items[item]; named || s.Whole != "" {
			return true
		}
	}
	return false
}
