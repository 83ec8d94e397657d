package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Places are numbered from 0, each with a folder and two ports of its own, below those of test/port. A run takes the first
// free place, so the addresses and paths that it gives to tests are nearly always the same: go test reuses the result of a
// package only while the variables that the tests read are the same.
const (
	places    = 50
	firstPort = 19_800
)

// place is what one run has for itself until it ends.
type place struct {
	folder          string
	postgres, redis int // ports

	lock *os.File
}

// takePlace takes the first place that no other run has, and whose ports are unused. Its folder is made in another one than that of
// the locks, which all runs share, as they share the ports.
func takePlace(locks, in string, unused func(port int) bool) (place, error) {
	for n := range places {
		name := fmt.Sprintf("tidewaiter-servers-%d-%d", os.Getuid(), n)
		folder := filepath.Join(in, name)
		lock, err := os.OpenFile(filepath.Join(locks, name+".lock"), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return place{}, err
		}
		p := place{folder: folder, postgres: firstPort + 2*n, redis: firstPort + 2*n + 1, lock: lock}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || !unused(p.postgres) || !unused(p.redis) {
			lock.Close()
			continue
		}
		if err := p.empty(); err != nil {
			lock.Close()
			return place{}, err
		}
		return p, nil
	}
	return place{}, errors.New("all places for servers are taken")
}

// empty makes the place's folder. A run that was killed has left one.
func (p place) empty() error {
	if err := os.RemoveAll(p.folder); err != nil {
		return err
	}
	return os.Mkdir(p.folder, 0o700)
}

// leave removes the folder, and lets others take the place.
func (p place) leave() {
	_ = os.RemoveAll(p.folder)
	p.lock.Close()
}

// isUnused reports whether no process listens on a port.
func isUnused(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	return true
}
