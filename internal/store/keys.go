package store

import (
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
)

// Limits of the keys that are held in memory.
const (
	maxHeldKeys = 4096
	keyHeldFor  = time.Second // a program before this release changes keys without changing the mark
)

// heldKeys are the keys that were found last. What was found under one mark of the engine is used while the mark is the same, so that
// a revoked key ends before its revocation is reported as stored.
type heldKeys struct {
	mu     sync.RWMutex
	mark   string
	byHash map[string]heldKey
}

// heldKey is a key as it was found at a time. It ends at another one; zero for never.
type heldKey struct {
	access.Holder
	foundAt, endsAt time.Time
}

// valid reports whether a key works at a time as it did when it was found.
func (k *heldKey) valid(now time.Time) bool {
	age := now.Sub(k.foundAt)
	return age >= 0 && age < keyHeldFor && (k.endsAt.IsZero() || now.Before(k.endsAt))
}

// find returns a key that was found under the same mark a short time ago.
func (h *heldKeys) find(mark, hash string, now time.Time) (access.Holder, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	k, held := h.byHash[hash]
	return k.Holder, held && h.mark == mark && k.valid(now)
}

// hold keeps a key that was found after the mark was read.
func (h *heldKeys) hold(mark, hash string, k heldKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byHash == nil || h.mark != mark || len(h.byHash) >= maxHeldKeys {
		h.mark, h.byHash = mark, map[string]heldKey{}
	}
	h.byHash[hash] = k
}
