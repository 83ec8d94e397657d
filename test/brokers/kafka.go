package main

import (
	"errors"
	"net"
	"path/filepath"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const partitions = 3

func kafka(s settings) error {
	c, err := kfake.NewCluster(
		kfake.NumBrokers(1), kfake.Ports(s.port), kfake.DataDir(filepath.Join(s.dir, "kafka")), kfake.SeedTopics(partitions, "events"),
		kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", s.user, s.password), kfake.ListenFn(s.listen),
	)
	if err != nil {
		return err
	}
	go s.follow(&steered{Cluster: c})
	return nil
}

// advertising is a listener that names another port.
type advertising struct {
	net.Listener
	port int
}

func (a advertising) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: a.port} }

func (s settings) listen(network, address string) (net.Listener, error) {
	l, err := net.Listen(network, address)
	if err != nil || s.advertised == 0 {
		return l, err
	}
	return advertising{l, s.advertised}, nil
}

// steered is a cluster that refuses messages while the test wants it.
type steered struct {
	*kfake.Cluster
	fault   *kfake.FaultHandle // nil for none
	closing bool
	missing bool
}

// refuse makes the cluster answer messages with an error code. With "close" it closes the connection instead of answering, and
// with "missing" it has no topic.
func (c *steered) refuse(how string) {
	if c.fault != nil {
		c.fault.Remove()
		c.fault = nil
	}
	if c.missing {
		_ = c.CreateTopic("events", partitions, nil)
	}
	c.missing, c.closing = how == "missing", how == "close"
	switch {
	case c.missing:
		_ = c.DeleteTopic("events")
	case c.closing:
		c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
			if !c.closing {
				return nil, nil, false
			}
			c.KeepControl()
			return nil, errors.New("closed by the test"), true
		})
	case how != "":
		code, _ := strconv.ParseInt(how, 10, 16)
		refused, _ := kerr.ErrorForCode(int16(code)).(*kerr.Error)
		c.fault = c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: refused, Count: -1})
	}
}
