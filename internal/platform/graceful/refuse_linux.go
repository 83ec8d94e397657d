package graceful

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// refuseNew has the kernel drop requests for new connections (TCP segments with SYN) to a
// listener, by a socket filter. Clients try again after a second, and then nothing listens.
// Handshakes that have begun go on.
func refuseNew(l net.Listener) error {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return errors.New("graceful: not a TCP listener")
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return err
	}
	const (
		flags = 13   // offset of the flags in a TCP header
		syn   = 0x02 // segments of a connection that exists do not have it
		all   = 0xffffffff
	)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: syn, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: all},
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}) // #nosec G115 -- a few instructions
	})
	return errors.Join(err, failed)
}
