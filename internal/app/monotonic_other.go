//go:build !linux

package app

import "time"

// monotonic is for systemd alone.
func monotonic() time.Duration { return 0 }
