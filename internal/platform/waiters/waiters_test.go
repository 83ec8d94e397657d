package waiters

import "testing"

// A waiter that gives up does not take the notification from the item's other waiters.
func TestWaitersAreIndependent(t *testing.T) {
	var l List
	first, leave := l.Join("a")
	second, _ := l.Join("a")
	leave()
	l.Notify("a")
	if isClosed(first) {
		t.Error("a waiter that had left was notified")
	}
	if !isClosed(second) {
		t.Error("the remaining waiter was not notified")
	}
	leave()
	if len(l.channels) != 0 {
		t.Errorf("%d items still have waiters", len(l.channels))
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
