package outbox

import "testing"

// A waiter that gives up does not take the notification from the item's other waiters.
func TestWaitersAreIndependent(t *testing.T) {
	var w Waiters
	first, leave := w.join("a")
	second, _ := w.join("a")
	leave()
	w.Notify("a")
	if isClosed(first) {
		t.Error("a waiter that had left was notified")
	}
	if !isClosed(second) {
		t.Error("the remaining waiter was not notified")
	}
	leave()
	if len(w.channels) != 0 {
		t.Errorf("%d items still have waiters", len(w.channels))
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
