//go:build !linux

package app

import "runtime/debug"

// settle gives back the memory that only starting needed.
func settle() { debug.FreeOSMemory() }
