//go:build !linux

package graceful

import (
	"errors"
	"net"
)

// refuseNew is not possible on this system.
func refuseNew(net.Listener) error { return errors.ErrUnsupported }
