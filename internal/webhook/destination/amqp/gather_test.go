package amqp

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
)

// What is written while the peer reads nothing arrives in order, in one piece.
func TestWritesAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, peer := net.Pipe()
		g := gather(ours)
		defer g.Close()
		for _, text := range []string{"a", "b", "c", "d"} {
			if _, err := io.WriteString(g, text); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // the first is being written
		}
		pieces, buffer := []string(nil), make([]byte, 100)
		for len(strings.Join(pieces, "")) < 4 {
			n, err := peer.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			pieces = append(pieces, string(buffer[:n]))
		}
		if got := strings.Join(pieces, " "); got != "a bcd" {
			t.Errorf("read %q", got)
		}
	})
}

// A peer that reads nothing blocks who writes, until the connection is closed.
func TestGatheredIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, _ := net.Pipe()
		g := gather(ours)
		ended := make(chan error, 1)
		written := 0
		go func() {
			for {
				if _, err := g.Write(make([]byte, 1000)); err != nil {
					ended <- err
					return
				}
				written++
			}
		}()
		synctest.Wait()
		if written > 2*(maxGathered/1000+1) { // what waits, and what is being written
			t.Errorf("%d kB were gathered", written)
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err == nil {
			t.Error("no error after the end")
		}
	})
}
