//go:build !linux

package app

import "time"

// monotonic is only used by systemd.
func monotonic() time.Duration { return 0 }
