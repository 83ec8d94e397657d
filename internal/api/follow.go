package api

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/records/sse"
)

const (
	heartbeat = 30 * time.Second // interval of what is sent while nothing happens; half of a common proxy's idle timeout
	keyCheck  = time.Second      // from a change to the check that the key still works

	// gather is the least time between two reads, so that many changes a second do not cost a read each.
	gather = 10 * time.Millisecond
)

// follow calls sendStored at the start and after every change, until the caller disconnects, the key is revoked or
// expires, or the service stops. sendStored sends what is stored and not sent yet, and tells watch how far it came.
func (s *Server) follow(ctx context.Context, c *caller, w *streamWriter, watch *sse.Subscription, beat []byte, sendStored func(context.Context, *sse.Subscription) error) error {
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not buffer
	pulse := time.NewTicker(heartbeat)
	defer pulse.Stop()
	var check <-chan time.Time // nil if nothing has changed since the last check of the key
	for {
		if err := sendStored(ctx, watch); err != nil {
			return unlessDisconnected(ctx, err)
		}
		pause := time.After(gather)
		select {
		case <-ctx.Done():
			return nil
		case <-s.draining:
			return nil
		case _, open := <-watch.Changed():
			if !open {
				return nil
			}
			if check == nil {
				check = time.After(keyCheck)
			}
			<-pause
			continue
		case <-pulse.C:
			if w.send(beat) != nil {
				return nil // the caller has disconnected
			}
		case <-check:
		}
		if check = nil; !s.isStillAllowed(ctx, c) {
			return nil
		}
	}
}

// unlessDisconnected returns err unless the caller has disconnected.
func unlessDisconnected(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// isDraining reports whether the service stops.
func (s *Server) isDraining() bool {
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}

// isStillAllowed reports whether the caller's key is still valid. An unavailable store ends the response too; the
// caller can connect again.
func (s *Server) isStillAllowed(ctx context.Context, c *caller) bool {
	holder, found, err := s.findHolder(c.request.WithContext(ctx), route{})
	return err == nil && found && holder.Org == c.call.Org
}

// send writes a piece of a response at once.
func (w *streamWriter) send(piece []byte) error {
	if _, err := w.Write(piece); err != nil {
		return err
	}
	return w.control.Flush()
}
